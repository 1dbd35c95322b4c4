//! What Go's YAML reader refuses although yaml-rust2 reads it.
//!
//! Source: go.yaml.in/yaml/v3 v3.0.4 (`readerc.go`, `scannerc.go`, `parserc.go`), observed in
//! `spec/image-semantics.md` rules 72–78.

use super::Doc;
use super::parse::Malformed;
use super::split::Piece;
use crate::source::Source;

/// Checks the text of a piece before it is read.
pub(crate) fn check_text(source: &Source, piece: Piece) -> Result<(), Malformed> {
    let text = &source.text[piece.start as usize..piece.end as usize];
    if let Some(at) = control_character(text) {
        let place = piece.start as usize + at;
        let found = text[at..].chars().next().unwrap_or_default();
        let message = format!("control characters are not allowed, found U+{:04X}", found as u32);
        return Err(Malformed::at(source, place, message));
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
pub(crate) fn check_doc(_doc: &Doc) -> Result<(), Malformed> {
    Ok(())
}
