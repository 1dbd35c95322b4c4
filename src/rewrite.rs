//! Visits into edits: the text of every image that changes, and nothing else.
