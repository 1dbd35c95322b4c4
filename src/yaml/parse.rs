//! Text to tree: the only file that names yaml-rust2. Its events become nodes with byte spans.
//!
//! # Why it is done this way
//!
//! A marker's line and column are right for the start of every token, its index is not; so places
//! are computed from line and column. The events name neither anchors nor where tags, anchors and
//! block headers stand, nor where a token ends; [`super::token`] finds these in the text. The
//! loader of the library recurses and is not used. What Go's reader refuses although yaml-rust2
//! reads it is refused in [`super::strict`].

use std::sync::Arc;

use yaml_rust2::Event;
use yaml_rust2::parser::{Parser, Tag};
use yaml_rust2::scanner::{Marker, ScanError};

use super::split::{Piece, offset, pieces};
use super::strict;
use super::token;
use super::{Doc, Extra, Kind, NodeData, NodeId, Properties, Text, Traits, plain, traits};
use crate::source::{Source, Span};

/// How deep a document may nest: go-yaml's limit (yaml.v3 v3.0.4 `max_indents`, `max_flow_level`).
pub(crate) const MAX_DEPTH: usize = 10_000;

/// Why a piece cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Malformed {
    /// Where.
    pub(crate) span: Span,
    /// What is wrong.
    pub(crate) message: String,
    /// How to mend it, where that is known.
    pub(crate) help: Option<String>,
}

impl Malformed {
    /// A fault at a byte of a source.
    pub(crate) fn at(source: &Source, place: usize, message: impl Into<String>) -> Malformed {
        let place = place.min(source.text.len());
        let next = source.text[place..]
            .chars()
            .next()
            .filter(|&found| found != '\n');
        let end = place + next.map_or(0, char::len_utf8);
        let span = Span {
            source: source.id,
            start: offset(place),
            end: offset(end),
        };
        Malformed {
            span,
            message: message.into(),
            help: None,
        }
    }

    /// The same fault with a remedy.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Malformed {
        self.help = Some(help.into());
        self
    }
}

/// Which readers are asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Reading {
    /// The quick reader, and where it gives up the full one. What comes out is the same.
    #[default]
    Quick,
    /// The full reader alone.
    Full,
}

/// Reads piece after piece, with room that is used again.
pub(crate) struct PieceReader {
    reading: Reading,
    quick: plain::Reader,
}

impl PieceReader {
    /// A reader of this way.
    pub(crate) fn new(reading: Reading) -> PieceReader {
        PieceReader {
            reading,
            quick: plain::Reader::default(),
        }
    }

    /// Reads the first document of a piece. What stands behind a `...` is in [`Doc::dropped`].
    pub(crate) fn read(&mut self, source: &Arc<Source>, piece: Piece) -> Result<Doc, Malformed> {
        if self.reading == Reading::Quick
            && let Some(doc) = self.quick.read(source, piece)
        {
            return Ok(doc);
        }
        read_full(source, piece)
    }
}

/// Reads one piece by itself: see [`PieceReader::read`].
pub(crate) fn read_piece(source: &Arc<Source>, piece: Piece) -> Result<Doc, Malformed> {
    PieceReader::new(Reading::default()).read(source, piece)
}

/// Reads every piece of a source; a piece that cannot be read does not stop the others.
pub(crate) fn read_all(source: &Arc<Source>) -> Vec<Result<Doc, Malformed>> {
    pieces(source)
        .into_iter()
        .map(|piece| read_full(source, piece))
        .collect()
}

/// Reads the first document of a piece with the full reader.
pub(super) fn read_full(source: &Arc<Source>, piece: Piece) -> Result<Doc, Malformed> {
    strict::check_text(source, piece)?;
    let doc = mend::document(source, piece)?;
    strict::check_doc(&doc)?;
    Ok(doc)
}

/// Reads the first document of a whole text, as the legacy filter does: what stands behind it may
/// even be broken, and directives before its `---` are its own.
#[cfg(any(test, feature = "laws"))]
pub(crate) fn read_first(source: &Arc<Source>) -> Result<Doc, Malformed> {
    let end = offset(source.text.len());
    read_full(
        source,
        Piece {
            start: 0,
            end,
            bad_separator: None,
        },
    )
}

/// Why the parser does not go on, and what would make it.
struct Refused {
    fault: Malformed,
    mend: Option<Mend>,
}

/// A form that can be written another way of the same length, by its place in the source.
enum Mend {
    /// Behind a colon stands a tab; the place is behind it.
    Tab(usize),
    /// A comment begins without a blank before it.
    Comment(usize),
}

impl From<Malformed> for Refused {
    fn from(fault: Malformed) -> Refused {
        Refused { fault, mend: None }
    }
}

/// A collection whose end has not come yet.
struct Open {
    node: usize,
    /// Where a bracket or brace opened it.
    bracket: Option<usize>,
    /// How many children have come.
    children: usize,
}

