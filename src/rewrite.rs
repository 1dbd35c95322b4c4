//! Visits into edits: the text of every image that changes, and nothing else.
//!
//! The legacy filter changes a scalar where it stands, and an alias of it shows the new text. A
//! build copies aliases first, so that one anchored text can end in two results; see [`anchors`].
//! Objects that leave their Lists are in [`items`], digests that are put into tables in [`pins`], the
//! platform's table where objects carry it in [`post_renderers`] and [`values_secret`].

mod anchors;
pub(crate) mod items;
#[cfg(any(test, feature = "registry"))]
pub(crate) mod pins;
pub(crate) mod post_renderers;
#[cfg(test)]
mod tests;
pub(crate) mod values_secret;

use rayon::prelude::*;

use crate::resolve::images::{Filtered, Mode, Visit};
use crate::source::Edit;
use crate::yaml::Doc;
use crate::yaml::edit::{apply, parts};
use crate::yaml::split::offset;
use crate::yaml::write::{untagged, written};

/// How many documents are written at a time.
const STRETCH: usize = 128;

/// How many stretches wait for those before them.
const WAITING: usize = 16;

/// The visits of each document that has any, in the order of the text; none of a text of which the
/// filter refuses something.
fn by_doc<'f, 'd>(passes: impl IntoIterator<Item = &'f Filtered<'d>>) -> Vec<&'f [Visit<'d>]>
where
    'd: 'f,
{
    let passes = passes.into_iter().filter(|pass| pass.refusal.is_none());
    let of_pass = |pass: &'f Filtered<'d>| pass.visits.chunk_by(|one, other| one.doc == other.doc);
    passes.flat_map(of_pass).collect()
}

/// The edits that bring the documents to what the filter makes of them, in the order of the text;
/// none where the filter refuses.
pub(crate) fn edits(docs: &[Doc], filtered: &Filtered<'_>, mode: Mode) -> Vec<Edit> {
    edits_of(docs, &by_doc([filtered]), mode)
}

fn edits_of(docs: &[Doc], visits: &[&[Visit<'_>]], mode: Mode) -> Vec<Edit> {
    let mut edits = Vec::new();
    for of_doc in visits {
        let doc = &docs[of_doc[0].doc];
        if mode == Mode::Build && anchors::has_any(doc) {
            edits.extend(anchors::edits(doc, of_doc));
        } else {
            for visit in *of_doc {
                in_place(doc, visit, &mut edits);
            }
        }
    }
    edits.sort();
    edits.dedup();
    edits
}

/// Gives the text of these documents as the filter leaves it to `put`, stretch by stretch, without
/// ever holding all of it. `passes` are the filter's, in the order of the documents.
///
/// # Errors
///
/// The first that `put` has.
pub(crate) fn each_stretch<E>(
    text: &str,
    docs: &[Doc],
    passes: &[&Filtered<'_>],
    mode: Mode,
    put: &mut dyn FnMut(&str) -> Result<(), E>,
) -> Result<(), E> {
    let visits = by_doc(passes.iter().copied());
    let stretches: Vec<_> = visits.chunks(STRETCH).collect();
    let start = |at: usize| match stretches.get(at) {
        _ if at == 0 => 0,
        Some(stretch) => docs[stretch[0][0].doc].start as usize,
        None => text.len(),
    };
    if stretches.is_empty() {
        return put(text);
    }
    let places: Vec<usize> = (0..stretches.len()).collect();
    let old = |at: usize| (&text[start(at)..start(at + 1)], offset(start(at)));
    let apart = "the edits of one filter do not overlap";
    if rayon::current_num_threads() == 1 {
        // Nobody could put a text together meanwhile, so none is.
        return places.into_iter().try_for_each(|at| {
            let ((text, start), edits) = (old(at), edits_of(docs, stretches[at], mode));
            let mut parts = parts(text, start, &edits).expect(apart).into_iter();
            parts.try_for_each(&mut *put)
        });
    }
    let written = |&at: &usize| {
        let ((text, start), edits) = (old(at), edits_of(docs, stretches[at], mode));
        apply(text, start, &edits).expect(apart)
    };
    let written = |round: &[usize]| round.par_iter().map(written).collect::<Vec<_>>();
    // While one round is put, the others make the next.
    let mut rounds = places.chunks(WAITING);
    let mut next = rounds.next().map(written);
    while let Some(round) = next.take() {
        rayon::in_place_scope(|scope| {
            if let Some(places) = rounds.next() {
                scope.spawn(|_| next = Some(written(places)));
            }
            round.iter().try_for_each(|text| put(text))
        })?;
    }
    Ok(())
}

/// Puts the edits of one scalar where it stands behind the others: its text and, since a rewritten
/// scalar has no tag, its tag (`spec/image-semantics.md` rules 29, 59, 64).
fn in_place(doc: &Doc, visit: &Visit<'_>, edits: &mut Vec<Edit>) {
    let node = doc.node(visit.node);
    let settled = node.text() == Some(visit.after()) && node.tag().is_none() && !node.is_null();
    if visit.rewritten && !settled {
        edits.extend(untagged(node));
        edits.push(written(node, visit.after(), visit.typed));
    }
}
