//! Brackets and braces that open and close on one line, with plain or quoted scalars and other such
//! collections in them. It gives up at comments, at keys without a value and elements that are
//! pairs, at commas before the closing bracket, and wherever a line ends inside.

use super::token::{Token, flow_token};
use super::{Reader, blanks};
use crate::yaml::Kind;
use crate::yaml::split::offset;

/// Deeper brackets are left to the full reader.
const DEEPEST: usize = 50;

impl Reader {
    /// Reads the collection whose bracket stands at `at`; behind its closing one.
    pub(super) fn flow(&mut self, text: &str, at: usize, depth: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        let (kind, close) = match bytes[at] {
            b'{' => (Kind::Mapping, b'}'),
            _ => (Kind::Sequence, b']'),
        };
        if depth > DEEPEST {
            return None;
        }
        let node = self.nodes.len();
        self.push(kind, at, at);
        self.nodes[node].flow = true;
        let mut next = at + 1 + blanks(&bytes[at + 1..]);
        if *bytes.get(next)? != close {
            loop {
                if kind == Kind::Mapping {
                    let key = flow_token(bytes, next)?;
                    if !key.key {
                        return None;
                    }
                    self.flow_scalar(text, &key);
                    next = key.end + 1;
                    next += blanks(&bytes[next..]);
                }
                next = self.flow_value(text, next, depth)?;
                next += blanks(&bytes[next..]);
                match *bytes.get(next)? {
                    b',' => next += 1 + blanks(&bytes[next + 1..]),
                    found if found == close => break,
                    _ => return None,
                }
            }
        }
        let count = offset(self.nodes.len());
        let node = &mut self.nodes[node];
        (node.next, node.end) = (count, offset(next + 1));
        Some(next + 1)
    }

    fn flow_value(&mut self, text: &str, at: usize, depth: usize) -> Option<usize> {
        if matches!(text.as_bytes().get(at)?, b'[' | b'{') {
            return self.flow(text, at, depth + 1);
        }
        let token = flow_token(text.as_bytes(), at)?;
        if token.key {
            return None;
        }
        self.flow_scalar(text, &token);
        Some(token.end)
    }

    fn flow_scalar(&mut self, text: &str, token: &Token) {
        self.push(token.kind, token.start, token.end);
        let node = self.nodes.len() - 1;
        self.nodes[node].flow = true;
        if token.escapes {
            self.unescape(text, token);
        }
    }
}
