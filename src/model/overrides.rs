//! Override tables: the entries that kustomize's image filter is given, with every place kept.

use super::Spanned;
use crate::source::Span;

/// One entry of a table. An absent and an empty field are the same (`spec/image-semantics.md`,
/// "Entry").
#[derive(Clone, Debug, Default)]
pub(crate) struct Override {
    /// Its place in the list, counted from 0.
    pub(crate) index: usize,
    /// Where the whole entry stands.
    pub(crate) span: Span,
    /// The name: a regular expression in Go's syntax.
    pub(crate) name: Option<Spanned<String>>,
    /// What replaces the repository.
    pub(crate) new_name: Option<Spanned<String>>,
    /// What replaces the tag.
    pub(crate) new_tag: Option<Spanned<String>>,
    /// What replaces the digest.
    pub(crate) digest: Option<Spanned<String>>,
}

fn text(field: Option<&Spanned<String>>) -> &str {
    field.map_or("", |field| field.value.as_str())
}

impl Override {
    /// The name, empty where absent.
    pub(crate) fn name(&self) -> &str {
        text(self.name.as_ref())
    }

    /// `newName`, empty where absent.
    pub(crate) fn new_name(&self) -> &str {
        text(self.new_name.as_ref())
    }

    /// `newTag`, empty where absent.
    pub(crate) fn new_tag(&self) -> &str {
        text(self.new_tag.as_ref())
    }

    /// `digest`, empty where absent.
    pub(crate) fn digest(&self) -> &str {
        text(self.digest.as_ref())
    }
}

/// A table: entries in their order, and where the list stands.
#[derive(Clone, Debug, Default)]
pub(crate) struct OverrideTable {
    /// The entries.
    pub(crate) entries: Vec<Override>,
    /// Where the list stands.
    pub(crate) span: Span,
}
