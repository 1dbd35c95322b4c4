//! Places in a text that must not be shown: where a finding points at, or beside, a credential.
//!
//! Works on lines, since what a finding is about may not read as YAML at all.

use super::texts;
use super::words::{Holds, holds};

/// How many lines above a place are looked at for the key that it stands under.
const REACH: usize = 5_000;

/// Whether the line of a place holds what looks like a credential, or stands under a key that does.
pub(crate) fn conceals(text: &str, place: usize) -> bool {
    let mut at = place.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
    let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
    let line = &text[start..end];
    if texts::masked(line, &mut |_| "***".to_owned()).is_some() || names_credential(line) {
        return true;
    }
    let mut depth = indentation(line);
    for above in text[..start].lines().rev().take(REACH) {
        if depth == 0 || above.starts_with("---") {
            return false;
        }
        let own = indentation(above);
        if above.trim().is_empty() || own >= depth {
            continue;
        }
        depth = own;
        if names_credential(above) {
            return true;
        }
    }
    false
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// Whether a line opens the value of a credential: `password:` and nothing that names a place.
fn names_credential(line: &str) -> bool {
    let line = line.trim_start_matches([' ', '\t', '-', '{', '"', '\'']);
    let key = line.split([':', '"', '\'', ' ']).next().unwrap_or_default();
    line.contains(':') && holds(key) != Holds::Other
}

/// A message without what it quotes of a line that must not be shown: each quotation that is part of
/// the line's value, or holds it, becomes `***`.
pub(crate) fn redacted(message: &str, text: &str, place: usize) -> String {
    let at = place.min(text.len());
    let start = memchr::memrchr(b'\n', &text.as_bytes()[..at]).map_or(0, |at| at + 1);
    let end = memchr::memchr(b'\n', &text.as_bytes()[at..]).map_or(text.len(), |end| at + end);
    let line = text.get(start..end).unwrap_or_default();
    let value = line.split_once(':').map_or(line, |(_, value)| value);
    let value = value.trim().trim_matches(['"', '\'']);
    let quotes = |part: &str| !part.is_empty() && (value.contains(part) || part.contains(value));
    let shown = |(at, part): (usize, &str)| {
        // Every second part stands between backticks.
        if at % 2 == 1 && !value.is_empty() && quotes(part) {
            super::MASK.to_owned()
        } else {
            part.to_owned()
        }
    };
    let parts: Vec<String> = message.split('`').enumerate().map(shown).collect();
    parts.join("`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_credentials_and_what_stands_under_them_are_concealed() {
        let text = "db:\n  password: |\n    one\n    two\n  host: x\nname: y\n";
        let at = |part: &str| conceals(text, text.find(part).expect("it is there"));
        assert!(at("password") && at("two"));
        assert!(!at("host") && !at("name"));
        assert!(conceals("{\"token\": \"abc\", \"a\": 1}", 20));
    }

    #[test]
    fn a_message_does_not_quote_what_is_concealed() {
        let text = "pin: 12345678901234567890\n";
        let message = "`pin` is `12345678901234567890`, read as `1.2e+19`";
        assert_eq!(
            redacted(message, text, 5),
            "`pin` is `***`, read as `1.2e+19`"
        );
    }
}
