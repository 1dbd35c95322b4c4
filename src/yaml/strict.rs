//! What Go's YAML reader refuses although yaml-rust2 reads it.
//!
//! Source: go.yaml.in/yaml/v3 v3.0.4 (`readerc.go`, `scannerc.go`, `parserc.go`), observed in
//! `spec/image-semantics.md` rules 72–78.

use super::parse::Malformed;
use super::split::{Piece, directives_alone};
use super::token::{Gap, next_gap};
use super::{Doc, Kind};
use crate::source::Source;

/// Checks the text of a piece before it is read.
pub(crate) fn check_text(source: &Source, piece: Piece) -> Result<(), Malformed> {
    let text = &source.text[piece.start as usize..piece.end as usize];
    if let Some(at) = directives_alone(text) {
        let message = "a directive stands here without its document: kubectl, Flux and kustomize \
                       cut the text at the `---` behind it";
        return Err(
            Malformed::at(source, piece.start as usize + at, message).help("remove the line")
        );
    }
    if let Some(at) = control_character(text) {
        let place = piece.start as usize + at;
        let found = text[at..].chars().next().unwrap_or_default();
        let message = format!(
            "control characters are not allowed, found U+{:04X}",
            found as u32
        );
        return Err(Malformed::at(source, place, message));
    }
    if let Some(at) = text.find(['\u{85}', '\u{2028}', '\u{2029}']) {
        let message = "a form that forebay's YAML reader does not know: a line end that is NEL, LS \
                       or PS";
        return Err(Malformed::at(source, piece.start as usize + at, message)
            .help("end the line with LF, or write the character as an escape in double quotes"));
    }
    Ok(())
}

/// The first character that `readerc.go` refuses.
fn control_character(text: &str) -> Option<usize> {
    let suspicious = |byte: u8| byte < 0x20 && !b"\t\n\r".contains(&byte) || byte >= 0x7F;
    let from = text.bytes().position(suspicious)?;
    text[from..]
        .char_indices()
        .find(|&(_, found)| !allowed(found))
        .map(|(at, _)| from + at)
}

fn allowed(found: char) -> bool {
    matches!(found,
        '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{A0}'..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}'
        | '\u{10000}'..='\u{10FFFF}')
}

/// Whether what the library refuses is a form that Go's reader takes and the library does not
/// know: NEL, LS and PS as line ends, a closing bracket at the margin or a lone dash inside, brackets
/// deeper than 255, `\'` in double quotes,
/// more glued comments than [`super::parse`] mends.
pub(crate) fn is_unknown_form(info: &str, source: &Source, piece: Piece) -> bool {
    let text = &source.text[piece.start as usize..piece.end as usize];
    info.contains("comments must be separated")
        || info.contains("must be followed by a valid YAML whitespace")
        || info.contains("invalid indentation")
        || info.contains("recursion limit")
        || info.contains("cannot start with '-'")
        || info.contains("unknown escape character") && text.contains("\\'")
        || text.contains(['\u{85}', '\u{2028}', '\u{2029}'])
}

/// Checks a document that was read.
pub(crate) fn check_doc(doc: &Doc) -> Result<(), Malformed> {
    check_directives(doc)?;
    check_keys(doc)?;
    check_flow_keys(doc)?;
    check_plain(doc)?;
    check_properties(doc)?;
    check_escapes(doc)?;
    check_tabs(doc)
}

/// `%YAML` other than 1.1, and a text that begins with `...`.
fn check_directives(doc: &Doc) -> Result<(), Malformed> {
    let mut place = doc.start as usize;
    for line in doc.text().split_inclusive('\n') {
        let content = line.trim_start_matches('\u{FEFF}').trim();
        if let Some(version) = content.strip_prefix("%YAML") {
            let version = version.split('#').next().unwrap_or_default().trim();
            if version != "1.1" {
                let message = format!("found incompatible YAML document, `%YAML {version}`");
                return Err(Malformed::at(&doc.source, place, message)
                    .help("remove the line; Go's reader knows only `%YAML 1.1`"));
            }
        } else if content.starts_with('%') && !content.starts_with("%TAG") {
            let message = format!("found unknown directive name, `{content}`");
            return Err(Malformed::at(&doc.source, place, message).help("remove the line"));
        } else if content == "..." {
            let message = "a text cannot begin with `...`, a document was expected";
            return Err(Malformed::at(&doc.source, place, message));
        } else if !content.is_empty() && !content.starts_with(['#', '%']) {
            break;
        }
        place += line.len();
    }
    Ok(())
}

