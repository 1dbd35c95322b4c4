//! How a new value is written in place of a scalar, in the scalar's own style.
//!
//! Source: `spec/image-semantics.md` rules 57–60: the style stays where it can hold the value; where
//! not, single quotes, then double quotes.

use std::fmt::Write as _;

use super::scalar::{Reader, Scalar, is_yaml_1_1_word, plain};
use super::{Kind, Node};
use crate::source::Edit;

/// The edit that gives a scalar the value `value`. An absent value is inserted behind its colon.
///
/// With `typed`, a plain scalar stays plain though the new text may be a number or another type of
/// YAML 1.2 (rule 59); without, the value is a string to every reader.
pub(crate) fn written(node: Node<'_>, value: &str, typed: bool) -> Edit {
    let mut text = scalar_text(node, value, typed);
    let span = node.span();
    if node.kind() == Kind::Plain && span.start == span.end {
        text.insert_str(0, &lead(node));
    }
    Edit { span, text }
}

/// The edit that takes a node's tag away, and the blanks between the tag and what follows it on
/// its line; the anchor stays. `None` where there is no tag.
pub(crate) fn untagged(node: Node<'_>) -> Option<Edit> {
    let mut span = node.tag_span()?;
    let bytes = node.doc().source.text.as_bytes();
    let blank = |at: u32| {
        bytes
            .get(at as usize)
            .is_some_and(|byte| b" \t".contains(byte))
    };
    let value = node.span();
    if span.end == value.start && value.start == value.end {
        // Nothing follows: the blank before goes, and the one that a new value brings stays.
        while span.start > 0 && blank(span.start - 1) {
            span.start -= 1;
        }
        let opener = span
            .start
            .checked_sub(1)
            .and_then(|at| bytes.get(at as usize));
        if node.anchor().is_none() && !opener.is_some_and(|byte| b":-?[{,".contains(byte)) {
            span.start = node.tag_span()?.start;
        }
    } else {
        while span.end < value.start && blank(span.end) {
            span.end += 1;
        }
    }
    Some(Edit {
        span,
        text: String::new(),
    })
}

/// What stands between the place of an absent value and the text it is given.
fn lead(node: Node<'_>) -> String {
    let doc = node.doc();
    let start = node.span().start;
    let before = &doc.source.text[..start as usize];
    if node.id().0 == 0 {
        return if before.ends_with("---") {
            " ".to_owned()
        } else {
            String::new()
        };
    }
    let key_ends_here = node.anchor().is_none()
        && node.tag().is_none()
        && !before.ends_with([':', '-', ',', '[', '{', '?'])
        && doc
            .nodes()
            .take(node.id().0 as usize)
            .any(|other| other.span().end == start);
    if !key_ends_here {
        return if before.ends_with([',', '[', '{']) {
            String::new()
        } else {
            " ".to_owned()
        };
    }
    if node.is_flow() {
        return ": ".to_owned();
    }
    // An explicit key by lines, `? key`, without its `:` line.
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    let column = before[line..].rfind("? ").unwrap_or(0);
    format!(
        "\n{}: ",
        " ".repeat(before[line..line + column].chars().count())
    )
}

/// The value as it is written in place of the scalar, without what [`written`] puts before it.
pub(crate) fn scalar_text(node: Node<'_>, value: &str, typed: bool) -> String {
    let printable = value.chars().all(is_printable);
    match node.kind() {
        Kind::SingleQuoted if printable => single_quoted(value),
        Kind::Literal | Kind::Folded => block(node, value).unwrap_or_else(|| {
            let line_ends = ["\r\n", "\n", "\r", ""];
            let own = line_ends
                .into_iter()
                .find(|end| node.written().ends_with(end));
            double_quoted(value) + own.unwrap_or_default()
        }),
        Kind::Plain if is_plain(value, node.is_flow(), typed) => value.to_owned(),
        Kind::Plain if printable && !value.is_empty() => single_quoted(value),
        _ => double_quoted(value),
    }
}

/// A text inside braces or brackets; with `string` it is read as a string by every reader.
pub(crate) fn flow_text(text: &str, string: bool) -> String {
    if is_plain(text, true, !string) {
        text.to_owned()
    } else if text.chars().all(is_printable) {
        single_quoted(text)
    } else {
        double_quoted(text)
    }
}

