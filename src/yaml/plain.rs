//! The quick reader: block style written the plain way, which nearly all manifests use, read in one
//! pass over the bytes. It gives exactly the [`Doc`] that the full reader ([`super::parse`]) gives,
//! or gives up and leaves the piece to that one.
//!
//! What it knows: mappings and sequences by lines; keys and values on one line, plain or in quotes
//! with the commonest escapes; brackets and braces on one line ([`flow`]); literal blocks (`|`, `|-`, `|+`); comments and blank lines; a
//! `---` that opens the text.
//!
//! It gives up at the first of anything else: tabs, carriage returns, control characters and other
//! line ends; anchors, aliases, tags and directives; `?`; brackets and braces over several
//! lines; folded blocks; rarer escapes; scalars over several lines; whatever would be malformed, so that
//! one reader alone says what is wrong.
//!
//! # Why it can be trusted
//!
//! At each line the open collections say what may stand there ([`Reader::settle`]); nothing is
//! guessed. `plain/law.rs` reads everything at hand, and mutations of it, with both and compares.

use std::sync::Arc;

use super::split::{Piece, offset};
use super::{Doc, Extra, Kind, NodeData, Text, Traits, traits};
use crate::source::Source;
use token::{Token, token};

/// Deeper nesting is left to the full reader, which knows the limit.
const DEEPEST: usize = 1000;

/// A collection by lines whose end has not come yet.
struct Open {
    node: usize,
    column: usize,
    mapping: bool,
    /// Where a value is due: behind the colon or dash that asks for it.
    due: Option<usize>,
}

/// A quick reader with room that is used again from piece to piece.
#[derive(Default)]
pub(super) struct Reader {
    nodes: Vec<NodeData>,
    extras: Vec<Extra>,
    decoded: String,
    open: Vec<Open>,
}

impl Reader {
    /// Reads a piece; `None` where it is not written the plain way.
    pub(super) fn read(&mut self, source: &Arc<Source>, piece: Piece) -> Option<Doc> {
        let bytes = &source.text.as_bytes()[..piece.end as usize];
        if !is_plain_text(&bytes[piece.start as usize..]) {
            return None;
        }
        self.nodes.clear();
        self.extras.clear();
        self.decoded.clear();
        self.open.clear();
        self.lines(&source.text[..piece.end as usize], piece.start as usize)?;
        let mut doc = Doc {
            source: Arc::clone(source),
            start: piece.start,
            end: piece.end,
            dropped: None,
            nodes: self.nodes.as_slice().into(),
            extras: self.extras.as_slice().into(),
            decoded: self.decoded.as_str().into(),
            properties: Box::default(),
            traits: Traits::default(),
        };
        doc.traits = traits::of(&doc);
        Some(doc)
    }

    fn lines(&mut self, text: &str, start: usize) -> Option<()> {
        let bytes = text.as_bytes();
        let mut line = start;
        let mut opened = false;
        while line < bytes.len() {
            let at = line + blanks(&bytes[line..]);
            match bytes.get(at) {
                None => break,
                Some(b'\n') => line = at + 1,
                Some(b'#') => line = next_line(bytes, at),
                Some(_) if at == line && bytes[at..].starts_with(b"---") => {
                    // Only the mark that opens the document, by itself on its line.
                    if opened || !self.nodes.is_empty() {
                        return None;
                    }
                    opened = true;
                    line = line_end(bytes, at + 3)?;
                }
                Some(b'%') if at == line => return None,
                Some(_) if at == line && bytes[at..].starts_with(b"...") => return None,
                Some(_) => {
                    self.settle(at - line, is_dash(bytes, at))?;
                    line = self.line(text, line, at)?;
                }
            }
        }
        while self.open.pop().map(|open| self.close(&open)).is_some() {}
        (!opened || !self.nodes.is_empty()).then_some(())
    }

    /// Closes what ends before a line whose first token stands in this column; `None` where no such
    /// line may stand.
    fn settle(&mut self, column: usize, dash: bool) -> Option<()> {
        while let Some(top) = self.open.last_mut() {
            if top.column < column {
                return top.due.map(|_| ());
            }
            if top.column == column && top.mapping != dash {
                if let Some(place) = top.due.take() {
                    self.add(Kind::Plain, place, place);
                }
                return Some(());
            }
            if top.column == column && top.mapping {
                // Elements may stand as far to the left as the key that they belong to.
                return top.due.map(|_| ());
            }
            let open = self.open.pop()?;
            self.close(&open);
        }
        self.nodes.is_empty().then_some(())
    }