/// A key that is not there, as in `: value`, without the `?` that makes it one.
fn check_keys(doc: &Doc) -> Result<(), Malformed> {
    let bytes = doc.source.text.as_bytes();
    for (key, _) in doc.nodes().flat_map(super::Node::entries) {
        let span = key.span();
        let bare = key.kind() == Kind::Plain
            && span.start == span.end
            && key.tag().is_none()
            && key.anchor().is_none();
        if bare && !bytes[..span.start as usize].ends_with(b"?") {
            let message = "a key was expected before the colon";
            return Err(Malformed::at(&doc.source, span.start as usize, message));
        }
    }
    Ok(())
}

/// A key inside brackets, without a `?`, that does not stand on one line with its colon, or 1024
/// characters before it: to Go's reader a comma is missing there.
fn check_flow_keys(doc: &Doc) -> Result<(), Malformed> {
    let bytes = doc.source.text.as_bytes();
    for mapping in doc
        .nodes()
        .filter(|node| node.is_flow() && node.is_mapping())
    {
        for (key, _) in mapping.entries() {
            let (start, end) = (key.span().start as usize, key.span().end as usize);
            let colon = match next_gap(bytes, end, doc.end as usize) {
                Some(Gap::Indicator(behind)) if bytes[behind - 1] == b':' => behind,
                _ => continue,
            };
            let text = &doc.source.text[start..colon - 1];
            let broken = text.contains('\n') || text.len() > 1024 && text.chars().count() > 1024;
            if broken && !bytes[..start].trim_ascii_end().ends_with(b"?") {
                let message = "did not find expected ',' or '}' behind the line";
                let place = super::token::line_end(bytes, start);
                return Err(Malformed::at(&doc.source, place, message)
                    .help("end the entry with a comma, or put the key and its colon on one line"));
            }
        }
    }
    Ok(())
}

/// A plain scalar that begins with an indicator, as `|` inside of brackets; and there a `?`, which
/// ends a text in Go's reader, or a `:` that begins one.
fn check_plain(doc: &Doc) -> Result<(), Malformed> {
    let odd = doc.nodes().filter(|node| node.kind() == Kind::Plain).find_map(|node| {
        let written = node.written();
        let indicator = |first: char| ",[]{}#&*!|>'\"%@`".contains(first);
        let (at, message) = if written.starts_with(indicator) {
            (0, "found a character that cannot start any token")
        } else if !node.is_flow() {
            return None;
        } else if written.starts_with('?') {
            (0, "a form that forebay's YAML reader does not know: a key that touches its `?`")
        } else if glued_colon(node) {
            let message = "a form that forebay's YAML reader does not know: a colon that touches \
                           a bracket or comma";
            (written.len(), message)
        } else if written.starts_with(':') {
            (0, "did not find expected node content, a text cannot begin with `:` inside brackets")
        } else {
            let message = "did not find expected ',' or ']', a text ends at a `?` inside brackets";
            (written.find('?')?, message)
        };
        Some((node.span().start as usize + at, message))
    });
    match odd {
        Some((place, message)) => Err(Malformed::at(&doc.source, place, message)
            .help("put the text into quotes, or a blank behind the indicator")),
        None => Ok(()),
    }
}

