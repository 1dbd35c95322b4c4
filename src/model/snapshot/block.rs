//! A large listing in YAML, cut into its objects by lines, so that one at a time is parsed: the
//! shape that kubectl prints, a mapping with `items:` at its left edge and a block list under it.
//!
//! Whatever is not of that shape stays together as the rest of its document, for the full reader.
//! Lines under `data:`, `stringData:` and `binaryData:` of an object are passed over: an empty line
//! stands for each, so that places stay true.

use std::io::{self, BufRead};

use super::json::Cursor;

/// A part of a text that is YAML by itself: an item as a list of one, or a document without those.
#[derive(Debug)]
pub(super) struct Part {
    /// Its lines.
    pub(super) text: Vec<u8>,
    /// Where it begins.
    pub(super) start: Cursor,
}

/// The fields whose lines are passed over.
const PAYLOADS: [&[u8]; 3] = [b"data:", b"stringData:", b"binaryData:"];

/// Where the cutter is.
enum State {
    /// In lines that belong to no item.
    Outside,
    /// Behind `items:`.
    Opened,
    /// In a list whose dashes stand in this column, in an object whose keys stand in the next one.
    Inside(usize, usize),
}

/// Cuts a text into parts, each handed to `each` in turn; an error of that or of the reader ends it.
pub(super) fn cut(
    reader: &mut dyn BufRead,
    start: Cursor,
    each: &mut dyn FnMut(Part) -> io::Result<()>,
) -> io::Result<()> {
    let mut cutter = Cutter {
        state: State::Outside,
        payload: None,
        item: None,
        rest: Part {
            text: Vec::new(),
            start,
        },
        each,
    };
    let mut cursor = start;
    let mut line = Vec::new();
    while reader.read_until(b'\n', &mut line)? > 0 {
        cutter.line(&mut line, cursor)?;
        cursor.offset += line.len() as u64;
        cursor.place.line += 1;
        line.clear();
    }
    cutter.end_document(cursor)
}

struct Cutter<'e> {
    state: State,
    /// The column of the key whose lines are passed over.
    payload: Option<usize>,
    item: Option<Part>,
    rest: Part,
    each: &'e mut dyn FnMut(Part) -> io::Result<()>,
}

impl Cutter<'_> {
    fn line(&mut self, line: &mut [u8], cursor: Cursor) -> io::Result<()> {
        let marker = line.starts_with(b"---") || line.starts_with(b"...");
        if marker && line.get(3).is_none_or(u8::is_ascii_whitespace) {
            self.end_document(cursor)?;
            // What stands behind the marker belongs to the new document.
            line[..3].fill(b' ');
        }
        let indent = line.iter().take_while(|byte| **byte == b' ').count();
        let text = line[indent..].trim_ascii_end();
        if self
            .payload
            .is_some_and(|key| indent > key || text.is_empty())
        {
            self.current().push(b'\n');
            return Ok(());
        }
        if text.is_empty() || text.starts_with(b"#") {
            self.current().extend_from_slice(line);
            return Ok(());
        }
        self.payload = None;
        let dash = text == b"-" || text.starts_with(b"- ");
        let opens = match self.state {
            State::Opened => dash,
            State::Inside(column, _) => dash && indent == column,
            State::Outside => false,
        };
        if opens {
            self.end_item()?;
            let blanks = text[1..].iter().take_while(|byte| **byte == b' ').count();
            let key = indent + 1 + blanks;
            self.state = State::Inside(indent, key);
            self.item = Some(Part {
                text: line.to_vec(),
                start: cursor,
            });
            self.enter_payload(key, &text[1 + blanks..]);
            return Ok(());
        }
        match self.state {
            State::Inside(column, key) if indent > column => {
                self.current().extend_from_slice(line);
                if indent == key {
                    self.enter_payload(key, text);
                }
            }
            _ => {
                self.end_item()?;
                self.state = if indent == 0 && text == b"items:" {
                    State::Opened
                } else {
                    State::Outside
                };
                self.rest.text.extend_from_slice(line);
                if indent == 0 {
                    self.enter_payload(0, text);
                }
            }
        }
        Ok(())
    }

    fn enter_payload(&mut self, column: usize, text: &[u8]) {
        if PAYLOADS.contains(&text) {
            self.payload = Some(column);
        }
    }

    fn current(&mut self) -> &mut Vec<u8> {
        match &mut self.item {
            Some(item) => &mut item.text,
            None => &mut self.rest.text,
        }
    }

    fn end_item(&mut self) -> io::Result<()> {
        match self.item.take() {
            Some(item) => (self.each)(item),
            None => Ok(()),
        }
    }

    fn end_document(&mut self, next: Cursor) -> io::Result<()> {
        self.end_item()?;
        self.state = State::Outside;
        self.payload = None;
        let fresh = Part {
            text: Vec::new(),
            start: next,
        };
        (self.each)(std::mem::replace(&mut self.rest, fresh))
    }
}

#[cfg(test)]
mod tests;
