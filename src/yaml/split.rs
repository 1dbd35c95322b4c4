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
/// start. A `---` on a last line without a newline closes nothing either, and the line behind a
/// separator is none to kustomize; cutting there too makes an empty piece, and it is not done where
/// more than a comment stands behind the `---`.
pub(crate) fn pieces(source: &Source) -> Vec<Piece> {
    let bytes = source.text.as_bytes();
    let separators = memchr::memmem::Finder::new(b"\n---");
    let mut pieces = Vec::new();
    let (mut start, mut from) = (0, 0);
    // Where kustomize looks for the next separator: behind the newline of the last, which it needs.
    let mut behind = 0;
    while let Some(found) = separators.find(&bytes[from..]) {
        let separator = from + found + 1;
        let Some(line_end) = memchr::memchr(b'\n', &bytes[separator..]).map(|at| separator + at)
        else {
            break;
        };
        from = line_end;
        let bad_separator = bad_tail(bytes, separator + 3, line_end).map(offset);
        if separator > behind {
            behind = line_end + 1;
        } else if bad_separator.is_some() {
            continue;
        }
        pieces.push(Piece {
            start: offset(start),
            end: offset(separator),
            bad_separator,
        });
        start = line_end + 1;
    }
    pieces.push(Piece {
        start: offset(start),
        end: offset(bytes.len()),
        bad_separator: None,
    });
    pieces
}

/// The same pieces, but directives (`%YAML 1.1`) together with the document behind them, as a reader
/// has them who is given that document by itself.
pub(crate) fn with_directives(source: &Source, pieces: &[Piece]) -> Vec<Piece> {
    let mut joined: Vec<Piece> = Vec::with_capacity(pieces.len());
    let mut waiting = None;
    for (at, piece) in pieces.iter().enumerate() {
        let start = waiting.take().unwrap_or(piece.start);
        let text = &source.text[piece.start as usize..piece.end as usize];
        if directives_alone(text).is_some() && at + 1 < pieces.len() {
            waiting = Some(start);
        } else {
            joined.push(Piece { start, ..*piece });
        }
    }
    joined
}

/// The place of the first directive in a text that holds directives and nothing else.
pub(crate) fn directives_alone(text: &str) -> Option<usize> {
    let mut place = 0;
    let mut first = None;
    for line in text.split_inclusive('\n') {
        let content = line.trim_start_matches('\u{FEFF}').trim_end();
        if content.starts_with('%') {
            first = first.or(Some(place));
        } else if !content.is_empty() && !content.starts_with('#') {
            return None;
        }
        place += line.len();
    }
    first
}

/// The place of the text that stands behind a `---` where Kubernetes' reader allows only blanks and
/// comments: unlike kustomize it looks at the first line and at a last one without a newline too.
///
/// Source: apimachinery v0.35 `util/yaml` `YAMLReader.Read`.
pub(crate) fn bad_separator(source: &Source) -> Option<u32> {
    let bytes = source.text.as_bytes();
    let first = bytes.starts_with(b"---").then_some(0);
    let behind = memchr::memmem::find_iter(bytes, b"\n---").map(|at| at + 1);
    first.into_iter().chain(behind).find_map(|line| {
        let end = memchr::memchr(b'\n', &bytes[line..]).map_or(bytes.len(), |at| line + at);
        bad_tail(bytes, line + 3, end).map(offset)
    })
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
    fn the_line_behind_a_separator_is_none() {
        let of = |text: &str| {
            let source = SourceMap::default().add("a.yaml", text);
            let bad = pieces(&source)
                .iter()
                .any(|piece| piece.bad_separator.is_some());
            (texts(text).join("|"), bad)
        };
        let cut = |text: &str| (text.to_owned(), false);
        assert_eq!(of("a: 1\n---\n--- {b: 2}\n"), cut("a: 1\n|--- {b: 2}\n"));
        assert_eq!(of("a: 1\n---\n---\nb: 2\n"), cut("a: 1\n||b: 2\n"));
        assert!(of("a: 1\n---\n---\n--- {b: 2}\n").1);
        assert!(of("a: 1\n---\n\n--- {b: 2}\n").1);
        assert!(of("---\n--- {b: 2}\n").1);
    }

    #[test]
    fn directives_go_with_their_document_where_that_is_asked_for() {
        let joined = |text: &str| -> Vec<String> {
            let source = SourceMap::default().add("a.yaml", text);
            with_directives(&source, &pieces(&source))
                .iter()
                .map(|piece| source.text[piece.start as usize..piece.end as usize].to_owned())
                .collect()
        };
        assert_eq!(joined("%YAML 1.1\n---\na: 1\n"), ["%YAML 1.1\n---\na: 1\n"]);
        assert_eq!(
            joined("a: 1\n---\n# c\n%TAG ! x\n%YAML 1.1\n--- # d\nb: 1\n---\nc: 1\n"),
            [
                "a: 1\n",
                "# c\n%TAG ! x\n%YAML 1.1\n--- # d\nb: 1\n",
                "c: 1\n"
            ]
        );
        assert_eq!(joined("# c\n---\na: 1\n"), ["# c\n", "a: 1\n"]);
        assert_eq!(joined("%YAML 1.1\n"), ["%YAML 1.1\n"]);
    }

    #[test]
    fn kubernetes_looks_at_the_first_and_the_last_line_too() {
        let bad = |text: &str| bad_separator(&SourceMap::default().add("a.yaml", text));
        assert_eq!(bad("--- {a: 1}\n"), Some(4));
        assert_eq!(bad("a: 1\n---x"), Some(8));
        assert_eq!(bad("---\na: 1\n--- # c\n---\t\r\nb: |\n  --- c\n---"), None);
    }

    #[test]
    fn text_behind_a_separator_is_found() {
        let source = SourceMap::default().add("a.yaml", "a: 1\n---  {b: 2}\nc: 3\n");
        assert_eq!(pieces(&source)[0].bad_separator, Some(10));
    }
}
