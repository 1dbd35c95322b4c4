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
use yaml_rust2::scanner::{Marker, ScanError, TScalarStyle};

use super::split::{Piece, offset, pieces};
use super::strict;
use super::token::{self, Gap};
use super::{Doc, Kind, NodeData, NodeId, Properties, Text};
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
        let next = source.text[place..].chars().next().filter(|&found| found != '\n');
        let end = place + next.map_or(0, char::len_utf8);
        let span = Span { source: source.id, start: offset(place), end: offset(end) };
        Malformed { span, message: message.into(), help: None }
    }

    /// The same fault with a remedy.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Malformed {
        self.help = Some(help.into());
        self
    }
}

/// Reads every piece of a source; a piece that cannot be read does not stop the others.
pub(crate) fn read_all(source: &Arc<Source>) -> Vec<Result<Doc, Malformed>> {
    pieces(source).into_iter().map(|piece| read_piece(source, piece)).collect()
}

/// Reads the first document of a piece. What stands behind a `...` is in [`Doc::dropped`].
pub(crate) fn read_piece(source: &Arc<Source>, piece: Piece) -> Result<Doc, Malformed> {
    strict::check_text(source, piece)?;
    let mut builder = Builder::new(source, piece);
    let doc = builder.document()?;
    strict::check_doc(&doc)?;
    Ok(doc)
}

