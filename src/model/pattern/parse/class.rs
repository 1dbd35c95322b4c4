//! Character classes and escapes.
//!
//! Source: Go 1.25 `regexp/syntax/parse.go` (`parseClass`, `parseEscape`, `unicodeTable`),
//! `perl_groups.go`.

use super::super::PatternError;
use super::super::ast::{Class, Item};
use super::error;

type Ranges = &'static [(u8, u8)];

const DIGIT: Ranges = &[(b'0', b'9')];
const SPACE: Ranges = &[(b'\t', b'\n'), (0x0C, b'\r'), (b' ', b' ')];
const WORD: Ranges = &[(b'0', b'9'), (b'A', b'Z'), (b'_', b'_'), (b'a', b'z')];

fn named(name: &str) -> Option<Ranges> {
    Some(match name {
        "alnum" => &[(b'0', b'9'), (b'A', b'Z'), (b'a', b'z')],
        "alpha" => &[(b'A', b'Z'), (b'a', b'z')],
        "ascii" => &[(0, 0x7F)],
        "blank" => &[(b'\t', b'\t'), (b' ', b' ')],
        "cntrl" => &[(0, 0x1F), (0x7F, 0x7F)],
        "digit" => DIGIT,
        "graph" => &[(b'!', b'~')],
        "lower" => &[(b'a', b'z')],
        "print" => &[(b' ', b'~')],
        "punct" => &[(b'!', b'/'), (b':', b'@'), (b'[', b'`'), (b'{', b'~')],
        "space" => &[(b'\t', b'\r'), (b' ', b' ')],
        "upper" => &[(b'A', b'Z')],
        "word" => WORD,
        "xdigit" => &[(b'0', b'9'), (b'A', b'F'), (b'a', b'f')],
        _ => return None,
    })
}

/// A class in brackets, and what stands behind it.
pub(super) fn bracketed(whole: &str, fold: bool) -> Result<(Class, &str), PatternError> {
    let mut class = Class { fold, ..Class::default() };
    let mut rest = &whole[1..];
    if let Some(behind) = rest.strip_prefix('^') {
        class.negated = true;
        rest = behind;
    }
    let mut first = true;
    while first || !rest.starts_with(']') {
        first = false;
        if let Some((item, behind)) = posix(rest)? {
            class.items.push(item);
            rest = behind;
            continue;
        }
        if let Some((item, behind)) = escaped(rest)? {
            class.items.push(item);
            rest = behind;
            continue;
        }
        let range = rest;
        let (low, behind) = character(rest, whole)?;
        rest = behind;
        let mut high = low;
        if rest.len() >= 2 && rest.starts_with('-') && !rest.starts_with("-]") {
            (high, rest) = character(&rest[1..], whole)?;
            if high < low {
                let part = &range[..range.len() - rest.len()];
                return error("invalid character class range", part);
            }
        }
        class.items.push(Item::Range(low, high));
    }
    Ok((class, &rest[1..]))
}

fn character<'e>(text: &'e str, whole: &str) -> Result<(u32, &'e str), PatternError> {
    match text.chars().next() {
        None => error("missing closing ]", whole),
        Some('\\') => escaped_character(text),
        Some(found) => Ok((u32::from(found), &text[found.len_utf8()..])),
    }
}

/// `[:name:]` and `[:^name:]`.
fn posix(text: &str) -> Result<Option<(Item, &str)>, PatternError> {
    let Some(inner) = text.strip_prefix("[:") else { return Ok(None) };
    let Some(end) = inner.find(":]") else { return Ok(None) };
    let name = &inner[..end];
    let (negated, bare) = match name.strip_prefix('^') {
        Some(bare) => (true, bare),
        None => (false, name),
    };
    match named(bare) {
        Some(ranges) => Ok(Some((Item::Ascii { negated, ranges }, &inner[end + 2..]))),
        None => error("invalid character class range", &text[..end + 4]),
    }
}

/// `\d \D \s \S \w \W` and `\p… \P…`.
pub(super) fn escaped(text: &str) -> Result<Option<(Item, &str)>, PatternError> {
    let Some(letter) = text.strip_prefix('\\').and_then(|text| text.chars().next()) else {
        return Ok(None);
    };
    let ranges = match letter.to_ascii_lowercase() {
        'd' => DIGIT,
        's' => SPACE,
        'w' => WORD,
        'p' => return unicode(text).map(Some),
        _ => return Ok(None),
    };
    let negated = letter.is_ascii_uppercase();
    Ok(Some((Item::Ascii { negated, ranges }, &text[2..])))
}