    fn close(&mut self, open: &Open) {
        if let Some(place) = open.due {
            self.push(Kind::Plain, place, place);
            let node = &mut self.nodes[open.node];
            node.end = node.end.max(offset(place));
        }
        let next = offset(self.nodes.len());
        let node = &mut self.nodes[open.node];
        node.next = next;
        let end = node.end;
        if let Some(parent) = self.open.last() {
            self.nodes[parent.node].end = end;
        }
    }

    /// Takes the line whose first token stands at `at`, with the lines of a literal block that it
    /// opens; the start of the line behind it.
    fn line(&mut self, text: &str, line: usize, mut at: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        while is_dash(bytes, at) {
            let column = at - line;
            if !self
                .open
                .last()
                .is_some_and(|top| !top.mapping && top.column == column)
            {
                self.begin(Kind::Sequence, at, column)?;
            }
            self.open.last_mut()?.due = Some(at + 1);
            at += 1;
            let gap = blanks(&bytes[at..]);
            at += gap;
            match bytes.get(at) {
                None | Some(b'\n') => return Some(at + 1),
                Some(b'#') => return Some(next_line(bytes, at)),
                Some(_) => {}
            }
        }
        if matches!(bytes[at], b'|' | b'[' | b'{') {
            return self.value(text, at);
        }
        let token = token(bytes, at)?;
        if !token.key {
            return self.scalar(text, &token);
        }
        let column = at - line;
        if !self
            .open
            .last()
            .is_some_and(|top| top.mapping && top.column == column)
        {
            self.begin(Kind::Mapping, at, column)?;
        }
        self.token(text, &token);
        at = token.end + 1;
        self.open.last_mut()?.due = Some(at);
        at += blanks(&bytes[at..]);
        match bytes.get(at) {
            None | Some(b'\n') => Some(at + 1),
            Some(b'#') => Some(next_line(bytes, at)),
            Some(_) => self.value(text, at),
        }
    }

    /// A value that is due, at `at`; the start of the line behind it.
    fn value(&mut self, text: &str, at: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        match bytes[at] {
            b'|' => return self.literal(text, at),
            b'[' | b'{' => {}
            _ => {
                let token = token(bytes, at)?;
                return if token.key {
                    None
                } else {
                    self.scalar(text, &token)
                };
            }
        }
        self.open.last_mut()?.due.take()?;
        let end = self.flow(text, at, 0)?;
        let top = self.open.last()?.node;
        self.nodes[top].end = offset(end);
        line_end(bytes, end)
    }

    fn scalar(&mut self, text: &str, token: &Token) -> Option<usize> {
        let behind = line_end(text.as_bytes(), token.end)?;
        self.open.last_mut()?.due.take()?;
        self.token(text, token);
        Some(behind)
    }

    /// Adds a scalar, decoded where its quotes hold escapes.
    fn token(&mut self, text: &str, token: &Token) {
        self.add(token.kind, token.start, token.end);
        if token.escapes {
            self.unescape(text, token);
        }
    }

    /// Decodes the scalar that was added last.
    fn unescape(&mut self, text: &str, token: &Token) {
        let from = self.decoded.len();
        let mut inside = text[token.start + 1..token.end - 1].chars();
        while let Some(next) = inside.next() {
            let meant = match (token.kind, next) {
                (Kind::SingleQuoted, '\'') => inside.next(),
                (Kind::DoubleQuoted, '\\') => match inside.next() {
                    Some('n') => Some('\n'),
                    escaped => escaped,
                },
                _ => Some(next),
            };
            self.decoded.extend(meant);
        }
        self.decode(from);
    }

    /// Says that the last node's text is what was decoded from that place on.
    fn decode(&mut self, from: usize) {
        let node = self.nodes.len() - 1;
        self.nodes[node].extra = true;
        self.extras.push(Extra {
            node: offset(node),
            text: Text::Decoded(offset(from), offset(self.decoded.len())),
            properties: 0,
        });
    }

