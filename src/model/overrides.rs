//! Override tables: the entries that kustomize's image filter is given, with every place kept.

mod read;
mod secret;
#[cfg(test)]
mod tests;
mod value;

use std::sync::OnceLock;

use super::Spanned;
use super::pattern::{Pattern, PatternError};
use crate::source::Span;

pub(crate) use read::{
    FLUX_ROUTE, Found, PLATFORM_ROUTE, Which, distance, package_table, read_table, tables_in,
};
pub(crate) use secret::{decoded, is_values_secret, secret_table};
pub(crate) use value::{Fault, digest_fault, new_name_fault, new_tag_fault};

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
    /// Whether a field could not be taken, so that the entry says less than it was meant to.
    pub(crate) faulty: bool,
    /// Its name, compiled; use [`Override::pattern`].
    pub(crate) compiled: OnceLock<Result<Pattern, PatternError>>,
}

fn text(field: Option<&Spanned<String>>) -> &str {
    field.map_or("", |field| field.value.as_str())
}

impl Override {
    /// The name, empty where absent.
    pub(crate) fn name(&self) -> &str {
        text(self.name.as_ref())
    }

    /// What the name makes an expression of, compiled once.
    pub(crate) fn pattern(&self) -> Result<&Pattern, &PatternError> {
        let compiled = self.compiled.get_or_init(|| Pattern::compile(self.name()));
        compiled.as_ref()
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

/// The tables of a run: Flux's (for the operator's filter) and the platform's (for post-renderers).
#[derive(Clone, Debug, Default)]
pub(crate) struct Tables {
    /// What `cozystackOperator.fluxImageOverrides` holds.
    pub(crate) flux: Option<OverrideTable>,
    /// What `registries.imageOverrides` holds.
    pub(crate) platform: Option<OverrideTable>,
}

impl Tables {
    /// The different tables there are, Flux's first; one that stands for both is given once.
    pub(crate) fn distinct(&self) -> impl Iterator<Item = &OverrideTable> {
        let platform = self.platform.as_ref().filter(|platform| {
            self.flux
                .as_ref()
                .is_none_or(|flux| flux.span != platform.span)
        });
        self.flux.iter().chain(platform)
    }
}

impl OverrideTable {
    /// The entry at a place of the list. One that is no entry at all leaves a gap.
    ///
    /// # Panics
    ///
    /// Where it left one: such an entry does nothing that could be spoken of.
    pub(crate) fn entry(&self, index: usize) -> &Override {
        let found = self.entries.binary_search_by_key(&index, |it| it.index);
        &self.entries[found.expect("what matched an image is an entry")]
    }

    /// Whether two tables say the same, entry by entry.
    pub(crate) fn same_as(&self, other: &OverrideTable) -> bool {
        let fields = |entry: &Override| {
            [
                entry.name(),
                entry.new_name(),
                entry.new_tag(),
                entry.digest(),
            ]
            .map(str::to_owned)
        };
        self.entries
            .iter()
            .map(fields)
            .eq(other.entries.iter().map(fields))
    }
}