struct Builder<'s> {
    source: &'s Arc<Source>,
    bytes: &'s [u8],
    piece: Piece,
    /// Where the parser's text begins: behind a byte order mark.
    base: usize,
    /// The start of each line met so far.
    lines: Vec<usize>,
    nodes: Vec<NodeData>,
    extras: Vec<Extra>,
    decoded: String,
    properties: Vec<Properties>,
    /// The nodes that anchors stand on, by the parser's numbers less one.
    anchors: Vec<NodeId>,
    open: Vec<Open>,
    /// One past the last token taken.
    cursor: usize,
}

impl<'s> Builder<'s> {
    fn new(source: &'s Arc<Source>, piece: Piece) -> Builder<'s> {
        let bytes = &source.text.as_bytes()[..piece.end as usize];
        let start = piece.start as usize;
        let base = if bytes[start..].starts_with(b"\xEF\xBB\xBF") {
            start + 3
        } else {
            start
        };
        Builder {
            source,
            bytes,
            piece,
            base,
            lines: vec![base],
            nodes: Vec::new(),
            extras: Vec::new(),
            decoded: String::new(),
            properties: Vec::new(),
            anchors: Vec::new(),
            open: Vec::new(),
            cursor: base,
        }
    }

    /// Reads the first document. The parser sees `mended` where that is given: a text that differs
    /// from the piece's in blanks alone.
    fn document(mut self, mended: Option<&str>) -> Result<Doc, Refused> {
        let source = self.source;
        let text = mended.unwrap_or(&source.text[self.base..self.piece.end as usize]);
        let mut parser = Parser::new_from_str(text);
        let mut dropped = None;
        loop {
            let (event, mark) = match parser.next_token() {
                Ok(next) => next,
                Err(error) => return Err(self.refused(&error)),
            };
            match event {
                Event::StreamEnd => break,
                Event::DocumentEnd => {
                    dropped = match parser.next_token() {
                        Ok((Event::StreamEnd, _)) => None,
                        Ok((_, mark)) => Some(self.place(&mark)),
                        Err(error) => Some(self.place(error.marker())),
                    };
                    break;
                }
                Event::StreamStart | Event::Nothing => {}
                Event::DocumentStart => {
                    let place = self.place(&mark);
                    if self.bytes[place..].starts_with(b"---") {
                        self.cursor = place + 3;
                    }
                }
                event => self.event(event, &mark)?,
            }
        }
        let mut doc = Doc {
            source: Arc::clone(self.source),
            start: self.piece.start,
            end: self.piece.end,
            dropped: dropped.map(offset),
            nodes: self.nodes.into(),
            extras: self.extras.into(),
            decoded: self.decoded.into(),
            properties: self.properties.into(),
            traits: Traits::default(),
        };
        doc.traits = traits::of(&doc);
        Ok(doc)
    }

    /// The byte that a marker means.
    fn place(&mut self, mark: &Marker) -> usize {
        while self.lines.len() < mark.line() {
            let last = *self
                .lines
                .last()
                .expect("the first line is there from the start");
            let end = token::line_end(self.bytes, last);
            if end >= self.bytes.len() {
                return self.bytes.len();
            }
            self.lines.push(token::next_line(self.bytes, last));
        }
        let start = self.lines[mark.line().max(1) - 1];
        let line = &self.source.text[start..self.bytes.len()];
        let in_line = if line.as_bytes().iter().take(mark.col()).all(u8::is_ascii) {
            mark.col()
        } else {
            line.char_indices()
                .nth(mark.col())
                .map_or(line.len(), |(at, _)| at)
        };
        (start + in_line).min(self.bytes.len())
    }

    fn refused(&mut self, error: &ScanError) -> Refused {
        let place = self.place(error.marker());
        let mend = match error.info() {
            "':' must be followed by a valid YAML whitespace" => Some(Mend::Tab(place)),
            "comments must be separated from other tokens by whitespace" => {
                Some(Mend::Comment(place))
            }
            _ => None,
        };
        Refused {
            fault: self.malformed(error.info(), place),
            mend,
        }
    }

    fn malformed(&self, info: &str, place: usize) -> Malformed {
        if strict::is_unknown_form(info, self.source, self.piece) {
            let message = format!("a form that forebay's YAML reader does not know: {info}");
            return Malformed::at(self.source, place, message).help(
                "Go's reader may take it; write it the plain way, with line feeds and blanks",
            );
        }
        Malformed::at(self.source, place, format!("not YAML: {info}"))
    }

    fn event(&mut self, event: Event, mark: &Marker) -> Result<(), Malformed> {
        let place = self.place(mark);
        self.settle_bracket(place);
        match event {
            Event::Scalar(value, style, anchor, tag) => {
                self.scalar(&value, style, place, mark.col(), anchor, tag.as_ref());
            }
            Event::Alias(target) => {
                let end = token::property_end(self.bytes, place + 1);
                let text = Text::Target(self.anchors[target - 1]);
                self.add(Kind::Alias, place, end, text, 0);
                self.cursor = end;
            }
            Event::SequenceStart(anchor, tag) => {
                self.start(Kind::Sequence, place, b'[', anchor, tag.as_ref())?;
            }
            Event::MappingStart(anchor, tag) => {
                self.start(Kind::Mapping, place, b'{', anchor, tag.as_ref())?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.finish(place),
            _ => unreachable!("document and stream events are handled by the caller"),
        }
        Ok(())
    }

    /// Of `[{a: b}: c]` the pair begins at the same brace as its key: a mapping whose first child
    /// stands on the brace itself has no brace of its own.
    fn settle_bracket(&mut self, place: usize) {
        if let Some(open) = self.open.last_mut()
            && open.children == 0
            && open.bracket == Some(place)
        {
            open.bracket = None;
            self.cursor = place;
        }
    }

    fn start(
        &mut self,
        kind: Kind,
        place: usize,
        bracket: u8,
        anchor: usize,
        tag: Option<&Tag>,
    ) -> Result<(), Malformed> {
        if self.open.len() >= MAX_DEPTH {
            let message = format!("nested deeper than {MAX_DEPTH} levels, which is Go's limit");
            return Err(Malformed::at(self.source, place, message));
        }
        let properties = self.take_properties(place, anchor, tag);
        // Of `- []` the outer sequence's marker may be that of the bracket.
        let own = kind == Kind::Mapping || self.first_dash(place).is_none();
        let bracket = (self.bytes.get(place) == Some(&bracket) && own).then_some(place);
        let by_lines = kind == Kind::Sequence && bracket.is_none();
        let place = if by_lines {
            self.first_dash(self.bytes.len()).unwrap_or(place)
        } else {
            place
        };
        let node = self.add(kind, place, place, Text::Written, properties);
        self.nodes[node].flow |= bracket.is_some();
        if anchor > 0 {
            self.anchors.push(NodeId(offset(node)));
        }
        if bracket.is_some() || by_lines {
            self.cursor = (place + 1).min(self.bytes.len());
        }
        self.open.push(Open {
            node,
            bracket,
            children: 0,
        });
        Ok(())
    }

    fn finish(&mut self, place: usize) {
        let Some(open) = self.open.pop() else { return };
        let next = offset(self.nodes.len());
        let node = &mut self.nodes[open.node];
        node.next = next;
        if open.bracket.is_some() {
            node.end = offset(place + 1);
            self.cursor = place + 1;
        }
        let end = node.end;
        if let Some(parent) = self.open.last() {
            let parent = &mut self.nodes[parent.node];
            parent.end = parent.end.max(end);
        }
    }

    /// A collection begins no later than its first child, whose own start may have moved forward
    /// with that of a key.
    fn widen_to_first_child(&mut self) {
        let mut inner: Option<u32> = None;
        for open in self.open.iter().rev() {
            let node = &mut self.nodes[open.node];
            node.start = inner.map_or(node.start, |start| start.min(node.start));
            if open.children != 1 {
                break;
            }
            inner = Some(node.start);
        }
    }

    /// Adds a node below the innermost open collection.
    fn add(&mut self, kind: Kind, start: usize, end: usize, text: Text, properties: u32) -> usize {
        let mut flow = false;
        if let Some(open) = self.open.last_mut() {
            let parent = &mut self.nodes[open.node];
            flow = parent.flow;
            if open.children == 0 && open.bracket.is_none() && parent.kind == Kind::Mapping {
                let written = (properties > 0)
                    .then(|| &self.properties[properties as usize - 1])
                    .into_iter()
                    .flat_map(|found| [found.anchor_span, found.tag_span])
                    .flatten()
                    .map(|(start, _)| start)
                    .min();
                parent.start = written.unwrap_or(offset(start)).min(offset(start));
            }
            open.children += 1;
            parent.end = parent.end.max(offset(end));
        }
        self.widen_to_first_child();
        let node = self.nodes.len();
        let (start, end) = (offset(start), offset(end));
        let written = match (kind, text) {
            (_, Text::Written) => true,
            (Kind::Plain, Text::Source(from, to)) => (from, to) == (start, end),
            (Kind::SingleQuoted | Kind::DoubleQuoted, Text::Source(from, to)) => {
                (from, to + 1) == (start + 1, end)
            }
            _ => false,
        };
        let extra = !written || properties > 0;
        if extra {
            let text = if written { Text::Written } else { text };
            self.extras.push(Extra {
                node: offset(node),
                text,
                properties,
            });
        }
        self.nodes.push(NodeData {
            start,
            end,
            next: offset(node + 1),
            kind,
            flow,
            extra,
        });
        node
    }
}

/// A tag as Go's reader shows it: YAML's own with `!!` (yaml.v3 `shortTag`).
fn short_tag(tag: &Tag) -> String {
    match tag.handle.as_str() {
        "tag:yaml.org,2002:" => format!("!!{}", tag.suffix),
        handle => match format!("{handle}{}", tag.suffix) {
            whole if whole.starts_with("tag:yaml.org,2002:") => {
                whole.replacen("tag:yaml.org,2002:", "!!", 1)
            }
            whole => whole,
        },
    }
}

#[cfg(any(test, feature = "laws"))]
pub(crate) mod law;
mod mend;
mod scalars;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod vectors;
