//! What kustomize's image filter does to documents: which images it visits and what they become.

mod build;
mod legacy;
mod record;
mod references;
mod refusals;
mod resources;
mod tree;
mod walk;
mod written;

use std::sync::Arc;

use rayon::prelude::*;

use crate::finding::Finding;
use crate::model::overrides::OverrideTable;
use crate::source::{Source, Span};
use crate::yaml::{Doc, NodeId, Path};
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

/// An entry that matched an image, and what it made of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    /// The entry's place in the table.
    pub(crate) entry: usize,
    /// The text it met.
    pub(crate) before: String,
    /// The text it left.
    pub(crate) after: String,
}

/// One image that the filter visits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Visit {
    /// The document's place in the list given.
    pub(crate) doc: usize,
    /// The node whose text it is: the scalar itself, or the target of the alias or merge that
    /// brings it.
    pub(crate) node: NodeId,
    /// Where to point: the scalar, or the alias that stands for it.
    pub(crate) span: Span,
    /// The route from the document's root, aliases and merges followed; `None` where each node of
    /// the document is used just where it stands, so that the node says it all.
    pub(crate) path: Option<Path>,
    /// The text before the first entry.
    pub(crate) before: String,
    /// The text after the last entry.
    pub(crate) after: String,
    /// The entries that matched, in order.
    pub(crate) hits: Vec<Hit>,
    /// Whether its scalar is written anew: an entry matched, or a build reads something else from
    /// its own output (rules 29, 64, 88).
    pub(crate) rewritten: bool,
    /// Whether a result that looks like another type becomes that type (rule 59).
    pub(crate) typed: bool,
}

/// What a table does to the documents of one text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Filtered {
    /// Every image visited, in the order of the text.
    pub(crate) visits: Vec<Visit>,
    /// Where the real filter fails: what Flux would say and where, as an error. Nothing is
    /// rewritten then.
    pub(crate) refusal: Option<Finding>,
    /// What else there is to say: changes besides images, duplicate keys.
    pub(crate) findings: Vec<Finding>,
}

/// What the legacy filter does to each document by itself.
pub(crate) fn legacy(docs: &[Doc], table: &OverrideTable) -> Vec<Filtered> {
    let entries = Entries::new(table);
    let alone = docs.len() == 1;
    docs.par_iter()
        .enumerate()
        .map(|(at, doc)| legacy::filter(doc, at, alone, &entries))
        .collect()
}

/// What a build does to the documents of one text, all its pieces given in order.
pub(crate) fn build(source: &Arc<Source>, docs: &[Doc], table: &OverrideTable) -> Filtered {
    build::filter(source, docs, &Entries::new(table))
}

/// Where the objects of a build stand, in its order: the document and the route in it.
#[cfg(test)]
pub(crate) fn resource_paths(source: &Arc<Source>, docs: &[Doc]) -> Vec<(usize, Path)> {
    build::resource_paths(source, docs)
}

#[cfg(test)]
pub(crate) use written::timestamp;
