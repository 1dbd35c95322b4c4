//! A text of a listing into the snapshot: JSON as a stream, YAML whole where it is small and cut
//! into its objects where it is large.
//!
//! What is wrong inside a text is a finding of `malformed-input`, without a word of what was read;
//! what cannot be read at all is a [`ReadFault`].

use std::io::{self, BufRead, BufReader, Cursor as Memory, Read};

use serde_json::{Map, Value};

use super::Snapshot;
use super::block::{self, Part};
use super::fields::OBJECT;
use super::json::{self, Counted, Cursor, Fault};
use crate::finding::{Finding, Label, Level};
use crate::load::{MALFORMED, documents};
use crate::source::{LineCol, Source, SourceId, SourceMap, Span};
use crate::yaml::json::{entries, to_json};
use crate::yaml::scalar::Reader;
use crate::yaml::{Doc, Node};

/// How large a YAML text may be to be read whole.
const WHOLE: u64 = 4 << 20;

/// Why a text cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadFault {
    /// The system will not read.
    #[error("cannot read `{path}`")]
    Read {
        /// The path as shown.
        path: String,
        /// What the system says.
        #[source]
        source: io::Error,
    },
    /// Places cannot be counted in it.
    #[error("`{path}` has 4 GiB or more, expected less")]
    TooLarge {
        /// The path as shown.
        path: String,
    },
}

/// Reads a text into the snapshot, and its places into the sources.
pub(crate) fn read(
    reader: &mut dyn Read,
    path: &str,
    sources: &mut SourceMap,
    snapshot: &mut Snapshot,
    findings: &mut Vec<Finding>,
) -> Result<(), ReadFault> {
    read_up_to(WHOLE, reader, path, sources, snapshot, findings)
}

/// The same, with the size up to which a YAML text is read whole.
pub(super) fn read_up_to(
    whole: u64,
    reader: &mut dyn Read,
    path: &str,
    sources: &mut SourceMap,
    snapshot: &mut Snapshot,
    findings: &mut Vec<Finding>,
) -> Result<(), ReadFault> {
    let mut notes = Notes {
        whole,
        source: sources.next_id(),
        places: Vec::new(),
        too_large: false,
        snapshot,
        findings,
    };
    let done = notes.read(&mut BufReader::with_capacity(1 << 16, reader));
    let (places, too_large) = (std::mem::take(&mut notes.places), notes.too_large);
    sources.add_noted(path, places);
    let path = path.to_owned();
    match done {
        Err(source) => Err(ReadFault::Read { path, source }),
        Ok(()) if too_large => Err(ReadFault::TooLarge { path }),
        Ok(()) => Ok(()),
    }
}

/// What one text adds.
struct Notes<'n> {
    whole: u64,
    source: SourceId,
    places: Vec<(u32, LineCol)>,
    too_large: bool,
    snapshot: &'n mut Snapshot,
    findings: &'n mut Vec<Finding>,
}

