//! Where tokens begin and end in the text, which the events do not say.

/// What stands between two nodes: indicators, tags and anchors, passed over one at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gap {
    /// `&name`, from the ampersand to behind the name.
    Anchor(usize, usize),
    /// `!tag`, `!!tag` or `!<…>`.
    Tag(usize, usize),
    /// The header of a block scalar: its `|` or `>`.
    BlockHeader(usize),
    /// `-`, `?`, `:`, `,`, a bracket or brace, or a document marker: one past its last byte.
    Indicator(usize),
}

/// The next thing at or behind `at` and before `end` that is neither blank nor comment.
pub(crate) fn next_gap(bytes: &[u8], mut at: usize, end: usize) -> Option<Gap> {
    while at < end {
        match bytes[at] {
            b' ' | b'\t' | b'\r' | b'\n' => at += 1,
            b'#' | b'%' => at = line_end(bytes, at).min(end),
            b'&' => return Some(Gap::Anchor(at, property_end(bytes, at + 1))),
            b'!' => return Some(Gap::Tag(at, tag_end(bytes, at + 1))),
            b'|' | b'>' => return Some(Gap::BlockHeader(at)),
            0xEF if bytes[at..].starts_with(b"\xEF\xBB\xBF") => at += 3,
            _ => return Some(Gap::Indicator(at + 1)),
        }
    }
    None
}

/// One past the last byte of an anchor's or alias's name that begins at `at`.
pub(crate) fn property_end(bytes: &[u8], at: usize) -> usize {
    let length = bytes[at..]
        .iter()
        .take_while(|byte| !byte.is_ascii_whitespace() && !b",[]{}".contains(byte))
        .count();
    at + length
}

fn tag_end(bytes: &[u8], at: usize) -> usize {
    if bytes.get(at) == Some(&b'<') {
        memchr::memchr(b'>', &bytes[at..]).map_or(bytes.len(), |found| at + found + 1)
    } else {
        property_end(bytes, at)
    }
}

/// The end of the line that holds `at`: the place of its line break, or the end of the text.
pub(crate) fn line_end(bytes: &[u8], at: usize) -> usize {
    memchr::memchr2(b'\n', b'\r', &bytes[at..]).map_or(bytes.len(), |found| at + found)
}

/// One past the closing quote of a single-quoted scalar whose opening quote stands at `at`.
pub(crate) fn single_quoted_end(bytes: &[u8], at: usize) -> usize {
    let mut from = at + 1;
    while let Some(found) = memchr::memchr(b'\'', &bytes[from..]) {
        let quote = from + found;
        if bytes.get(quote + 1) == Some(&b'\'') {
            from = quote + 2;
        } else {
            return quote + 1;
        }
    }
    bytes.len()
}

/// One past the closing quote of a double-quoted scalar whose opening quote stands at `at`.
pub(crate) fn double_quoted_end(bytes: &[u8], at: usize) -> usize {
    let mut from = at + 1;
    while let Some(found) = memchr::memchr2(b'"', b'\\', &bytes[from..]) {
        let place = from + found;
        if bytes[place] == b'"' {
            return place + 1;
        }
        from = (place + 2).min(bytes.len());
    }
    bytes.len()
}

/// One past the last byte of a plain scalar that begins at `at` and whose folded text is `value`:
/// blanks and line breaks may differ, everything else stands in the text as it is.
pub(crate) fn plain_end(bytes: &[u8], at: usize, value: &str) -> usize {
    if bytes[at..].starts_with(value.as_bytes()) {
        return at + value.len();
    }
    let mut place = at;
    for byte in value.bytes().filter(|byte| !b" \t\n\r".contains(byte)) {
        while place < bytes.len() && b" \t\n\r".contains(&bytes[place]) {
            place += 1;
        }
        if bytes.get(place) != Some(&byte) {
            return place;
        }
        place += 1;
    }
    place
}

/// One past the last line of a block scalar whose header stands at `header` and whose content is
/// indented by `indent` blanks: the first line that is indented less and not blank ends it. Blank
/// lines at its end belong to it where the header says to keep them.
pub(crate) fn block_end(bytes: &[u8], header: usize, indent: usize, limit: usize) -> usize {
    let mut end = next_line(bytes, header).min(limit);
    let keep = bytes[header..end].iter().take(3).any(|&byte| byte == b'+');
    let mut at = end;
    while at < limit {
        let blanks = bytes[at..limit]
            .iter()
            .take_while(|&&byte| byte == b' ')
            .count();
        let break_at = line_end(bytes, at).min(limit);
        let blank = at + blanks >= break_at;
        if !blank && (blanks < indent || indent == 0 && bytes[at..].starts_with(b"...")) {
            break;
        }
        at = next_line(bytes, at).min(limit);
        if !blank || keep || blanks >= indent {
            end = at;
        }
    }
    end
}

/// The start of the line behind the one that holds `at`.
pub(crate) fn next_line(bytes: &[u8], at: usize) -> usize {
    let end = line_end(bytes, at);
    if bytes[end..].starts_with(b"\r\n") {
        end + 2
    } else {
        (end + 1).min(bytes.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_close_where_they_close() {
        assert_eq!(single_quoted_end(b"'a''b' c", 0), 6);
        assert_eq!(double_quoted_end(br#""a\"b\\" c"#, 0), 8);
    }

    #[test]
    fn a_folded_plain_scalar_ends_behind_its_last_word() {
        assert_eq!(plain_end(b"a b\n   c d\nx: y", 0, "a b c d"), 10);
    }

    #[test]
    fn a_block_ends_before_the_first_line_indented_less() {
        let text = b"k: |\n  a\n\n   b\n\nl: 1\n";
        assert_eq!(block_end(text, 3, 2, text.len()), 15);
    }
}
