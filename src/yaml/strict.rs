//! What Go's YAML reader refuses although yaml-rust2 reads it.
//!
//! Source: go.yaml.in/yaml/v3 v3.0.4 (`readerc.go`, `scannerc.go`, `parserc.go`), observed in
//! `spec/image-semantics.md` rules 72–78.

use super::parse::Malformed;
use super::split::Piece;
use super::{Doc, Kind, token};
use crate::source::Source;

/// Checks the text of a piece before it is read.
pub(crate) fn check_text(source: &Source, piece: Piece) -> Result<(), Malformed> {
    let start = piece.start as usize;
    let text = &source.text[start..piece.end as usize];
    if let Some(at) = control_character(text) {
        let found = text[at..].chars().next().unwrap_or_default();
        let message = format!("control characters are not allowed, found U+{:04X}", found as u32);
        return Err(Malformed::at(source, start + at, message)
            .help("take it out, or write it as an escape in double quotes"));
    }
    if let Some(at) = text.find(['\u{85}', '\u{2028}', '\u{2029}']) {
        let message = "a line end that only Go's reader knows (NEL, LS or PS); forebay reads LF and CRLF";
        return Err(Malformed::at(source, start + at, message)
            .help("end the line with LF, or write the character as an escape in double quotes"));
    }
    let content = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    for line in content.lines().take_while(|line| line.is_empty() || line.starts_with(['%', '#'])) {
        let Some(version) = line.strip_prefix("%YAML") else { continue };
        if version.split_ascii_whitespace().next() != Some("1.1") {
            let at = line.as_ptr() as usize - text.as_ptr() as usize;
            let message = format!("found incompatible YAML document: `{}`", line.trim_end());
            return Err(Malformed::at(source, start + at, message)
                .help("Go's reader knows `%YAML 1.1` only; take the line out"));
        }
    }
    let first = content.lines().find(|line| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with('#')
    });
    if let Some(line) = first.filter(|line| line.starts_with("...")) {
        let at = line.as_ptr() as usize - text.as_ptr() as usize;
        let message = "did not find expected node content, found the document's end `...`";
        return Err(Malformed::at(source, start + at, message).help("take the line out"));
    }
    Ok(())
}

/// The first character that `readerc.go` refuses.
fn control_character(text: &str) -> Option<usize> {
    let suspicious = |byte: u8| byte < 0x20 && !b"\t\n\r".contains(&byte) || byte >= 0x7F;
    let from = text.bytes().position(suspicious)?;
    text[from..].char_indices().find(|&(_, found)| !allowed(found)).map(|(at, _)| from + at)
}

fn allowed(found: char) -> bool {
    matches!(found,
        '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{A0}'..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}'
        | '\u{10000}'..='\u{10FFFF}')
}

/// Checks a document that was read.
pub(crate) fn check_doc(doc: &Doc) -> Result<(), Malformed> {
    for mapping in doc.nodes().filter(|node| node.is_mapping() && !node.is_flow()) {
        for (key, _) in mapping.entries() {
            let place = key.span().start as usize;
            let bare = key.kind() == Kind::Plain && key.written().is_empty();
            let named = key.tag().is_some() || key.anchor().is_some();
            if bare && !named && !doc.source.text[..place].trim_end().ends_with('?') {
                let message = "did not find expected key: a `:` with no key before it";
                return Err(Malformed::at(&doc.source, place, message));
            }
        }
    }
    if memchr::memchr(b'\t', doc.text().as_bytes()).is_some() {
        check_tabs(doc)?;
    }
    Ok(())
}

/// A tab may not stand where a block line's indentation is counted: before its first character,
/// also when that is a comment or nothing, and behind a dash (rule 76).
fn check_tabs(doc: &Doc) -> Result<(), Malformed> {
    let covered: Vec<(u32, u32)> = doc
        .nodes()
        .filter(|node| node.kind().is_scalar() || node.is_flow())
        .map(|node| (node.span().start, node.span().end))
        .collect();
    let bytes = &doc.source.text.as_bytes()[..doc.end as usize];
    let mut at = doc.start as usize;
    let mut next_covered = 0;
    while at < bytes.len() {
        let line = at;
        at = token::next_line(bytes, line);
        while covered.get(next_covered).is_some_and(|&(_, end)| end as usize <= line) {
            next_covered += 1;
        }
        let inside = covered[next_covered..]
            .iter()
            .take_while(|&&(start, _)| (start as usize) < line)
            .any(|&(_, end)| end as usize > line);
        if inside {
            continue;
        }
        if let Some(tab) = indentation_tab(&bytes[line..at]) {
            let message = "found a tab character that violates indentation";
            return Err(Malformed::at(&doc.source, line + tab, message).help("indent with blanks"));
        }
    }
    Ok(())
}

/// The place of a tab among the blanks and dashes that open a line.
fn indentation_tab(line: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        match line.get(at)? {
            b' ' => at += 1,
            b'\t' => return Some(at),
            b'-' | b'?' if matches!(line.get(at + 1), Some(b' ' | b'\t')) => at += 1,
            _ => return None,
        }
    }
}
