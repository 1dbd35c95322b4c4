//! Typed views on documents, which keep their nodes and places.

pub(crate) mod application;
pub(crate) mod cluster;
pub(crate) mod duration;
pub(crate) mod field;
pub(crate) mod hook;
pub(crate) mod image;
pub(crate) mod kinds;
pub(crate) mod moment;
pub(crate) mod overrides;
pub(crate) mod package;
pub(crate) mod package_fields;
pub(crate) mod pattern;
pub(crate) mod quantity;
#[allow(
    dead_code,
    reason = "what a registry is asked for is the client's to know"
)]
pub(crate) mod reference;
pub(crate) mod release;
pub(crate) mod script;
pub(crate) mod snapshot;
pub(crate) mod source_package;
pub(crate) mod version;
pub(crate) mod workload;

use crate::source::Span;

/// A value and where it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spanned<T> {
    /// The value.
    pub(crate) value: T,
    /// Where it was written.
    pub(crate) span: Span,
}