fn unicode(text: &str) -> Result<(Item, &str), PatternError> {
    let mut negated = text.as_bytes()[1] == b'P';
    let Some(first) = text[2..].chars().next() else {
        return error("invalid character class range", text);
    };
    let (mut name, rest) = if first == '{' {
        let Some(end) = text.find('}') else {
            return error("invalid character class range", text);
        };
        (&text[3..end], &text[end + 1..])
    } else {
        let end = 2 + first.len_utf8();
        (&text[2..end], &text[end..])
    };
    if let Some(bare) = name.strip_prefix('^') {
        negated = !negated;
        name = bare;
    }
    match table(name) {
        Some(name) => Ok((Item::Unicode { negated, name }, rest)),
        None => error("invalid character class range", &text[..text.len() - rest.len()]),
    }
}

/// A Unicode set in the form that the `regex` crate reads: Go knows categories and scripts and, in
/// any spelling of case, blanks, hyphens and underscores, `Any`, `ASCII`, `Assigned`, `Cn`, `LC`.
fn table(name: &str) -> Option<String> {
    let plain: String = name
        .chars()
        .filter(|found| !" _-".contains(*found))
        .map(|found| found.to_ascii_lowercase())
        .collect();
    if plain.is_empty() || !plain.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return None;
    }
    if let "any" | "ascii" | "assigned" = plain.as_str() {
        return Some(plain);
    }
    ["gc", "sc"]
        .into_iter()
        .map(|kind| format!("{kind}={plain}"))
        .find(|form| regex::Regex::new(&format!(r"\p{{{form}}}")).is_ok())
}

/// A single escaped character, and what stands behind it.
pub(super) fn escaped_character(text: &str) -> Result<(u32, &str), PatternError> {
    let mut rest = text[1..].chars();
    let Some(found) = rest.next() else { return error("trailing backslash at end of expression", "") };
    let simple = match found {
        'a' => Some(7),
        'f' => Some(0x0C),
        'n' => Some(0x0A),
        'r' => Some(0x0D),
        't' => Some(9),
        'v' => Some(0x0B),
        '0'..='7' => return octal(text, found),
        'x' => return hexadecimal(text),
        punctuation if punctuation.is_ascii() && !punctuation.is_ascii_alphanumeric() => {
            Some(u32::from(punctuation))
        }
        _ => None,
    };
    match simple {
        Some(code) => Ok((code, rest.as_str())),
        None => error("invalid escape sequence", &text[..1 + found.len_utf8()]),
    }
}

/// `\0`, `\12`, `\123`; one digit but 0 would be a backreference.
fn octal(text: &str, first: char) -> Result<(u32, &str), PatternError> {
    let digits = &text[1..];
    let count = digits.bytes().take(3).take_while(|byte| (b'0'..=b'7').contains(byte)).count();
    if first != '0' && count < 2 {
        return error("invalid escape sequence", &text[..2]);
    }
    let code = digits[..count].bytes().fold(0, |code, digit| code * 8 + u32::from(digit - b'0'));
    Ok((code, &digits[count..]))
}

fn hexadecimal(text: &str) -> Result<(u32, &str), PatternError> {
    let digits = &text[2..];
    if let Some(inner) = digits.strip_prefix('{') {
        let count = inner.bytes().take_while(u8::is_ascii_hexdigit).count();
        let closed = inner[count..].strip_prefix('}');
        let code = u32::from_str_radix(inner[..count].trim_start_matches('0'), 16)
            .or_else(|fault| match inner[..count].trim_start_matches('0') {
                "" => Ok(0),
                _ => Err(fault),
            });
        return match (closed, code) {
            (Some(rest), Ok(code)) if count > 0 && code <= 0x0010_FFFF => Ok((code, rest)),
            _ => error("invalid escape sequence", &text[..2]),
        };
    }
    match digits.get(..2).and_then(|pair| {
        let pair = pair.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(pair)?;
        u32::from_str_radix(pair, 16).ok()
    }) {
        Some(code) => Ok((code, &digits[2..])),
        None => error("invalid escape sequence", &text[..2]),
    }
}