    /// A literal block whose header stands at `at`: its text without the indentation, with the line
    /// ends at its end that the header keeps.
    fn literal(&mut self, text: &str, at: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        let parent = self.open.last()?.column;
        let chomp = bytes
            .get(at + 1)
            .copied()
            .filter(|next| b"+-".contains(next));
        let mut line = line_end(bytes, at + 1 + usize::from(chomp.is_some()))?;
        let start = self.decoded.len();
        let (mut end, mut indent, mut waiting, mut lines) = (line, 0, 0, 0);
        while line < bytes.len() {
            let found = blanks(&bytes[line..]);
            let content = line + found;
            if bytes.get(content)? == &b'\n' {
                // Blanks beyond the indentation are content, and before it is known a fault.
                if found > indent {
                    return None;
                }
                waiting += 1;
                line = content + 1;
                if lines > 0 && (chomp == Some(b'+') || found >= indent) {
                    end = line;
                }
                continue;
            }
            if lines == 0 {
                indent = found;
            }
            if found < indent || indent <= parent {
                break;
            }
            let behind = content + memchr::memchr(b'\n', &bytes[content..])? + 1;
            (0..waiting).for_each(|_| self.decoded.push('\n'));
            waiting = 0;
            self.decoded.push_str(&text[line + indent..behind]);
            lines += 1;
            line = behind;
            end = line;
        }
        if lines == 0 {
            return None;
        }
        match chomp {
            Some(b'-') => _ = self.decoded.pop(),
            Some(_) => (0..waiting).for_each(|_| self.decoded.push('\n')),
            None => {}
        }
        self.open.last_mut()?.due.take()?;
        self.add(Kind::Literal, at, end);
        self.decode(start);
        Some(line)
    }

    /// Opens a collection, as the value that is due or as the root.
    fn begin(&mut self, kind: Kind, at: usize, column: usize) -> Option<()> {
        if self.open.len() >= DEEPEST {
            return None;
        }
        match self.open.last_mut() {
            Some(top) => _ = top.due.take()?,
            None if self.nodes.is_empty() => {}
            None => return None,
        }
        self.add(kind, at, at);
        self.open.push(Open {
            node: self.nodes.len() - 1,
            column,
            mapping: kind == Kind::Mapping,
            due: None,
        });
        Some(())
    }

    /// Adds a node to the innermost open collection.
    fn add(&mut self, kind: Kind, start: usize, end: usize) {
        if let Some(top) = self.open.last() {
            self.nodes[top.node].end = offset(end);
        }
        self.push(kind, start, end);
    }

    fn push(&mut self, kind: Kind, start: usize, end: usize) {
        self.nodes.push(NodeData {
            start: offset(start),
            end: offset(end),
            next: offset(self.nodes.len() + 1),
            kind,
            flow: false,
            extra: false,
        });
    }
}

/// Whether every byte is one that the quick reader need not look at twice: no control character but
/// the line feed, and of what is not ASCII nothing that YAML refuses or takes for a line end.
fn is_plain_text(bytes: &[u8]) -> bool {
    let (mut control, mut high) = (false, false);
    for &byte in bytes {
        control |= byte < b' ' && byte != b'\n' || byte == 0x7F;
        high |= byte >= 0x80;
    }
    if control {
        return false;
    }
    // C1 controls and NEL; LS and PS; byte order marks and what is no character.
    !high
        || !bytes.windows(3).any(|window| {
            matches!(
                window,
                [0xC2, 0x80..0xA0, _] | [0xE2, 0x80, 0xA8 | 0xA9] | [0xEF, _, _]
            )
        }) && !matches!(bytes, [.., 0xC2, 0x80..0xA0])
}

/// How many blanks `bytes` begin with. Lines are indented deep, so eight are looked at together.
fn blanks(bytes: &[u8]) -> usize {
    const BLANKS: u64 = u64::from_le_bytes([b' '; 8]);
    let (eights, _) = bytes.as_chunks();
    for (at, &eight) in eights.iter().enumerate() {
        let other = u64::from_le_bytes(eight) ^ BLANKS;
        if other != 0 {
            return 8 * at + other.trailing_zeros() as usize / 8;
        }
    }
    let rest = &bytes[8 * eights.len()..];
    8 * eights.len() + rest.iter().take_while(|&&byte| byte == b' ').count()
}

fn is_dash(bytes: &[u8], at: usize) -> bool {
    bytes[at] == b'-' && matches!(bytes.get(at + 1), None | Some(b' ' | b'\n'))
}

fn next_line(bytes: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |found| at + found + 1)
}

/// The start of the next line, where nothing but blanks and a comment behind one stands at `at`.
fn line_end(bytes: &[u8], at: usize) -> Option<usize> {
    let gap = blanks(&bytes[at..]);
    match bytes.get(at + gap) {
        None => Some(bytes.len()),
        Some(b'\n') => Some(at + gap + 1),
        Some(b'#') if gap > 0 => Some(next_line(bytes, at)),
        Some(_) => None,
    }
}

mod flow;
#[cfg(test)]
mod law;
mod token;
