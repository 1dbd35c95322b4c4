//! Edits of a text: how a new value is written in an old style, and the splice.
//!
//! Edits are sorted, must not overlap, and are spliced once; nothing else changes by a byte.

use super::scalar::{Reader, Scalar, plain};
use super::token::line_end;
use super::{Kind, Node};
use crate::source::{Edit, Span};

/// Two edits that want the same bytes: a fault of the caller.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("two edits overlap at byte {at}")]
pub(crate) struct Overlap {
    /// Where the second begins.
    pub(crate) at: u32,
}

/// The text with all edits made. They need not be sorted; two at one place must be equal.
pub(crate) fn apply(text: &str, edits: &[Edit]) -> Result<String, Overlap> {
    let mut sorted: Vec<&Edit> = edits.iter().collect();
    sorted.sort();
    sorted.dedup();
    let added: usize = sorted.iter().map(|edit| edit.text.len()).sum();
    let mut out = String::with_capacity(text.len() + added);
    let mut at = 0;
    for edit in sorted {
        let range = edit.span.range();
        if range.start < at {
            return Err(Overlap { at: edit.span.start });
        }
        out.push_str(&text[at..range.start]);
        out.push_str(&edit.text);
        at = range.end;
    }
    out.push_str(&text[at..]);
    Ok(out)
}

/// The edits that put `value` in the place of a node's value, in its own style where that can hold
/// it. The tag goes, since it belonged to the old value; anchor and comments stay. With `typed` a
/// plain scalar stays plain although it will be read as another type than a string.
pub(crate) fn written(node: Node<'_>, value: &str, typed: bool) -> Vec<Edit> {
    let mut edits = Vec::with_capacity(2);
    let span = node.span();
    let text = &node.doc().source.text;
    if let Some(tag) = node.tag_span() {
        let blanks = text[tag.range().end..].bytes().take_while(|byte| b" \t".contains(byte));
        let end = (tag.range().end + blanks.count()).min(span.start as usize);
        let end = super::split::offset(end.max(tag.range().end));
        edits.push(Edit { span: Span { end, ..tag }, text: String::new() });
    }
    let mut new = match node.kind() {
        Kind::SingleQuoted => single_quoted(value),
        Kind::DoubleQuoted => double_quoted(value),
        Kind::Literal | Kind::Folded => block(node, value),
        _ => plain_or_quoted(value, typed, node.is_flow()),
    };
    if span.start == span.end && node.kind() == Kind::Plain {
        new = filled(node, &new);
    }
    edits.push(Edit { span, text: new });
    edits
}

/// A value where none stood: behind a blank, and behind a colon where the key has none.
fn filled(node: Node<'_>, value: &str) -> String {
    let at = node.span().start as usize;
    let before = &node.doc().source.text[..at];
    let last = before.trim_end_matches([' ', '\t']).chars().next_back();
    let blank = before.ends_with([' ', '\t']);
    let tagged = node.tag_span().is_some() || node.anchor_span().is_some();
    match last {
        Some(':' | '-' | '?' | ',' | '[') if blank => value.to_owned(),
        _ if tagged && blank => value.to_owned(),
        Some(':' | '-' | '?') => format!(" {value}"),
        _ if tagged => format!(" {value}"),
        Some(',' | '[') => value.to_owned(),
        _ => format!(": {value}"),
    }
}

/// A text inside braces or brackets; with `string` it is read as a string by every reader.
pub(crate) fn flow_text(text: &str, string: bool) -> String {
    plain_or_quoted(text, !string, true)
}

fn plain_or_quoted(value: &str, typed: bool, flow: bool) -> String {
    if plain_fits(value, flow) && (typed && !is_old_word(value) || is_string_to_all(value)) {
        value.to_owned()
    } else {
        single_quoted(value)
    }
}

fn is_string_to_all(value: &str) -> bool {
    [Reader::Kubernetes, Reader::Kustomize]
        .into_iter()
        .all(|reader| matches!(plain(value, reader), Scalar::String(_)))
}

/// A word that YAML 1.1 takes for a truth value and kustomize for a string, and the merge key.
fn is_old_word(value: &str) -> bool {
    value == "<<"
        || plain(value, Reader::Kubernetes) != plain(value, Reader::Kustomize)
            && matches!(plain(value, Reader::Kustomize), Scalar::String(_))
}

/// Whether a plain scalar can hold the text and be read back as it.
fn plain_fits(value: &str, flow: bool) -> bool {
    let Some(first) = value.chars().next() else { return false };
    let second = value[first.len_utf8()..].chars().next();
    let indicator = match first {
        '-' | '?' | ':' => {
            second.is_none_or(|next| next == ' ' || flow && ",[]{}".contains(next))
        }
        found => ",[]{}#&*!|>'\"%@`".contains(found),
    };
    !indicator
        && value != "<<"
        && !value.starts_with("---")
        && !value.starts_with("...")
        && !value.starts_with(' ')
        && !value.ends_with([' ', ':'])
        && !value.contains(": ")
        && !value.contains(" #")
        && !(flow && value.contains([',', '[', ']', '{', '}']))
        && value.chars().all(is_printable)
}

