//! From objects to bytes: one stream to apply, or a tree of files.
//!
//! Lives here: how texts are put together. Below: the names of files ([`name`]), the tree on disk
//! ([`mod@write`], [`exchange`], [`marker`]), single files
//! ([`mod@file`]), objects that are made beside those that are given ([`mod@arrange`]), the patches
//! of an audit ([`patches`]).

pub(crate) mod arrange;
pub(crate) mod exchange;
pub(crate) mod file;
pub(crate) mod marker;
mod name;
pub(crate) mod patches;
pub(crate) mod write;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

use crate::finding::ObjectId;
use crate::resolve::plan::Stage;
use crate::yaml::{Doc, Kind};

/// An object as it will be applied.
#[derive(Clone, Debug)]
pub(crate) struct Emitted<'t> {
    /// Its text: a YAML document, a `---` line before it at most.
    pub(crate) text: Cow<'t, str>,
    /// What it is.
    pub(crate) id: Arc<ObjectId>,
    /// When it is applied.
    pub(crate) stage: Stage,
}

/// Files by their path in the tree, with `/`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tree {
    /// The files.
    pub(crate) files: BTreeMap<String, Vec<u8>>,
}

/// The objects as a tree, a file an object.
pub(crate) fn tree(objects: &[Emitted<'_>]) -> Tree {
    let names = name::names(objects.iter().map(|object| (&*object.id, object.stage)));
    let files = names.into_iter().zip(objects);
    Tree {
        files: files
            .map(|(name, object)| (name, object.text.as_bytes().to_vec()))
            .collect(),
    }
}

/// Writes the objects as one stream in their order.
pub(crate) fn stream(objects: &[Emitted<'_>], to: &mut dyn Write) -> io::Result<()> {
    let mut ended = true;
    for object in objects {
        if !ended {
            to.write_all(b"\n")?;
        }
        if !opens(&object.text) {
            to.write_all(b"---\n")?;
        }
        to.write_all(object.text.as_bytes())?;
        ended = object.text.ends_with('\n') || object.text.is_empty();
    }
    if !ended {
        to.write_all(b"\n")?;
    }
    Ok(())
}

/// The objects as one stream, as a text.
#[cfg(test)]
pub(crate) fn stream_text(objects: &[Emitted<'_>]) -> String {
    let mut written = Vec::new();
    stream(objects, &mut written).expect("memory takes all");
    String::from_utf8(written).expect("texts are UTF-8")
}

/// Whether a text brings the line that opens a document.
fn opens(text: &str) -> bool {
    text.strip_prefix("---")
        .is_some_and(|rest| rest.starts_with([' ', '\t', '\r', '\n']))
}

/// The text of a document as it can stand before another: without a byte order mark, and with `|-`
/// or `>-` where a block scalar at the end of the file would gain a line end.
pub(crate) fn standing_alone<'t>(doc: &Doc, text: Cow<'t, str>) -> Cow<'t, str> {
    let mut text = match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.strip_prefix('\u{FEFF}').unwrap_or(text)),
        Cow::Owned(mut text) => {
            if text.starts_with('\u{FEFF}') {
                text.remove(0);
            }
            Cow::Owned(text)
        }
    };
    if text.ends_with('\n') {
        return text;
    }
    let last = doc.nodes().last().filter(|node| node.span().end == doc.end);
    if let Some(node) = last.filter(|node| matches!(node.kind(), Kind::Literal | Kind::Folded)) {
        let written = node.written();
        let header = written.lines().next().unwrap_or_default();
        let indicators = header[1..]
            .find([' ', '\t'])
            .map_or(header, |end| &header[..=end]);
        let chomped: String = indicators
            .chars()
            .filter(|c| !matches!(c, '+' | '-'))
            .chain(['-'])
            .collect();
        // An image never stands in a last block scalar that is edited to something else in length
        // behind its header, so the place is counted from the end.
        if let Some(start) = text.len().checked_sub(written.len())
            && text.get(start..).is_some_and(|tail| tail == written)
        {
            text.to_mut()
                .replace_range(start..start + indicators.len(), &chomped);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceMap;

    fn emitted(text: &str) -> Emitted<'_> {
        let source = SourceMap::default().add("a.yaml", text);
        let docs = crate::load::documents(&source).0;
        let text = standing_alone(&docs[0], Cow::Borrowed(text));
        Emitted {
            text,
            id: Arc::default(),
            stage: Stage::Objects,
        }
    }

    #[test]
    fn a_stream_separates_what_is_not_separated() {
        let objects = ["a: 1\n", "---\nb: 2\n", "\u{FEFF}c: 3", "d: 4\n"].map(emitted);
        assert_eq!(
            stream_text(&objects),
            "---\na: 1\n---\nb: 2\n---\nc: 3\n---\nd: 4\n"
        );
        assert_eq!(stream_text(&[]), "");
    }

    #[test]
    fn a_block_scalar_at_the_end_gains_no_line() {
        assert_eq!(emitted("a: |\n  x").text, "a: |-\n  x");
        assert_eq!(emitted("a: >+2 # c\n  x").text, "a: >2- # c\n  x");
        assert_eq!(emitted("a: |-\n  x").text, "a: |-\n  x");
        assert_eq!(emitted("a: |\n  x\n").text, "a: |\n  x\n");
    }
}
