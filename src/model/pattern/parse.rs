//! Go's regular expressions, read as Go reads them.
//!
//! Source: Go 1.25 `regexp/syntax/parse.go` with the flags of `regexp.Compile` (`syntax.Perl`).

mod class;

use super::PatternError;
use super::ast::{Ast, Class, MAX_HEIGHT};

/// Go's bound on a count and on the product of nested counts.
const MAX_REPEAT: u32 = 1000;

/// What `(?imsU)` sets.
#[derive(Clone, Copy, Debug, Default)]
struct Flags {
    fold: bool,
    multi_line: bool,
    dot_newline: bool,
}

/// A group that is open: what stands before it, and the flags that come back behind it.
struct Group {
    captures: bool,
    flags: Flags,
    alternatives: Vec<Ast>,
    parts: Vec<Ast>,
}

impl Group {
    fn new(captures: bool, flags: Flags) -> Group {
        Group { captures, flags, alternatives: Vec::new(), parts: Vec::new() }
    }

    fn next_alternative(&mut self) {
        let parts = std::mem::take(&mut self.parts);
        self.alternatives.push(concat(parts));
    }

    fn close(mut self) -> Ast {
        self.next_alternative();
        if self.alternatives.len() == 1 {
            self.alternatives.pop().unwrap_or(Ast::Empty)
        } else {
            Ast::Alternate(self.alternatives)
        }
    }
}

/// A concatenation, flat: a group that does not capture leaves no trace.
fn concat(parts: Vec<Ast>) -> Ast {
    let mut flat = Vec::with_capacity(parts.len());
    for part in parts {
        match part {
            Ast::Concat(inner) => flat.extend(inner),
            Ast::Empty => {}
            other => flat.push(other),
        }
    }
    match flat.len() {
        0 => Ast::Empty,
        1 => flat.pop().unwrap_or(Ast::Empty),
        _ => Ast::Concat(flat),
    }
}

fn error<T>(what: &'static str, part: &str) -> Result<T, PatternError> {
    Err(PatternError { what, part: part.to_owned() })
}

/// Reads a whole expression.
pub(super) fn parse(expression: &str) -> Result<Ast, PatternError> {
    let mut parser = Parser {
        whole: expression,
        rest: expression,
        flags: Flags::default(),
        groups: vec![Group::new(false, Flags::default())],
    };
    let tree = parser.run()?;
    if tree.height() > MAX_HEIGHT {
        return error("expression nests too deeply", expression);
    }
    if tree.is_too_large() {
        return error("expression too large", "");
    }
    Ok(tree)
}

struct Parser<'e> {
    whole: &'e str,
    rest: &'e str,
    flags: Flags,
    groups: Vec<Group>,
}

impl<'e> Parser<'e> {
    fn top(&mut self) -> &mut Group {
        self.groups.last_mut().expect("the outermost group is never closed")
    }

    fn push(&mut self, part: Ast) {
        self.top().parts.push(part);
    }

    fn literal(&mut self, code: u32) {
        let fold = self.flags.fold;
        self.push(match char::from_u32(code) {
            Some(found) => Ast::Literal { found, fold },
            None => Ast::Never,
        });
    }

    fn run(&mut self) -> Result<Ast, PatternError> {
        let mut last_repeat: Option<&'e str> = None;
        while let Some(next) = self.rest.chars().next() {
            let before = self.rest;
            let mut repeat = None;
            let width = next.len_utf8();
            match next {
                '(' => self.open()?,
                ')' => self.close(before)?,
                '|' => {
                    self.top().next_alternative();
                    self.rest = &before[1..];
                }
                '^' | '$' | '.' => {
                    self.push(match (next, self.flags) {
                        ('^', Flags { multi_line: false, .. }) => Ast::BeginText,
                        ('^', _) => Ast::BeginLine,
                        ('$', Flags { multi_line: false, .. }) => Ast::EndText,
                        ('$', _) => Ast::EndLine,
                        (_, Flags { dot_newline: true, .. }) => Ast::Any,
                        _ => Ast::AnyButNewline,
                    });
                    self.rest = &before[1..];
                }
                '[' => {
                    let (class, rest) = class::bracketed(before, self.flags.fold)?;
                    self.push(Ast::Class(class));
                    self.rest = rest;
                }
                '*' | '+' | '?' => {
                    let (min, max) = match next {
                        '*' => (0, None),
                        '+' => (1, None),
                        _ => (0, Some(1)),
                    };
                    self.rest = &before[1..];
                    self.repeat(min, max, false, before, last_repeat)?;
                    repeat = Some(before);
                }
                '{' => match counts(before) {
                    Some((min, max, rest)) => {
                        self.rest = rest;
                        let bad = min.is_none_or(|min| {
                            min > MAX_REPEAT
                                || max.is_some_and(|max| {
                                    max.is_none_or(|max| max > MAX_REPEAT || min > max)
                                })
                        });
                        if bad {
                            let part = &before[..before.len() - rest.len()];
                            return error("invalid repeat count", part);
                        }
                        let min = min.unwrap_or_default();
                        self.repeat(min, max.flatten(), true, before, last_repeat)?;
                        repeat = Some(before);
                    }
                    None => {
                        self.literal(u32::from('{'));
                        self.rest = &before[1..];
                    }
                },
                '\\' => self.escape()?,
                other => {
                    self.literal(u32::from(other));
                    self.rest = &before[width..];
                }
            }
            last_repeat = repeat;
        }
        if self.groups.len() > 1 {
            return error("missing closing )", self.whole);
        }
        Ok(self.groups.pop().map_or(Ast::Empty, Group::close))
    }