/// Whether a character may stand in quotes or plain text as it is.
fn is_printable(found: char) -> bool {
    matches!(found, ' '..='~' | '\u{A0}'..='\u{2027}' | '\u{202A}'..='\u{D7FF}'
        | '\u{E000}'..='\u{FEFE}' | '\u{FF00}'..='\u{FFFD}' | '\u{10000}'..='\u{10FFFF}')
}

fn single_quoted(value: &str) -> String {
    if value.chars().all(is_printable) {
        format!("'{}'", value.replace('\'', "''"))
    } else {
        double_quoted(value)
    }
}

fn double_quoted(value: &str) -> String {
    let mut out = String::with_capacity(value.len() + 2);
    out.push('"');
    for found in value.chars() {
        match found {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            found if is_printable(found) => out.push(found),
            found => match u32::from(found) {
                code @ 0..=0xFF => out.push_str(&format!("\\x{code:02X}")),
                code @ 0..=0xFFFF => out.push_str(&format!("\\u{code:04X}")),
                code => out.push_str(&format!("\\U{code:08X}")),
            },
        }
    }
    out.push('"');
    out
}

/// A block scalar keeps header and indentation where it can hold the value; else it becomes a
/// quoted one.
fn block(node: Node<'_>, value: &str) -> String {
    let written = node.written();
    let header = line_end(written.as_bytes(), 0);
    let (head, body) = written.split_at(header);
    let newline = if body.starts_with("\r\n") { "\r\n" } else { "\n" };
    let indicators = head.split('#').next().unwrap_or_default();
    let line = value.strip_suffix('\n').unwrap_or(value);
    let chomps = if value.ends_with('\n') {
        !indicators.contains(['-', '+'])
    } else {
        indicators.contains('-')
    };
    let indent: String = body
        .lines()
        .find(|line| !line.trim().is_empty())
        .map(|line| line.chars().take_while(|&found| found == ' ').collect())
        .unwrap_or_default();
    let simple = !line.is_empty() && !line.starts_with([' ', '\t']) && !line.ends_with(' ');
    let counted = indicators.contains(|found: char| found.is_ascii_digit());
    let open_end = !written.ends_with('\n');
    let end = if open_end { "" } else { newline };
    if simple && chomps && !counted && !indent.is_empty() && line.chars().all(is_printable) {
        format!("{head}{newline}{indent}{line}{end}")
    } else {
        format!("{}{end}", double_quoted(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceMap;
    use crate::yaml::read_first;

    /// The text with the value of key `k` replaced.
    fn set(text: &str, value: &str, typed: bool) -> String {
        let source = SourceMap::default().add("a.yaml", text);
        let doc = read_first(&source).expect("it is YAML");
        let node = doc.root().and_then(|root| root.get("k")).expect("there is a `k`");
        apply(text, &written(node, value, typed)).expect("no overlap")
    }

    #[test]
    fn a_value_keeps_its_style() {
        assert_eq!(set("k: a # c\n", "b:1", false), "k: b:1 # c\n");
        assert_eq!(set("k: 'a'\n", "it's", false), "k: 'it''s'\n");
        assert_eq!(set("k: \"a\"\n", "b\"", false), "k: \"b\\\"\"\n");
        assert_eq!(set("k: |- # c\n  a\nl: 1\n", "b", false), "k: |- # c\n  b\nl: 1\n");
        assert_eq!(set("k: >-\n  a\n", "b\nc", false), "k: \"b\\nc\"\n");
        assert_eq!(set("k: &i !!str a\n", "b", false), "k: &i b\n");
    }

    #[test]
    fn a_plain_value_is_quoted_where_it_would_be_misread() {
        assert_eq!(set("k: a\n", "1.20", false), "k: '1.20'\n");
        assert_eq!(set("k: a\n", "1.20", true), "k: 1.20\n");
        assert_eq!(set("k: a\n", "yes", true), "k: 'yes'\n");
        assert_eq!(set("k: a\n", "a: b", true), "k: 'a: b'\n");
        assert_eq!(set("{k: a}\n", "a,b", true), "{k: 'a,b'}\n");
    }

    #[test]
    fn an_absent_value_is_filled_in() {
        assert_eq!(set("k:\nl: 1\n", "b", false), "k: b\nl: 1\n");
        assert_eq!(set("{k}\n", "b", false), "{k: b}\n");
        assert_eq!(set("{k: , l: 1}\n", "b", false), "{k: b , l: 1}\n");
    }

    #[test]
    fn overlapping_edits_are_refused() {
        let span = |start, end| Span { start, end, ..Span::default() };
        let edit = |start, end| Edit { span: span(start, end), text: "x".to_owned() };
        assert!(apply("abcdef", &[edit(0, 3), edit(2, 4)]).is_err());
        assert_eq!(apply("abcdef", &[edit(4, 5), edit(0, 1)]).as_deref(), Ok("xbcdxf"));
    }
}