/// Whether a text can stand unquoted as the value of a key or an element. Without `typed` it must
/// mean itself, as a string, to every reader.
pub(crate) fn is_plain(text: &str, flow: bool, typed: bool) -> bool {
    if is_reference(text) {
        return true;
    }
    let shape = !text.is_empty()
        && text.chars().all(is_printable)
        && !text.starts_with(|first: char| "?:,[]{}#&*!|>'\"%@` ".contains(first))
        && !text.starts_with("...")
        && !text.starts_with("---")
        && text != "-"
        && !text.starts_with("- ")
        && !text.ends_with([' ', ':'])
        && !text.contains(": ")
        && !text.contains(" #")
        && !(flow && text.contains([',', '[', ']', '{', '}', '?']));
    shape && !is_yaml_1_1_word(text) && (typed || !is_typed(text))
}

/// Whether a text is spelt as most references to images are, which is plain text to every reader.
fn is_reference(text: &str) -> bool {
    let part = |byte: &u8| byte.is_ascii_alphanumeric() || b"._/:@-".contains(byte);
    let bytes = text.as_bytes();
    // Words that mean something else are shorter, numbers and times begin otherwise.
    bytes.len() > 5
        && bytes[0].is_ascii_alphabetic()
        && bytes.iter().all(part)
        && !text.ends_with(':')
}

fn is_typed(text: &str) -> bool {
    [Reader::Kubernetes, Reader::Kustomize]
        .into_iter()
        .any(|reader| !matches!(plain(text, reader), Scalar::String(_)))
}

/// Whether a character stands in quotes and plain text as itself, in every reader.
pub(crate) fn is_printable(found: char) -> bool {
    matches!(found,
        ' '..='~' | '\u{A0}'..='\u{2027}' | '\u{202A}'..='\u{D7FF}' | '\u{E000}'..='\u{FEFE}'
        | '\u{FF00}'..='\u{FFFD}' | '\u{10000}'..='\u{10FFFF}')
}

/// The text in single quotes; it must be printable.
pub(crate) fn single_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// The text in double quotes, with escapes for what cannot stand there.
pub(crate) fn double_quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for found in text.chars() {
        match found {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            _ if is_printable(found) => quoted.push(found),
            _ if u32::from(found) <= 0xFF => {
                let _ = write!(quoted, "\\x{:02X}", u32::from(found));
            }
            _ => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(found));
            }
        }
    }
    quoted.push('"');
    quoted
}

/// The value as a block scalar with the old one's header and indentation; `None` where the block
/// cannot hold it.
fn block(node: Node<'_>, value: &str) -> Option<String> {
    let old = node.written();
    let lines = value.trim_end_matches('\n');
    let folded = node.kind() == Kind::Folded;
    if lines.is_empty()
        || lines.starts_with([' ', '\n'])
        || folded && lines.contains('\n')
        || !lines
            .chars()
            .all(|found| found == '\n' || is_printable(found))
    {
        return None;
    }
    let (header, content) = old.split_at(old.find('\n')? + 1);
    let first = content
        .lines()
        .find(|line| !line.trim_matches([' ', '\r']).is_empty())?;
    let indentation = first.len() - first.trim_start_matches(' ').len();
    // With an indentation indicator the first line may be indented more than the block.
    if indentation == 0
        || header[1..]
            .bytes()
            .take(2)
            .any(|byte| byte.is_ascii_digit())
    {
        return None;
    }
    let chomping = match value.len() - lines.len() {
        0 => "-",
        1 => "",
        _ => return None,
    };
    let line_end = if header.ends_with("\r\n") {
        "\r\n"
    } else {
        "\n"
    };
    let behind = header[1..].trim_start_matches(['-', '+']);
    let mut text = format!("{}{chomping}{behind}", &header[..1]);
    let closed = old.ends_with('\n');
    let mut rest = lines.split('\n').peekable();
    while let Some(line) = rest.next() {
        if !line.is_empty() {
            text.extend(std::iter::repeat_n(' ', indentation));
            text.push_str(line);
        }
        if closed || rest.peek().is_some() || chomping.is_empty() {
            text.push_str(line_end);
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests;
