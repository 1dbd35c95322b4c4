//! Scalars on one line, and where they end.

use crate::yaml::Kind;

/// A key longer than this is no key of one line (yaml.v3 v3.0.4 `scannerc.go`: 1024 characters).
const LONGEST_KEY: usize = 1000;

/// A scalar on one line.
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether something in its quotes stands for something else.
    pub(super) escapes: bool,
    /// Whether a colon and a blank follow.
    pub(super) key: bool,
}

/// The scalar of one line that stands at `at`.
pub(super) fn token(bytes: &[u8], at: usize) -> Option<Token> {
    let (kind, (end, escapes)) = match bytes[at] {
        b'"' => (Kind::DoubleQuoted, double_quoted(bytes, at)?),
        b'\'' => (Kind::SingleQuoted, single_quoted(bytes, at)?),
        _ => return plain(bytes, at),
    };
    let key = match bytes.get(end) {
        Some(b':') if is_gap(bytes.get(end + 1)) => true,
        Some(b':') => return None,
        _ => false,
    };
    (!key || end - at <= LONGEST_KEY).then_some(Token {
        kind,
        start: at,
        end,
        escapes,
        key,
    })
}

/// Behind the quote that closes the one at `at` on its line, and whether quotes stand doubled.
fn single_quoted(bytes: &[u8], at: usize) -> Option<(usize, bool)> {
    let mut from = at + 1;
    let mut doubled = false;
    loop {
        let close = from + memchr::memchr2(b'\'', b'\n', &bytes[from..])?;
        match (bytes[close], bytes.get(close + 1)) {
            (b'\n', _) => return None,
            (_, Some(b'\'')) => (from, doubled) = (close + 2, true),
            _ => return Some((close + 1, doubled)),
        }
    }
}

/// Behind the quote that closes the one at `at` on its line, and whether there are escapes: none
/// but those of quotes, backslashes and line ends.
fn double_quoted(bytes: &[u8], at: usize) -> Option<(usize, bool)> {
    let mut from = at + 1;
    let mut escaped = false;
    loop {
        let close = from + memchr::memchr3(b'"', b'\n', b'\\', &bytes[from..])?;
        match (bytes[close], bytes.get(close + 1)) {
            (b'\\', Some(b'"' | b'\\' | b'n')) => (from, escaped) = (close + 2, true),
            (b'"', _) => return Some((close + 1, escaped)),
            _ => return None,
        }
    }
}

/// The bytes that neither end a plain scalar nor take a second look.
static ORDINARY: [bool; 256] = {
    let mut ordinary = [true; 256];
    ordinary[b'\n' as usize] = false;
    ordinary[b' ' as usize] = false;
    ordinary[b':' as usize] = false;
    ordinary[b'#' as usize] = false;
    ordinary
};

/// A plain scalar: it ends before a colon and a blank, before a blank and a comment, or with the
/// line, and not in blanks.
fn plain(bytes: &[u8], start: usize) -> Option<Token> {
    if !opens_plain(bytes[start], bytes.get(start + 1)) {
        return None;
    }
    let mut at = start;
    let (mut end, mut key) = (start, false);
    while let Some(&byte) = bytes.get(at) {
        if ORDINARY[usize::from(byte)] {
            at += 1;
            end = at;
            continue;
        }
        match byte {
            b'\n' => break,
            b' ' => {
                at += 1;
                continue;
            }
            b':' if is_gap(bytes.get(at + 1)) => {
                // A blank before the colon is left to the full reader.
                if end != at || at - start > LONGEST_KEY {
                    return None;
                }
                key = true;
                break;
            }
            b'#' if bytes[at - 1] == b' ' => break,
            _ => {}
        }
        at += 1;
        end = at;
    }
    Some(Token {
        kind: Kind::Plain,
        start,
        end,
        escapes: false,
        key,
    })
}

/// The scalar that stands at `at` inside brackets or braces, on one line.
pub(super) fn flow_token(bytes: &[u8], at: usize) -> Option<Token> {
    if matches!(bytes.get(at)?, b'"' | b'\'') {
        return token(bytes, at);
    }
    let indicator = |byte: Option<&u8>| byte.is_some_and(|byte| b",[]{}".contains(byte));
    if !opens_plain(bytes[at], bytes.get(at + 1))
        || indicator(bytes.get(at + 1)) && bytes[at] == b'-'
    {
        return None;
    }
    let (mut end, mut next) = (at, at);
    let key = loop {
        match *bytes.get(next)? {
            b',' | b']' | b'}' => break false,
            // Go's reader ends a text at a question mark here.
            b'[' | b'{' | b'?' | b'\n' => return None,
            b' ' => {
                next += 1;
                continue;
            }
            b':' if indicator(bytes.get(next + 1)) => return None,
            b':' if is_gap(bytes.get(next + 1)) => {
                if end != next || next - at > LONGEST_KEY {
                    return None;
                }
                break true;
            }
            b'#' if bytes[next - 1] == b' ' => return None,
            _ => {}
        }
        next += 1;
        end = next;
    };
    Some(Token {
        kind: Kind::Plain,
        start: at,
        end,
        escapes: false,
        key,
    })
}

fn is_gap(byte: Option<&u8>) -> bool {
    matches!(byte, None | Some(b' ' | b'\n'))
}

/// Whether a byte opens a plain scalar without any doubt.
fn opens_plain(byte: u8, next: Option<&u8>) -> bool {
    match byte {
        b'-' => !is_gap(next),
        b'_' | b'/' | b'.' | b'$' | b'(' | b')' | b'+' | b'=' | b'<' | b'^' | b'~' | b'\\'
        | b';' => true,
        _ => byte.is_ascii_alphanumeric() || byte >= 0x80,
    }
}
