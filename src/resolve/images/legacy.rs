//! The legacy filter alone: what the operator does to each of Flux's documents.
//!
//! Source: kustomize api v0.20.1 `filters/imagetag/legacy.go`; `spec/image-semantics.md` mode A.

use super::record::{Entries, Record, Stop};
use super::refusals::Refusal;
use super::resources::{go_kind, missing_metadata};
use super::tree::Tree;
use super::walk::containers;
use super::{Filtered, Mode};
use crate::yaml::{Doc, Malformed};

/// Whether the text alone shows that no key is `containers` or `initContainers`: neither stands in
/// it, nor the backslash that could spell them another way.
fn never_has_containers(doc: &Doc) -> bool {
    let text = doc.text().as_bytes();
    memchr::memmem::find(text, b"ontainers").is_none() && memchr::memchr(b'\\', text).is_none()
}

/// What the table does to one document by itself. No entries, no look at it (rule 32). A text
/// without any document is refused (rule 67); `alone` says that the document is all of its text.
pub(crate) fn filter<'d>(
    doc: &'d Doc,
    at: usize,
    alone: bool,
    entries: &Entries<'_>,
) -> Filtered<'d> {
    let mut filtered = Filtered::default();
    let Some((mut tree, root)) = Tree::new(doc) else {
        if alone && !entries.is_empty() {
            let fault = Malformed::at(
                &doc.source,
                doc.start as usize,
                "an empty document: Flux says `EOF`",
            );
            filtered.refusal = Some(Box::new(super::refusals::empty(&fault)));
        }
        return filtered;
    };
    if entries.is_empty() || tree.is_null(root) {
        return filtered;
    }
    if missing_metadata(&tree, root) {
        filtered.refusal = Some(Box::new(Refusal::missing_metadata(&tree, root).finding()));
        return filtered;
    }
    if go_kind(&tree, root) == "CustomResourceDefinition" {
        return filtered;
    }
    if never_has_containers(doc) {
        return filtered;
    }
    let pass = containers(&tree, root);
    let mut record = Record::default();
    for entry in entries.iter() {
        for &image in &pass.images {
            if let Err(Stop::Pattern(error)) = record.test(&mut tree, at, image, entry) {
                filtered.refusal = Some(Box::new(super::refusals::pattern(
                    &tree, image, entry, &error,
                )));
                return filtered;
            }
        }
        if let Some(fault) = &pass.fault {
            filtered.refusal = Some(Box::new(super::refusals::shape(
                &tree,
                fault,
                None,
                Mode::Legacy,
            )));
            return filtered;
        }
    }
    filtered.visits = record.visits(&[(at, &tree, root)]);
    filtered
}