/// Whether a text inside brackets ends at a colon with an indicator behind it, as in `[a:]`: to Go's
/// reader the colon belongs to the text.
fn glued_colon(node: super::Node<'_>) -> bool {
    let behind = &node.doc().source.text.as_bytes()[node.span().end as usize..];
    matches!(behind, [b':', b',' | b'[' | b']' | b'{' | b'}', ..])
}

/// Names of anchors: letters, digits, `_` and `-`, where yaml-rust2 takes nearly anything; and behind
/// a tag a blank, also before a bracket or comma.
fn check_properties(doc: &Doc) -> Result<(), Malformed> {
    let text = &doc.source.text;
    for node in doc.nodes().filter(|node| node.properties().is_some()) {
        let known = |found: char| found.is_ascii_alphanumeric() || "_-".contains(found);
        if let Some(anchor) = node.anchor_span() {
            let name = &text[anchor.range()][1..];
            let odd = name.find(|found| !known(found));
            if let Some(at) = odd.or(name.is_empty().then_some(0)) {
                let place = anchor.start as usize + 1 + at;
                let message = "did not find expected alphabetic or numeric character in the name of \
                               an anchor";
                return Err(Malformed::at(&doc.source, place, message)
                    .help("name it with letters, digits, `_` and `-`"));
            }
        }
        if let Some(tag) = node.tag_span() {
            let behind = text.as_bytes().get(tag.end as usize);
            if behind.is_some_and(|byte| !byte.is_ascii_whitespace()) {
                let message = "did not find expected whitespace or line break behind a tag";
                return Err(Malformed::at(&doc.source, tag.end as usize, message)
                    .help("put a blank behind it"));
            }
        }
    }
    Ok(())
}

/// In double quotes `\/`, which YAML 1.2 has for JSON's sake, and a tab behind a backslash: Go's reader
/// knows neither.
fn check_escapes(doc: &Doc) -> Result<(), Malformed> {
    for node in doc.nodes().filter(|node| node.kind() == Kind::DoubleQuoted) {
        let mut bytes = node.written().bytes().enumerate();
        while let Some((at, byte)) = bytes.next() {
            let escaped = if byte == b'\\' { bytes.next() } else { None };
            let help = match escaped {
                Some((_, b'/')) => "write `/` without the backslash",
                Some((_, b'\t')) => "write `\\t`",
                _ => continue,
            };
            let place = node.span().start as usize + at;
            let message = "found unknown escape character in double quotes";
            return Err(Malformed::at(&doc.source, place, message).help(help));
        }
    }
    Ok(())
}

/// Tabs where Go's reader counts blanks: at the start of a line outside of scalars and brackets,
/// and behind the dash, question mark or colon that opens an element, a key or a value there.
fn check_tabs(doc: &Doc) -> Result<(), Malformed> {
    if !doc.text().contains('\t') {
        return Ok(());
    }
    let bytes = &doc.source.text.as_bytes()[..doc.dropped.unwrap_or(doc.end) as usize];
    let mut covered = doc
        .nodes()
        .filter(|node| node.kind().is_scalar() || node.is_flow())
        .map(|node| node.span().range())
        .peekable();
    let mut line = doc.start as usize;
    while line < bytes.len() {
        while covered.next_if(|range| range.end <= line).is_some() {}
        let inside = covered.peek().is_some_and(|range| range.start < line);
        if inside {
            line = super::token::next_line(bytes, line);
            continue;
        }
        let mut at = line;
        loop {
            let blanks = bytes[at..]
                .iter()
                .take_while(|byte| b" \t".contains(byte))
                .count();
            if let Some(tab) = bytes[at..at + blanks]
                .iter()
                .position(|&byte| byte == b'\t')
            {
                let message = "found a tab character that violates indentation";
                return Err(Malformed::at(&doc.source, at + tab, message)
                    .help("indent with blanks; behind a dash stands a blank"));
            }
            at += blanks;
            match bytes.get(at..at + 2) {
                Some([b'-' | b'?' | b':', b' ' | b'\t']) => at += 1,
                _ => break,
            }
        }
        line = super::token::next_line(bytes, line);
    }
    Ok(())
}
