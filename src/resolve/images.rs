//! What kustomize's image filter does to documents: which images it visits and what they become.

mod build;
mod hits;
mod legacy;
mod ordinary;
mod record;
mod references;
mod refusals;
mod resources;
mod tree;
mod walk;
mod written;

use std::borrow::Cow;
use std::sync::Arc;

use rayon::prelude::*;

use crate::finding::Finding;
use crate::model::overrides::OverrideTable;
use crate::source::{Source, Span};
use crate::yaml::{Doc, NodeId, Path};
use hits::{Hit, Hits};
use record::Entries;

pub(crate) use tree::is_merge_key;

/// Which of kustomize's two ways is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// The legacy image filter alone, one pass per entry, on each document by itself: what the
    /// operator does to Flux's manifests (`spec/image-semantics.md` mode A).
    Legacy,
    /// A kustomize build: what helm-controller's post-renderer does (mode B).
    Build,
}

/// One image that the filter visits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Visit<'d> {
    /// The document's place in the list given.
    pub(crate) doc: usize,
    /// The node whose text it is: the scalar itself, or the target of the alias or merge that
    /// brings it.
    pub(crate) node: NodeId,
    /// Where to point: the scalar, or the alias that stands for it.
    pub(crate) span: Span,
    /// The route from the document's root, aliases and merges followed; `None` where each node of
    /// the document is used just where it stands, so that the node says it all.
    pub(crate) path: Option<Box<Path>>,
    /// The text before the first entry.
    pub(crate) before: Cow<'d, str>,
    /// The entries that matched, in order.
    pub(crate) hits: Hits,
    /// What a build shows instead of the text after the last entry, because it writes everything
    /// anew.
    pub(crate) shown: Option<Box<str>>,
    /// Whether its scalar is written anew: an entry matched, or a build reads something else from
    /// its own output (rules 29, 64, 88).
    pub(crate) rewritten: bool,
    /// Whether a result that looks like another type becomes that type (rule 59).
    pub(crate) typed: bool,
}

impl Visit<'_> {
    /// The text after the last entry.
    pub(crate) fn after(&self) -> &str {
        let last = self.hits.last().map(|hit| &*hit.after);
        self.shown.as_deref().or(last).unwrap_or(&self.before)
    }

    /// What each entry that matched met and left, in order.
    pub(crate) fn steps(&self) -> impl Iterator<Item = Step<'_>> {
        let left = self.hits.iter().map(|hit| &*hit.after);
        let met = std::iter::once(&*self.before).chain(left);
        self.hits.iter().zip(met).map(|(hit, before)| Step {
            entry: hit.entry,
            before,
            after: &hit.after,
        })
    }
}

/// What one entry did to one image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step<'v> {
    /// The entry's place in the table.
    pub(crate) entry: usize,
    /// The text it met.
    pub(crate) before: &'v str,
    /// The text it left.
    pub(crate) after: &'v str,
}

/// What a table does to the documents of one text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filtered<'d> {
    /// Every image visited, in the order of the text.
    pub(crate) visits: Vec<Visit<'d>>,
    /// Where the real filter fails: what Flux would say and where, as an error. Nothing is
    /// rewritten then.
    pub(crate) refusal: Option<Box<Finding>>,
    /// What else there is to say: changes besides images, duplicate keys.
    pub(crate) findings: Vec<Finding>,
}

impl Filtered<'_> {
    /// Everything that there is to say of it.
    pub(crate) fn said(&self) -> impl Iterator<Item = &Finding> {
        self.refusal.as_deref().into_iter().chain(&self.findings)
    }
}

/// What the legacy filter does to each document by itself.
pub(crate) fn legacy<'d>(docs: &'d [Doc], table: &OverrideTable) -> Vec<Filtered<'d>> {
    let entries = Entries::new(table);
    let alone = docs.len() == 1;
    docs.par_iter()
        .enumerate()
        .map(|(at, doc)| {
            let quick = ordinary::legacy(doc, at, &entries);
            quick.unwrap_or_else(|| legacy::filter(doc, at, alone, &entries))
        })
        .collect()
}

/// What a build does to the documents of one text, all its pieces given in order: one outcome for all
/// of them, or, where nothing is to be said, one for each stretch of them.
pub(crate) fn build<'d>(
    source: &Arc<Source>,
    docs: &'d [Doc],
    table: &OverrideTable,
) -> Vec<Filtered<'d>> {
    let entries = Entries::new(table);
    let quick = ordinary::build(source, docs, &entries);
    quick.unwrap_or_else(|| vec![build::filter(source, docs, &entries)])
}

/// As [`build`], put together.
#[cfg(any(test, feature = "laws"))]
pub(crate) fn build_whole<'d>(
    source: &Arc<Source>,
    docs: &'d [Doc],
    table: &OverrideTable,
) -> Filtered<'d> {
    joined(build(source, docs, table))
}

/// The outcomes of stretches as one.
#[cfg(any(test, feature = "laws"))]
fn joined(passes: Vec<Filtered<'_>>) -> Filtered<'_> {
    let mut passes = passes.into_iter();
    let mut whole = passes.next().unwrap_or_default();
    whole.visits.extend(passes.flat_map(|pass| pass.visits));
    whole
}

/// Where the objects of a build stand, in its order: the document and the route in it.
#[cfg(test)]
pub(crate) fn resource_paths(source: &Arc<Source>, docs: &[Doc]) -> Vec<(usize, Path)> {
    build::resource_paths(source, docs)
}

#[cfg(test)]
pub(crate) use written::timestamp;
