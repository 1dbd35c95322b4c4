//! Reading character classes: `[…]`, `\d` and its like, `\pL` and its like.
//!
//! After Go's `regexp/syntax` (1.25). What a class matches is in `translate`.

use super::fault::{Code, Fault};
use super::parse::Parser;
use super::syntax::{Class, Item};
use super::unicode::Property;

/// ASCII ranges, both ends included.
type Ranges = &'static [(u8, u8)];

const DIGIT: Ranges = &[(b'0', b'9')];
const SPACE: Ranges = &[(b'\t', b'\n'), (0x0C, b'\r'), (b' ', b' ')];
const WORD: Ranges = &[(b'0', b'9'), (b'A', b'Z'), (b'_', b'_'), (b'a', b'z')];

const POSIX: [(&str, Ranges); 14] = [
    ("alnum", &[(b'0', b'9'), (b'A', b'Z'), (b'a', b'z')]),
    ("alpha", &[(b'A', b'Z'), (b'a', b'z')]),
    ("ascii", &[(0, 0x7F)]),
    ("blank", &[(b'\t', b'\t'), (b' ', b' ')]),
    ("cntrl", &[(0, 0x1F), (0x7F, 0x7F)]),
    ("digit", DIGIT),
    ("graph", &[(b'!', b'~')]),
    ("lower", &[(b'a', b'z')]),
    ("print", &[(b' ', b'~')]),
    (
        "punct",
        &[(b'!', b'/'), (b':', b'@'), (b'[', b'`'), (b'{', b'~')],
    ),
    ("space", &[(b'\t', b'\r'), (b' ', b' ')]),
    ("upper", &[(b'A', b'Z')]),
    ("word", WORD),
    ("xdigit", &[(b'0', b'9'), (b'A', b'F'), (b'a', b'f')]),
];

impl Parser<'_> {
    /// The class that starts with the `[` at `start`, and the byte after it.
    pub(super) fn bracketed(&self, start: usize) -> Result<(Class, usize), Fault> {
        let text = self.expression();
        let mut at = start + 1;
        let negated = text[at..].starts_with('^');
        at += usize::from(negated);
        let mut items = Vec::new();
        let mut first = true;
        while first || !text[at..].starts_with(']') {
            first = false;
            if let Some((item, after)) = self.named(at)? {
                items.push(item);
                at = after;
                continue;
            }
            if let Some((item, after)) = self.class_escape(at)? {
                items.push(item);
                at = after;
                continue;
            }
            let from = at;
            let (low, after) = self.class_character(at, start)?;
            at = after;
            let mut high = low;
            let rest = &text[at..];
            if rest.len() >= 2 && rest.starts_with('-') && !rest.starts_with("-]") {
                (high, at) = self.class_character(at + 1, start)?;
                if high < low {
                    return Err(Fault::new(Code::CharRange, from..at));
                }
            }
            items.push(Item::Range(low, high));
        }
        Ok((
            Class {
                items,
                negated,
                fold: self.flags().fold,
            },
            at + 1,
        ))
    }

    fn class_character(&self, at: usize, class: usize) -> Result<(u32, usize), Fault> {
        match self.character(at) {
            None => Err(Fault::new(
                Code::MissingBracket,
                class..self.expression().len(),
            )),
            Some(('\\', _)) => self.escape(at),
            Some((letter, after)) => Ok((letter.into(), after)),
        }
    }

    /// A class such as `[:alpha:]` at `at`; without a `:]` behind it, `[` is a character.
    fn named(&self, at: usize) -> Result<Option<(Item, usize)>, Fault> {
        let Some(rest) = self.expression()[at..].strip_prefix("[:") else {
            return Ok(None);
        };
        let Some(length) = rest.find(":]") else {
            return Ok(None);
        };
        let after = at + length + 4;
        let name = &rest[..length];
        let (name, negated) = name
            .strip_prefix('^')
            .map_or((name, false), |name| (name, true));
        match POSIX.iter().find(|row| row.0 == name) {
            Some(&(_, ranges)) => Ok(Some((Item::Ascii(ranges, negated), after))),
            None => Err(Fault::new(Code::CharRange, at..after)),
        }
    }

    /// A class such as `\d` or `\pL` at `at`.
    pub(super) fn class_escape(&self, at: usize) -> Result<Option<(Item, usize)>, Fault> {
        let rest = &self.expression()[at..];
        let mut letters = rest.chars();
        let (Some('\\'), Some(letter)) = (letters.next(), letters.next()) else {
            return Ok(None);
        };
        let ranges = match letter {
            'd' | 'D' => DIGIT,
            's' | 'S' => SPACE,
            'w' | 'W' => WORD,
            'p' | 'P' => return self.property(at).map(Some),
            _ => return Ok(None),
        };
        Ok(Some((
            Item::Ascii(ranges, letter.is_ascii_uppercase()),
            at + 2,
        )))
    }

    fn property(&self, start: usize) -> Result<(Item, usize), Fault> {
        let text = self.expression();
        let mut negated = text[start..].starts_with(r"\P");
        let (name, after) = match self.character(start + 2) {
            Some(('{', open)) => match text[open..].find('}') {
                Some(length) => (&text[open..open + length], open + length + 1),
                None => return Err(Fault::new(Code::CharRange, start..text.len())),
            },
            Some((_, after)) => (&text[start + 2..after], after),
            None => ("", text.len()),
        };
        let name = name
            .strip_prefix('^')
            .inspect(|_| negated = !negated)
            .unwrap_or(name);
        match Property::named(name) {
            Some(property) => Ok((Item::Unicode(property, negated), after)),
            None => Err(Fault::new(Code::CharRange, start..after)),
        }
    }
}
