//! Visits into edits: the text of every image that changes, and nothing else.
//!
//! The legacy filter changes a scalar where it stands, and an alias of it shows the new text. A
//! build copies aliases first, so that one anchored text can end in two results; see [`anchors`].
//! Objects that leave their Lists are in [`items`], digests that are put into tables in [`pins`], the platform's table where objects carry it in
//! [`post_renderers`] and [`values_secret`].

mod anchors;
pub(crate) mod items;
#[cfg(any(test, feature = "registry"))]
pub(crate) mod pins;
pub(crate) mod post_renderers;
#[cfg(test)]
mod tests;
pub(crate) mod values_secret;

use crate::resolve::images::{Filtered, Mode, Visit};
use crate::source::Edit;
use crate::yaml::Doc;
use crate::yaml::write::{untagged, written};

/// The edits that bring the documents to what the filter makes of them, in the order of the text;
/// none where the filter refuses.
pub(crate) fn edits(docs: &[Doc], filtered: &Filtered, mode: Mode) -> Vec<Edit> {
    if filtered.refusal.is_some() {
        return Vec::new();
    }
    let mut edits = Vec::new();
    let mut visits = filtered.visits.as_slice();
    while let Some(first) = visits.first() {
        let count = visits
            .iter()
            .take_while(|visit| visit.doc == first.doc)
            .count();
        let (of_doc, rest) = visits.split_at(count);
        visits = rest;
        let doc = &docs[first.doc];
        if mode == Mode::Build && anchors::has_any(doc) {
            edits.extend(anchors::edits(doc, of_doc));
        } else {
            edits.extend(of_doc.iter().flat_map(|visit| in_place(doc, visit)));
        }
    }
    edits.sort();
    edits.dedup();
    edits
}

/// The edits of one scalar where it stands: its text and, since a rewritten scalar has no tag, its
/// tag (`spec/image-semantics.md` rules 29, 59, 64).
fn in_place(doc: &Doc, visit: &Visit) -> Vec<Edit> {
    let node = doc.node(visit.node);
    let settled = node.text() == Some(&visit.after) && node.tag().is_none() && !node.is_null();
    if !visit.rewritten || settled {
        return Vec::new();
    }
    let tag = untagged(node);
    tag.into_iter()
        .chain([written(node, &visit.after, visit.typed)])
        .collect()
}
