//! Scalars and what stands before a node: where a token begins and ends, its text, its tag and
//! anchor. The rest of the reader: [`super`].

use yaml_rust2::parser::Tag;
use yaml_rust2::scanner::TScalarStyle;

use super::super::token::{self, Gap};
use super::super::{Kind, Properties, Text};
use super::{Builder, NodeId, offset, short_tag};

impl Builder<'_> {
    pub(super) fn scalar(
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
                    (
                        Kind::SingleQuoted,
                        token::single_quoted_end(self.bytes, start),
                    )
                } else {
                    (
                        Kind::DoubleQuoted,
                        token::double_quoted_end(self.bytes, start),
                    )
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
                text = if blank {
                    self.decoded(&"\n".repeat(kept))
                } else {
                    self.decoded(value)
                };
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
    pub(super) fn pass_opener(&mut self, place: usize) {
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
            && self
                .bytes
                .get(end)
                .is_none_or(|next| b" \t\r\n,[]{}".contains(next))
        {
            self.cursor = end;
        }
    }

    /// The dash that opens a sequence by lines and stands before `limit`: the marker of such a
    /// sequence may be that of the token behind its dash. Where the sequence is itself an element by
    /// lines, the dash of that element comes before; the first element's has been passed with the
    /// start of its sequence.
    pub(super) fn first_dash(&self, limit: usize) -> Option<usize> {
        let mut at = self.cursor;
        let mut element = self.open.last().is_some_and(|open| {
            let by_lines = self.nodes[open.node].kind == Kind::Sequence && open.bracket.is_none();
            by_lines && open.children > 0
        });
        while let Some(Gap::Indicator(end)) = token::next_gap(self.bytes, at, limit) {
            match self.bytes[end - 1] {
                b'-' if self.bytes[end - 1..].starts_with(b"---") => at = end + 2,
                b'-' if element => (at, element) = (end, false),
                b'-' => return Some(end - 1),
                b':' | b'?' => at = end,
                _ => break,
            }
        }
        None
    }

    pub(super) fn block_header(&mut self, place: usize) -> usize {
        while let Some(gap) = token::next_gap(self.bytes, self.cursor, place + 1) {
            match gap {
                Gap::BlockHeader(at) => return at,
                Gap::Anchor(_, end) | Gap::Tag(_, end) | Gap::Indicator(end) => self.cursor = end,
            }
        }
        place
    }

    /// The text as it stands in the source where it is that, else a copy.
    pub(super) fn text_in(&mut self, start: usize, end: usize, value: &str) -> Text {
        if self.bytes.get(start..end) == Some(value.as_bytes()) {
            Text::Source(offset(start), offset(end))
        } else {
            self.decoded(value)
        }
    }

    pub(super) fn decoded(&mut self, value: &str) -> Text {
        let start = offset(self.decoded.len());
        self.decoded.push_str(value);
        Text::Decoded(start, offset(self.decoded.len()))
    }

    /// Passes over what stands before a node up to its tag and anchor, and keeps these.
    pub(super) fn take_properties(
        &mut self,
        limit: usize,
        anchor: usize,
        tag: Option<&Tag>,
    ) -> u32 {
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
}
