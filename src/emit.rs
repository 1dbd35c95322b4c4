//! A plan into a tree of files or one stream; writing it without ever leaving half of it.
