//! A file cut into pieces at its `---` lines, as kustomize and kubectl cut it: by text, before any
//! YAML is read, so also inside a quoted or block scalar at column 0.
//!
//! Source: kyaml v0.20.1 `kio.splitDocuments` and `ByteReader`; `spec/image-semantics.md` rule 72.

use crate::source::Source;

/// A piece of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// Its first byte: behind the line of the separator that opens it.
    pub(crate) start: u32,
    /// One past its last byte: at the `---` of the next separator, or the end of the text.
    pub(crate) end: u32,
    /// The first byte of the text that stands on the closing separator's line where only blanks or
    /// a comment may stand.
    pub(crate) bad_separator: Option<u32>,
}

/// The pieces of a text in order; at least one. The first line is never a separator; what opens
/// with one gives a piece whose text still holds it, which the reader takes for the document's
/// start. A `---` on a last line without a newline closes nothing either.
pub(crate) fn pieces(source: &Source) -> Vec<Piece> {
    let bytes = source.text.as_bytes();
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut from = 0;
    while let Some(found) = memchr::memmem::find(&bytes[from..], b"\n---") {
        let separator = from + found + 1;
        let Some(line_end) = memchr::memchr(b'\n', &bytes[separator..]).map(|at| separator + at)
        else {
            break;
        };
        pieces.push(Piece {
            start: offset(start),
            end: offset(separator),
            bad_separator: bad_tail(bytes, separator + 3, line_end).map(offset),
        });
        start = line_end + 1;
        from = line_end;
    }
    pieces.push(Piece {
        start: offset(start),
        end: offset(bytes.len()),
        bad_separator: None,
    });
    pieces
}

/// The place of what stands behind `---` though it is neither blank nor a comment.
fn bad_tail(bytes: &[u8], from: usize, to: usize) -> Option<usize> {
    let tail = bytes[from..to].trim_ascii_end();
    let blanks = tail
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace())
        .count();
    match tail.get(blanks) {
        None | Some(b'#') => None,
        Some(_) => Some(from + blanks),
    }
}

/// A byte offset as the spans keep it.
pub(crate) fn offset(at: usize) -> u32 {
    u32::try_from(at).expect("load refuses a text of 4 GiB")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceMap;

    fn texts(text: &str) -> Vec<String> {
        let source = SourceMap::default().add("a.yaml", text);
        pieces(&source)
            .iter()
            .map(|piece| source.text[piece.start as usize..piece.end as usize].to_owned())
            .collect()
    }

    #[test]
    fn separators_are_lines_that_begin_with_three_dashes() {
        assert_eq!(texts("a: 1\n---\nb: 2\n"), ["a: 1\n", "b: 2\n"]);
        assert_eq!(
            texts("---\na: 1\n--- # c\nb: 2\n"),
            ["---\na: 1\n", "b: 2\n"]
        );
        assert_eq!(texts("a: 1\r\n---\r\nb: 2\r\n"), ["a: 1\r\n", "b: 2\r\n"]);
        assert_eq!(texts("a: 1\n---"), ["a: 1\n---"]);
        assert_eq!(texts("a: |\n  ---\nb: 1\n"), ["a: |\n  ---\nb: 1\n"]);
    }

    #[test]
    fn text_behind_a_separator_is_found() {
        let source = SourceMap::default().add("a.yaml", "a: 1\n---  {b: 2}\nc: 3\n");
        assert_eq!(pieces(&source)[0].bad_separator, Some(10));
    }
}