impl Notes<'_> {
    fn read(&mut self, reader: &mut dyn BufRead) -> io::Result<()> {
        let mut start = Cursor::START;
        if reader.fill_buf()?.starts_with("\u{FEFF}".as_bytes()) {
            reader.consume(3);
            start.offset = 3;
        }
        let mut blanks = Vec::new();
        let first = loop {
            let bytes = reader.fill_buf()?;
            let count = bytes.iter().take_while(|b| b.is_ascii_whitespace()).count();
            let (first, end) = (bytes.get(count).copied(), bytes.is_empty());
            blanks.extend_from_slice(&bytes[..count]);
            reader.consume(count);
            if first.is_some() || end {
                break first;
            }
        };
        match first {
            None => Ok(()),
            Some(b'{' | b'[') => {
                start.pass(&blanks);
                self.json(reader, start)
            }
            Some(_) => self.yaml(&mut Memory::new(blanks).chain(reader), start),
        }
    }

    fn json(&mut self, reader: &mut dyn BufRead, start: Cursor) -> io::Result<()> {
        let read = json::read(
            Counted::new(reader, start),
            &mut |object, cursor, length| self.absorb(&object, cursor, length),
        );
        match read {
            Ok(()) => Ok(()),
            Err(Fault::Io(why)) => Err(why),
            Err(Fault::Text(at, message)) => {
                self.malformed(at, message, None);
                Ok(())
            }
        }
    }

    fn yaml(&mut self, reader: &mut dyn BufRead, start: Cursor) -> io::Result<()> {
        let mut head = Vec::new();
        reader.take(self.whole + 1).read_to_end(&mut head)?;
        if head.len() as u64 <= self.whole {
            self.part(Part { text: head, start });
            return Ok(());
        }
        block::cut(&mut Memory::new(head).chain(reader), start, &mut |part| {
            self.part(part);
            Ok(())
        })
    }

    /// Reads a part of a YAML text with the full reader.
    fn part(&mut self, part: Part) {
        let start = part.start;
        let text = match String::from_utf8(part.text) {
            Ok(text) => text,
            Err(error) => {
                let mut at = start;
                let valid = error.utf8_error().valid_up_to();
                at.pass(&error.as_bytes()[..valid]);
                let help = Some("save the file as UTF-8".to_owned());
                self.malformed(at, "the text is not UTF-8, expected UTF-8", help);
                return;
            }
        };
        let source = SourceMap::default().add(String::new(), text);
        let (docs, faults) = documents(&source);
        let mut places = Places::new(&source, start);
        for fault in faults {
            let at = places.at(fault.span.start);
            self.malformed(at, "the text is no YAML here, expected YAML or JSON", None);
        }
        for node in docs.iter().filter_map(Doc::root) {
            self.node(node, &mut places);
        }
    }

    /// Takes in what a node is: an object, or a list of them. Lists nest no deeper than documents.
    fn node(&mut self, node: Node<'_>, places: &mut Places<'_>) {
        let node = node.resolved();
        if node.is_sequence() {
            node.items().for_each(|item| self.node(item, places));
            return;
        }
        if !node.is_mapping() {
            return;
        }
        let list = node
            .text_at(&["kind"])
            .is_some_and(|kind| kind.ends_with("List"));
        if let Some(items) = node.get("items").map(Node::resolved)
            && (list || items.is_sequence())
        {
            items.items().for_each(|item| self.node(item, places));
            return;
        }
        let mut object = Map::new();
        for entry in entries(node, Reader::Kubernetes) {
            if !OBJECT.iter().any(|(name, _)| *name == entry.key) {
                continue;
            }
            if let Ok(value) = to_json(entry.value, Reader::Kubernetes) {
                object.insert(entry.key, value);
            } else {
                let at = places.at(entry.key_span.start);
                self.malformed(at, "the value has no form in JSON, expected one", None);
            }
        }
        let name = node.at(&["metadata", "name"]).unwrap_or(node);
        let span = name.span();
        let length = if name.kind().is_scalar() {
            (span.end - span.start) as usize
        } else {
            1
        };
        let at = places.at(span.start);
        self.absorb(&Value::Object(object), at, length);
    }

    fn absorb(&mut self, object: &Value, cursor: Cursor, length: usize) {
        let span = self.span(cursor, length);
        if self.snapshot.absorb(object, span) {
            self.note(span, cursor);
        }
    }

    fn malformed(&mut self, at: Cursor, message: &'static str, help: Option<String>) {
        let span = self.span(at, 1);
        self.note(span, at);
        self.snapshot.cut_short = true;
        let finding = Finding::new(MALFORMED, Level::Error, Label::new(span), message);
        self.findings.push(match help {
            Some(help) => finding.help(help),
            None => finding,
        });
    }

    fn note(&mut self, span: Span, at: Cursor) {
        // A place may be noted behind a later one where a list is cut.
        let index = self
            .places
            .partition_point(|(noted, _)| *noted < span.start);
        self.places.insert(index, (span.start, at.place));
    }

    fn span(&mut self, at: Cursor, length: usize) -> Span {
        let end = at.offset.saturating_add(length as u64);
        self.too_large |= u32::try_from(end).is_err();
        Span {
            source: self.source,
            start: u32::try_from(at.offset).unwrap_or(u32::MAX),
            end: u32::try_from(end).unwrap_or(u32::MAX),
        }
    }
}

/// Places of a part in the whole text; quick where they are asked for in order.
struct Places<'p> {
    source: &'p Source,
    start: Cursor,
    /// The byte that was asked for last, and its place.
    last: (usize, Cursor),
}

impl<'p> Places<'p> {
    fn new(source: &'p Source, start: Cursor) -> Places<'p> {
        let last = (0, start);
        Places {
            source,
            start,
            last,
        }
    }

    fn at(&mut self, offset: u32) -> Cursor {
        let offset = (offset as usize).min(self.source.text.len());
        if offset < self.last.0 {
            self.last = (0, self.start);
        }
        let (from, cursor) = &mut self.last;
        cursor.pass(&self.source.text.as_bytes()[*from..offset]);
        *from = offset;
        *cursor
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_too_large_once_a_place_in_it_is() {
        let mut notes = Notes {
            whole: 0,
            source: SourceId::default(),
            places: Vec::new(),
            too_large: false,
            snapshot: &mut Snapshot::default(),
            findings: &mut Vec::new(),
        };
        let near_the_end = Cursor {
            offset: u64::from(u32::MAX) - 5,
            ..Cursor::START
        };
        notes.span(near_the_end, 5);
        assert!(!notes.too_large);
        notes.span(near_the_end, 6);
        notes.span(Cursor::START, 1);
        assert!(notes.too_large);
    }
}
