//! Edits applied to a text: sorted, no overlap, spliced once; nothing else changes by a byte.
//!
//! How a new value is written in place of a scalar: [`super::write`].

use std::borrow::Cow;

use crate::source::Edit;

#[cfg(any(test, feature = "laws"))]
pub(crate) mod law;

/// Two edits that claim the same bytes, or one that leaves the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("edits overlap at byte {}", .0.span.start)]
pub(crate) struct Overlap(pub(crate) Edit);

/// The text, which begins at the byte `start` of its source, with the edits made. Insertions at one
/// place keep their order and come before what replaces the bytes behind it.
///
/// # Errors
///
/// When two edits overlap, or one ends behind the text or inside a character.
pub(crate) fn apply<'t>(
    text: &'t str,
    start: u32,
    edits: &[Edit],
) -> Result<Cow<'t, str>, Overlap> {
    if edits.is_empty() {
        return Ok(Cow::Borrowed(text));
    }
    Ok(Cow::Owned(parts(text, start, edits)?.concat()))
}

/// As [`apply`], but as the parts that the new text is made of, where they stand: what is kept of the
/// text, and what the edits bring.
///
/// # Errors
///
/// As [`apply`].
pub(crate) fn parts<'t>(
    text: &'t str,
    start: u32,
    edits: &'t [Edit],
) -> Result<Vec<&'t str>, Overlap> {
    let mut sorted: Vec<&Edit> = edits.iter().collect();
    sorted.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let mut parts = Vec::with_capacity(2 * edits.len() + 1);
    let mut done = 0;
    for edit in sorted {
        let (from, to) = (edit.span.start, edit.span.end);
        let inside = from.checked_sub(start).zip(to.checked_sub(start));
        let range = inside.map(|(from, to)| from as usize..to as usize);
        let kept = range.filter(|range| text.get(range.clone()).is_some());
        let kept = kept.and_then(|range| Some((text.get(done..range.start)?, range.end)));
        let Some((kept, end)) = kept else {
            return Err(Overlap(edit.clone()));
        };
        parts.extend([kept, &edit.text]);
        done = end;
    }
    parts.push(&text[done..]);
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{SourceId, Span};

    fn edit(start: u32, end: u32, text: &str) -> Edit {
        Edit {
            span: Span {
                source: SourceId(0),
                start,
                end,
            },
            text: text.to_owned(),
        }
    }

    #[test]
    fn edits_are_sorted_and_spliced_once() {
        let edits = [
            edit(4, 5, "E"),
            edit(0, 1, "AA"),
            edit(4, 4, "<"),
            edit(4, 4, ">"),
        ];
        assert_eq!(apply("abcdef", 0, &edits).unwrap(), "AAbcd<>Ef");
        assert_eq!(apply("abc", 0, &[]).unwrap(), "abc");
    }

    #[test]
    fn overlap_is_refused() {
        assert_eq!(
            apply("abc", 0, &[edit(0, 2, "x"), edit(1, 3, "y")]),
            Err(Overlap(edit(1, 3, "y")))
        );
        assert!(apply("abc", 0, &[edit(2, 4, "")]).is_err());
        assert!(apply("é", 0, &[edit(1, 2, "")]).is_err());
    }
}
