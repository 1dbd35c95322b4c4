//! Typed views on documents, which keep their nodes and places.

pub(crate) mod image;
pub(crate) mod overrides;
pub(crate) mod pattern;

use crate::source::Span;

/// A value and where it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spanned<T> {
    /// The value.
    pub(crate) value: T,
    /// Where it was written.
    pub(crate) span: Span,
}