/// Reads the first document of a whole text, as the legacy filter does: what stands behind it may
/// even be broken, and directives before its `---` are its own.
pub(crate) fn read_first(source: &Arc<Source>) -> Result<Doc, Malformed> {
    let end = offset(source.text.len());
    read_piece(source, Piece { start: 0, end, bad_separator: None })
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
    texts: Vec<Box<str>>,
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
        let base = if bytes[start..].starts_with(b"\xEF\xBB\xBF") { start + 3 } else { start };
        Builder {
            source,
            bytes,
            piece,
            base,
            lines: vec![base],
            nodes: Vec::new(),
            texts: Vec::new(),
            properties: Vec::new(),
            anchors: Vec::new(),
            open: Vec::new(),
            cursor: base,
        }
    }

    fn document(&mut self) -> Result<Doc, Malformed> {
        let source = self.source;
        let text = &source.text[self.base..self.piece.end as usize];
        let mut parser = Parser::new_from_str(text);
        let mut dropped = None;
        loop {
            let (event, mark) = match parser.next_token() {
                Ok(next) => next,
                Err(error) => return Err(self.malformed(&error)),
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
        Ok(Doc {
            source: Arc::clone(self.source),
            start: self.piece.start,
            end: self.piece.end,
            dropped: dropped.map(offset),
            nodes: std::mem::take(&mut self.nodes),
            texts: std::mem::take(&mut self.texts),
            properties: std::mem::take(&mut self.properties),
        })
    }

    /// The byte that a marker means.
    fn place(&mut self, mark: &Marker) -> usize {
        while self.lines.len() < mark.line() {
            let last = *self.lines.last().expect("the first line is there from the start");
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
            line.char_indices().nth(mark.col()).map_or(line.len(), |(at, _)| at)
        };
        (start + in_line).min(self.bytes.len())
    }

    fn malformed(&mut self, error: &ScanError) -> Malformed {
        let place = self.place(error.marker());
        let info = error.info();
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
        let bracket = (self.bytes.get(place) == Some(&bracket)).then_some(place);
        let by_lines = kind == Kind::Sequence && bracket.is_none();
        let place = if by_lines { self.first_dash(place) } else { place };
        let node = self.add(kind, place, place, Text::None, properties);
        self.nodes[node].flow |= bracket.is_some();
        if anchor > 0 {
            self.anchors.push(NodeId(offset(node)));
        }
        if bracket.is_some() || by_lines {
            self.cursor = (place + 1).min(self.bytes.len());
        }
        self.open.push(Open { node, bracket, children: 0 });
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

    fn scalar(
        &mut self,
        value: &str,
        style: TScalarStyle,
        place: usize,
        column: usize,
        anchor: usize,
        tag: Option<&Tag>,
    ) {
        let (kind, start, end, text, properties);
        match style {
            TScalarStyle::Plain if value.is_empty() => {
                kind = Kind::Plain;
                properties = self.take_properties(place, anchor, tag);
                self.pass_opener(place);
                (start, end) = (self.cursor, self.cursor);
                text = Text::Source(offset(start), offset(start));
            }
            TScalarStyle::Plain => {
                kind = Kind::Plain;
                properties = self.take_properties(place, anchor, tag);
                start = place;
                end = token::plain_end(self.bytes, start, value);
                text = self.text_in(start, end, value);
            }
            TScalarStyle::SingleQuoted | TScalarStyle::DoubleQuoted => {
                properties = self.take_properties(place, anchor, tag);
                start = place;
                (kind, end) = if style == TScalarStyle::SingleQuoted {
                    (Kind::SingleQuoted, token::single_quoted_end(self.bytes, start))
                } else {
                    (Kind::DoubleQuoted, token::double_quoted_end(self.bytes, start))
                };
                text = self.text_in(start + 1, end.saturating_sub(1).max(start + 1), value);
            }
            TScalarStyle::Literal | TScalarStyle::Folded => {
                let literal = style == TScalarStyle::Literal;
                kind = if literal { Kind::Literal } else { Kind::Folded };
                properties = self.take_properties(place + 1, anchor, tag);
                start = self.block_header(place);
                let limit = self.bytes.len();
                end = if value.bytes().all(|byte| byte == b'\n') {
                    let line = self.bytes[..place].iter().rposition(|&byte| byte == b'\n');
                    token::next_line(self.bytes, start).max(line.map_or(0, |at| at + 1))
                } else {
                    token::block_end(self.bytes, start, column, limit)
                };
                // Without content a block says nothing but the blank lines that it keeps.
                let written = &self.source.text[start..end];
                let kept = if written.bytes().take(3).any(|byte| byte == b'+') {
                    written.lines().skip(1).count()
                } else {
                    0
                };
                let blank = value.bytes().all(|byte| byte == b'\n');
                text = if blank { self.decoded(&"\n".repeat(kept)) } else { self.decoded(value) };
            }
        }
        let node = self.add(kind, start, end, text, properties);
        if anchor > 0 {
            self.anchors.push(NodeId(offset(node)));
        }
        self.cursor = end;
    }

    /// Passes over the indicator behind which an absent node stands: its colon, dash or `?`, as
    /// far as it has not been passed with a tag or an anchor. The marker of an absent node is that
    /// of its colon or of whatever comes next, and so only bounds where a `?` may stand.
    fn pass_opener(&mut self, place: usize) {
        let Some(open) = self.open.last() else { return };
        let mapping = self.nodes[open.node].kind == Kind::Mapping;
        if mapping && open.children % 2 == 0 {
            let mut at = self.cursor;
            while let Some(Gap::Indicator(end)) = token::next_gap(self.bytes, at, place) {
                at = end;
                if self.bytes[end - 1] == b'?' {
                    self.cursor = end;
                }
            }
            return;
        }
        let opener = if mapping { b':' } else { b'-' };
        if !mapping && open.children == 0 {
            return;
        }
        if let Some(Gap::Indicator(end)) =
            token::next_gap(self.bytes, self.cursor, self.bytes.len())
            && self.bytes[end - 1] == opener
            && self.bytes.get(end).is_none_or(|next| b" \t\r\n,[]{}".contains(next))
        {
            self.cursor = end;
        }
    }

    /// The dash of a sequence by lines: its marker may be that of the token behind the dash.
    fn first_dash(&self, place: usize) -> usize {
        let mut at = self.cursor;
        while let Some(Gap::Indicator(end)) = token::next_gap(self.bytes, at, self.bytes.len()) {
            match self.bytes[end - 1] {
                b'-' if self.bytes[end - 1..].starts_with(b"---") => at = end + 2,
                b'-' => return end - 1,
                b':' | b'?' => at = end,
                _ => break,
            }
        }
        place
    }

    fn block_header(&mut self, place: usize) -> usize {
        while let Some(gap) = token::next_gap(self.bytes, self.cursor, place + 1) {
            match gap {
                Gap::BlockHeader(at) => return at,
                Gap::Anchor(_, end) | Gap::Tag(_, end) | Gap::Indicator(end) => self.cursor = end,
            }
        }
        place
    }

    /// The text as it stands in the source where it is that, else a copy.
    fn text_in(&mut self, start: usize, end: usize, value: &str) -> Text {
        if self.bytes.get(start..end) == Some(value.as_bytes()) {
            Text::Source(offset(start), offset(end))
        } else {
            self.decoded(value)
        }
    }

    fn decoded(&mut self, value: &str) -> Text {
        self.texts.push(value.into());
        Text::Decoded(offset(self.texts.len() - 1))
    }

    /// Passes over what stands before a node up to its tag and anchor, and keeps these.
    fn take_properties(&mut self, limit: usize, anchor: usize, tag: Option<&Tag>) -> u32 {
        if anchor == 0 && tag.is_none() {
            return 0;
        }
        let mut found = Properties {
            tag: tag.map(|tag| short_tag(tag).into_boxed_str()),
            ..Properties::default()
        };
        let complete = |found: &Properties| {
            (anchor == 0 || found.anchor.is_some()) && (tag.is_none() || found.tag_span.is_some())
        };
        while !complete(&found)
            && let Some(gap) = token::next_gap(self.bytes, self.cursor, limit)
        {
            match gap {
                Gap::Anchor(start, end) => {
                    found.anchor = Some(self.source.text[start + 1..end].into());
                    found.anchor_span = Some((offset(start), offset(end)));
                    self.cursor = end;
                }
                Gap::Tag(start, end) => {
                    found.tag_span = Some((offset(start), offset(end)));
                    self.cursor = end;
                }
                Gap::Indicator(end) => self.cursor = end,
                Gap::BlockHeader(_) => break,
            }
        }
        self.properties.push(found);
        offset(self.properties.len())
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
        let next = offset(self.nodes.len() + 1);
        let (start, end) = (offset(start), offset(end));
        self.nodes.push(NodeData { kind, flow, start, end, next, text, properties });
        self.nodes.len() - 1
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

#[cfg(test)]
pub(crate) mod law;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod vectors;
