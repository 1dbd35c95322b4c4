//! Which documents look like Secrets: their lines are not shown, whether or not they could be read.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;

use memchr::memmem;

use crate::source::{SourceId, SourceMap, Span};

/// What a document separator begins with, the line end before it included.
const SEPARATOR: &[u8] = b"\n---";

/// The ways to write the kind, cut at the word.
const KINDS: [(&str, &str); 5] = [
    ("kind: ", ""),
    ("kind: \"", "\""),
    ("kind: '", "'"),
    ("\"kind\":\"", "\""),
    ("\"kind\": \"", "\""),
];

/// The documents of the texts of a run that look like Secrets, found text by text once a place in one
/// is asked for.
pub(super) struct Secrets<'s> {
    sources: &'s SourceMap,
    found: RefCell<BTreeMap<SourceId, Vec<Range<usize>>>>,
}

impl<'s> Secrets<'s> {
    /// Of these texts.
    pub(super) fn of(sources: &'s SourceMap) -> Secrets<'s> {
        Secrets {
            sources,
            found: RefCell::default(),
        }
    }

    /// Whether a place stands in one.
    pub(super) fn hold(&self, place: Span) -> bool {
        let mut found = self.found.borrow_mut();
        let text = &self.sources.get(place.source).text;
        let documents = found
            .entry(place.source)
            .or_insert_with(|| documents(text.as_bytes()));
        let at = place.range().start;
        let next = documents.partition_point(|document| document.end <= at);
        documents.get(next).is_some_and(|it| it.start <= at)
            // At the end of a text no document goes on.
            || at >= text.len() && documents.last().is_some_and(|it| it.end == text.len())
    }
}

/// The documents of a text that say that they are Secrets, in order.
fn documents(text: &[u8]) -> Vec<Range<usize>> {
    let word = memmem::Finder::new("Secret");
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = word.find(&text[from..]).map(|at| from + at) {
        let behind = at + word.needle().len();
        from = behind;
        let is_kind = |(before, after): &(&str, &str)| {
            text[..at].ends_with(before.as_bytes()) && text[behind..].starts_with(after.as_bytes())
        };
        if KINDS.iter().any(is_kind) {
            let start = memmem::rfind(&text[..at], SEPARATOR).unwrap_or(0);
            let end = memmem::find(&text[at..], SEPARATOR).map_or(text.len(), |end| at + end);
            found.push(start..end);
            from = end;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_one_by_its_kind_however_it_is_written() {
        let text = "kind: A\n---\nkind: Secret\ndata: {}\n---\nkind: B\nof: Secret\n---\n{\"kind\":\"Secret\"}";
        let mut sources = SourceMap::default();
        let source = sources.add("a.yaml", text);
        let secrets = Secrets::of(&sources);
        let at = |part: &str| {
            let start = u32::try_from(text.find(part).expect("it is there")).expect("short");
            secrets.hold(Span {
                source: source.id,
                start,
                end: start,
            })
        };
        assert!(at("kind: Secret") && at("data") && at("{\"kind\""));
        assert!(!at("kind: A") && !at("kind: B") && !at("of: Secret"));
        let end = u32::try_from(text.len()).expect("short");
        let behind = Span {
            source: source.id,
            start: end,
            end,
        };
        assert!(secrets.hold(behind));
    }
}