    fn repeat(
        &mut self,
        min: u32,
        max: Option<u32>,
        counted: bool,
        before: &'e str,
        last_repeat: Option<&'e str>,
    ) -> Result<(), PatternError> {
        if let Some(lazy) = self.rest.strip_prefix('?') {
            self.rest = lazy;
        }
        if let Some(last) = last_repeat {
            let part = &last[..last.len() - self.rest.len()];
            return error("invalid nested repetition operator", part);
        }
        let written = &before[..before.len() - self.rest.len()];
        let Some(part) = self.top().parts.pop() else {
            return error("missing argument to repetition operator", written);
        };
        let part = Ast::Repeat { part: Box::new(part), min, max, counted };
        let counts = counted && (min >= 2 || max.is_some_and(|max| max >= 2));
        if counts && !part.repeats_within(MAX_REPEAT) {
            return error("invalid repeat count", written);
        }
        self.push(part);
        Ok(())
    }

    fn open(&mut self) -> Result<(), PatternError> {
        let before = self.rest;
        if !before.starts_with("(?") {
            self.groups.push(Group::new(true, self.flags));
            self.rest = &before[1..];
            return Ok(());
        }
        let name_at = match before {
            _ if before.len() > 4 && before.starts_with("(?P<") => Some(4),
            _ if before.len() > 3 && before.starts_with("(?<") => Some(3),
            _ => None,
        };
        if let Some(name_at) = name_at {
            let Some(end) = before.find('>') else {
                return error("invalid named capture", before);
            };
            let valid = |byte: u8| byte == b'_' || byte.is_ascii_alphanumeric();
            if end <= name_at || !before[name_at..end].bytes().all(valid) {
                return error("invalid named capture", &before[..=end]);
            }
            self.groups.push(Group::new(true, self.flags));
            self.rest = &before[end + 1..];
            return Ok(());
        }
        self.perl_flags(before)
    }

    /// `(?flags)` and `(?flags:`.
    fn perl_flags(&mut self, before: &'e str) -> Result<(), PatternError> {
        let mut flags = self.flags;
        let (mut set, mut saw) = (true, false);
        for (at, found) in before.char_indices().skip(2) {
            let end = at + found.len_utf8();
            match found {
                'i' => (flags.fold, saw) = (set, true),
                'm' => (flags.multi_line, saw) = (set, true),
                's' => (flags.dot_newline, saw) = (set, true),
                'U' => saw = true,
                '-' if set => (set, saw) = (false, false),
                ':' | ')' if set || saw => {
                    if found == ':' {
                        self.groups.push(Group::new(false, self.flags));
                    }
                    self.flags = flags;
                    self.rest = &before[end..];
                    return Ok(());
                }
                _ => return error("invalid or unsupported Perl syntax", &before[..end]),
            }
        }
        error("missing argument to repetition operator", before)
    }

    fn close(&mut self, before: &'e str) -> Result<(), PatternError> {
        if self.groups.len() == 1 {
            return error("unexpected )", self.whole);
        }
        let group = self.groups.pop().expect("there are at least two");
        self.flags = group.flags;
        let captures = group.captures;
        let inner = group.close();
        self.push(if captures { Ast::Capture(Box::new(inner)) } else { grouped(inner) });
        self.rest = &before[1..];
        Ok(())
    }

    fn escape(&mut self) -> Result<(), PatternError> {
        let before = self.rest;
        let place = match before.as_bytes().get(1) {
            Some(b'A') => Some(Ast::BeginText),
            Some(b'z') => Some(Ast::EndText),
            Some(b'b') => Some(Ast::WordBoundary),
            Some(b'B') => Some(Ast::NoWordBoundary),
            _ => None,
        };
        if let Some(place) = place {
            self.push(place);
            self.rest = &before[2..];
            return Ok(());
        }
        if let Some(quoted) = before.strip_prefix("\\Q") {
            let (literal, rest) = quoted.split_once("\\E").unwrap_or((quoted, ""));
            for found in literal.chars() {
                self.literal(u32::from(found));
            }
            self.rest = rest;
            return Ok(());
        }
        if let Some((item, rest)) = class::escaped(before)? {
            let fold = self.flags.fold;
            self.push(Ast::Class(Class { negated: false, fold, items: vec![item] }));
            self.rest = rest;
            return Ok(());
        }
        let (code, rest) = class::escaped_character(before)?;
        self.literal(code);
        self.rest = rest;
        Ok(())
    }
}

/// A group that does not capture, as one part: a repetition behind it takes all of it.
fn grouped(inner: Ast) -> Ast {
    match inner {
        Ast::Empty => Ast::Concat(Vec::new()),
        other => other,
    }
}

/// `{min}`, `{min,}` or `{min,max}`: an absent `min` or inner `max` is a number too large. `None`
/// where the brace opens no count and is a literal.
#[expect(clippy::type_complexity, reason = "the three parts are taken apart at once")]
fn counts(text: &str) -> Option<(Option<u32>, Option<Option<u32>>, &str)> {
    let number = |text: &str| -> Option<(Option<u32>, usize)> {
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 || digits > 1 && text.starts_with('0') {
            return None;
        }
        Some((text[..digits].parse().ok(), digits))
    };
    let rest = text.strip_prefix('{')?;
    let (min, width) = number(rest)?;
    let rest = &rest[width..];
    if let Some(rest) = rest.strip_prefix('}') {
        return Some((min, Some(min), rest));
    }
    let rest = rest.strip_prefix(',')?;
    if let Some(rest) = rest.strip_prefix('}') {
        return Some((min, None, rest));
    }
    let (max, width) = number(rest)?;
    let rest = rest[width..].strip_prefix('}')?;
    Some((min, Some(max), rest))
}
