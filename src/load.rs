//! [world] Paths, stdin, the embedded set: texts into a [`crate::source::SourceMap`].

mod embedded;
