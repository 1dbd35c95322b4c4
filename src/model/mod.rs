//! Typed views on documents, which keep their nodes and places.

pub(crate) mod duration;
pub(crate) mod image;
pub(crate) mod moment;
pub(crate) mod overrides;
#[allow(dead_code, reason = "no command renders packages yet")]
pub(crate) mod package;
pub(crate) mod package_fields;
pub(crate) mod pattern;
#[allow(dead_code, reason = "no command renders packages yet")]
pub(crate) mod release;
pub(crate) mod snapshot;
#[allow(dead_code, reason = "no command renders packages yet")]
pub(crate) mod source_package;

use crate::source::Span;

/// A value and where it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spanned<T> {
    /// The value.
    pub(crate) value: T,
    /// Where it was written.
    pub(crate) span: Span,
}
