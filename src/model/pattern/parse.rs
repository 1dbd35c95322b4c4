//! Reading an expression as Go's `regexp.Compile` does (Perl syntax of `regexp/syntax`, 1.25).
//!
//! Classes are read in `class`, the tree is put together in `stack`.

use std::ops::Range;

use super::fault::{Code, Fault};
use super::stack::Stack;
use super::syntax::{Class, Flags, Kind, Node, Times};

/// What a piece of an expression means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// This character.
    Text(char),
    /// An unescaped dot.
    Dot,
    /// Nothing of its own: a quoting mark.
    Quote,
    /// Anything else.
    Operator,
}

/// A piece of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) range: Range<usize>,
    pub(super) meaning: Meaning,
}

/// An expression that was read.
#[derive(Debug)]
pub(super) struct Parsed {
    /// What it matches.
    pub(super) root: Node,
    /// What it was written with, in order and without gaps.
    pub(super) pieces: Vec<Piece>,
}

/// Reads a whole expression.
pub(super) fn parse(expression: &str) -> Result<Parsed, Fault> {
    let parser = Parser {
        expression,
        flags: Flags::default(),
        stack: Stack::new(),
        pieces: Vec::new(),
        at: 0,
    };
    parser.run()
}

/// The state of reading.
#[derive(Debug)]
pub(super) struct Parser<'e> {
    expression: &'e str,
    flags: Flags,
    stack: Stack,
    pieces: Vec<Piece>,
    at: usize,
}

impl Parser<'_> {
    /// The whole expression.
    pub(super) fn expression(&self) -> &str {
        self.expression
    }

    /// The flags as they stand.
    pub(super) fn flags(&self) -> Flags {
        self.flags
    }

    /// The character at a byte, and the byte after it.
    pub(super) fn character(&self, at: usize) -> Option<(char, usize)> {
        let letter = self.expression.get(at..)?.chars().next()?;
        Some((letter, at + letter.len_utf8()))
    }

    /// A fault for which Go shows the whole expression.
    fn whole(&self, code: Code) -> Fault {
        Fault::new(code, 0..self.expression.len())
    }

    fn add(&mut self, kind: Kind) -> Result<(), Fault> {
        self.stack.add(kind).map_err(|code| self.whole(code))
    }

    /// Adds a character; a surrogate is a class, as no text has one.
    fn add_code(&mut self, code: u32) -> Result<(), Fault> {
        let fold = self.flags.fold;
        match char::from_u32(code) {
            Some(letter) => self.add(Kind::Literal {
                text: vec![letter],
                fold,
            }),
            None => {
                let items = vec![super::syntax::Item::Range(code, code)];
                self.add(Kind::Class(Class {
                    items,
                    negated: false,
                    fold: false,
                }))
            }
        }
    }

    fn run(mut self) -> Result<Parsed, Fault> {
        let mut last_repeat = None;
        while let Some((letter, after)) = self.character(self.at) {
            let start = self.at;
            self.at = after;
            let mut repeat = None;
            let mut meaning = Meaning::Operator;
            match letter {
                '(' => self.open(start)?,
                '|' => self.stack.bar().map_err(|code| self.whole(code))?,
                ')' => self.flags = self.stack.close().map_err(|code| self.whole(code))?,
                '^' if self.flags.lines => self.add(Kind::BeginLine)?,
                '^' => self.add(Kind::BeginText)?,
                '$' if self.flags.lines => self.add(Kind::EndLine)?,
                '$' => self.add(Kind::EndText)?,
                '.' => {
                    meaning = Meaning::Dot;
                    let any = self.flags.dot_newline;
                    self.add(if any { Kind::Any } else { Kind::AnyNotNewline })?;
                }
                '[' => {
                    let (class, after) = self.bracketed(start)?;
                    self.at = after;
                    if let Some((letter, false)) = class.single() {
                        meaning = Meaning::Text(letter);
                    }
                    self.add(Kind::Class(class))?;
                }
                '*' | '+' | '?' | '{' => match self.times(start, letter)? {
                    Some(times) => {
                        self.repeat(start, times, last_repeat)?;
                        repeat = Some(start);
                    }
                    None => {
                        meaning = Meaning::Text('{');
                        self.add_code('{'.into())?;
                    }
                },
                '\\' => match self.backslash(start)? {
                    Some(escaped) => meaning = escaped,
                    None => {
                        last_repeat = None;
                        continue;
                    }
                },
                _ => {
                    meaning = Meaning::Text(letter);
                    self.add_code(letter.into())?;
                }
            }
            self.pieces.push(Piece {
                range: start..self.at,
                meaning,
            });
            last_repeat = repeat;
        }
        let length = self.expression.len();
        let root = self
            .stack
            .finish()
            .map_err(|code| Fault::new(code, 0..length))?;
        Ok(Parsed {
            root,
            pieces: self.pieces,
        })
    }

    /// The repetition that an operator asks for; none if `{` is a character.
    fn times(&mut self, start: usize, operator: char) -> Result<Option<Times>, Fault> {
        match operator {
            '*' => return Ok(Some(Times::Star)),
            '+' => return Ok(Some(Times::Plus)),
            '?' => return Ok(Some(Times::Quest)),
            _ => {}
        }
        let Some((min, max, after)) = counts(&self.expression[self.at..]) else {
            return Ok(None);
        };
        self.at += after;
        if min > 1000 || max.is_some_and(|max| max > 1000 || min > max) {
            return Err(Fault::new(Code::RepeatSize, start..self.at));
        }
        Ok(Some(Times::Counted { min, max }))
    }

    fn repeat(&mut self, start: usize, times: Times, last: Option<usize>) -> Result<(), Fault> {
        if self.expression[self.at..].starts_with('?') {
            self.at += 1;
        }
        if let Some(last) = last {
            return Err(Fault::new(Code::NestedRepeat, last..self.at));
        }
        self.stack.repeat(times).map_err(|code| match code {
            Code::TooDeep | Code::TooLarge => self.whole(code),
            _ => Fault::new(code, start..self.at),
        })
    }

    /// What a backslash starts; none if it was a quotation, which keeps its own pieces.
    fn backslash(&mut self, start: usize) -> Result<Option<Meaning>, Fault> {
        let kind = match self.character(self.at) {
            Some(('A', _)) => Kind::BeginText,
            Some(('z', _)) => Kind::EndText,
            Some(('b', _)) => Kind::WordBoundary,
            Some(('B', _)) => Kind::NoWordBoundary,
            Some(('C', after)) => return Err(Fault::new(Code::Escape, start..after)),
            Some(('Q', after)) => {
                self.quotation(start, after)?;
                return Ok(None);
            }
            _ => {
                if let Some((item, after)) = self.class_escape(start)? {
                    self.at = after;
                    let fold = self.flags.fold;
                    self.add(Kind::Class(Class {
                        items: vec![item],
                        negated: false,
                        fold,
                    }))?;
                    return Ok(Some(Meaning::Operator));
                }
                let (code, after) = self.escape(start)?;
                self.at = after;
                self.add_code(code)?;
                return Ok(Some(
                    char::from_u32(code).map_or(Meaning::Operator, Meaning::Text),
                ));
            }
        };
        self.at += 1;
        self.add(kind)?;
        Ok(Some(Meaning::Operator))
    }

    /// `\Q…\E`, or to the end.
    fn quotation(&mut self, start: usize, open: usize) -> Result<(), Fault> {
        self.pieces.push(Piece {
            range: start..open,
            meaning: Meaning::Quote,
        });
        let text = self.expression;
        let (length, mark) = match text[open..].find(r"\E") {
            Some(length) => (length, 2),
            None => (text.len() - open, 0),
        };
        for (at, letter) in text[open..open + length].char_indices() {
            self.add_code(letter.into())?;
            let at = open + at;
            let range = at..at + letter.len_utf8();
            self.pieces.push(Piece {
                range,
                meaning: Meaning::Text(letter),
            });
        }
        self.at = open + length + mark;
        let range = open + length..self.at;
        self.pieces.push(Piece {
            range,
            meaning: Meaning::Quote,
        });
        Ok(())
    }

    /// The code point of an escape at `start`, and the byte after it.
    pub(super) fn escape(&self, start: usize) -> Result<(u32, usize), Fault> {
        let end = self.expression.len();
        let Some((letter, after)) = self.character(start + 1) else {
            return Err(Fault::new(Code::TrailingBackslash, end..end));
        };
        let octal = |at| {
            let (digit, after) = self.character(at)?;
            Some((digit.to_digit(8)?, after))
        };
        let code = match letter {
            'x' => return self.hexadecimal(start, after),
            '0'..='7' if letter == '0' || octal(after).is_some() => {
                let (mut code, mut at) = (u32::from(letter) - u32::from('0'), after);
                for _ in 0..2 {
                    let Some((digit, after)) = octal(at) else {
                        break;
                    };
                    code = code * 8 + digit;
                    at = after;
                }
                return Ok((code, at));
            }
            'a' => 0x07,
            'f' => 0x0C,
            'n' => 0x0A,
            'r' => 0x0D,
            't' => 0x09,
            'v' => 0x0B,
            _ if letter.is_ascii() && !letter.is_ascii_alphanumeric() => letter.into(),
            _ => return Err(Fault::new(Code::Escape, start..after)),
        };
        Ok((code, after))
    }

    fn hexadecimal(&self, start: usize, at: usize) -> Result<(u32, usize), Fault> {
        let fault = |at| Fault::new(Code::Escape, start..at);
        let (first, mut at) = self.character(at).ok_or_else(|| fault(at))?;
        if first != '{' {
            let (second, after) = self.character(at).ok_or_else(|| fault(at))?;
            return match (first.to_digit(16), second.to_digit(16)) {
                (Some(high), Some(low)) => Ok((high * 16 + low, after)),
                _ => Err(fault(after)),
            };
        }
        let mut code = 0;
        let mut digits = 0;
        loop {
            let (letter, after) = self.character(at).ok_or_else(|| fault(at))?;
            at = after;
            if letter == '}' && digits > 0 {
                return Ok((code, at));
            }
            code = code * 16 + letter.to_digit(16).ok_or_else(|| fault(at))?;
            digits += 1;
            if code > u32::from(char::MAX) {
                return Err(fault(at));
            }
        }
    }

    /// A group or a change of flags.
    fn open(&mut self, start: usize) -> Result<(), Fault> {
        let text = self.expression;
        let rest = &text[start..];
        if !rest.starts_with("(?") {
            self.stack.open(true, self.flags);
            return Ok(());
        }
        let named = [("(?P<", 4), ("(?<", 3)]
            .into_iter()
            .find(|(mark, _)| rest.starts_with(mark));
        if let Some((_, from)) = named {
            let Some(end) = rest.find('>') else {
                return Err(Fault::new(Code::NamedCapture, start..text.len()));
            };
            let name = rest.get(from..end).unwrap_or_default();
            if name.is_empty() || !name.bytes().all(|b| b == b'_' || b.is_ascii_alphanumeric()) {
                return Err(Fault::new(Code::NamedCapture, start..start + end + 1));
            }
            self.stack.open(true, self.flags);
            self.at = start + end + 1;
            return Ok(());
        }
        let outside = self.flags;
        let mut flags = self.flags;
        let (mut clearing, mut any) = (false, false);
        self.at = start + 2;
        while let Some((letter, after)) = self.character(self.at) {
            self.at = after;
            match letter {
                'i' => flags.fold = !clearing,
                'm' => flags.lines = !clearing,
                's' => flags.dot_newline = !clearing,
                'U' => {}
                '-' if !clearing => {
                    clearing = true;
                    any = false;
                    continue;
                }
                ':' | ')' if !clearing || any => {
                    if letter == ':' {
                        self.stack.open(false, outside);
                    }
                    self.flags = flags;
                    return Ok(());
                }
                _ => break,
            }
            any = true;
        }
        Err(Fault::new(Code::PerlOperator, start..self.at))
    }
}

/// The numbers behind a `{`, and the bytes up to the end of the `}`; a number too long for Go comes
/// back as one that is too large.
fn counts(text: &str) -> Option<(u32, Option<u32>, usize)> {
    let end = text.find('}')?;
    let inside = &text[..end];
    let (min, max) = match inside.split_once(',') {
        None => (number(inside)?, Some(number(inside)?)),
        Some((min, "")) => (number(min)?, None),
        Some((min, max)) => (number(min)?, Some(number(max)?)),
    };
    Some((min, max, end + 1))
}

fn number(digits: &str) -> Option<u32> {
    let decimal = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let leading_zero = digits.len() > 1 && digits.starts_with('0');
    (decimal && !leading_zero).then(|| digits.parse().unwrap_or(u32::MAX))
}
