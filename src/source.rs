//! Who said what, where: the texts that were read, places in them, and edits to them.
//!
//! Nothing here knows YAML. Lines and columns are computed only when something is printed.

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// The number of a [`Source`] in its [`SourceMap`], in the order of reading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(pub u32);

/// One text that was read.
#[derive(Debug)]
pub struct Source {
    /// Its place in the map.
    pub id: SourceId,
    /// The name it is shown by: a path relative to the working directory with `/`, `-` for stdin,
    /// or `embedded/NAME` for a file of the embedded set.
    pub path: String,
    /// The text, byte for byte as read; empty where it was too large to keep.
    pub text: String,
    /// The places that were noted in a text that was not kept, by byte, in order.
    pub places: Vec<(u32, LineCol)>,
    /// How many lines end before each [`BLOCK`] of the text, once a place was asked for.
    lines: OnceLock<Box<[usize]>>,
}

/// So many bytes are counted for a place; all before them are counted once.
const BLOCK: usize = 16 << 10;

impl Source {
    /// A text with its number and the name it is shown by.
    pub(crate) fn new(id: SourceId, path: String, text: String) -> Source {
        Source {
            id,
            path,
            text,
            places: Vec::new(),
            lines: OnceLock::new(),
        }
    }

    /// The place of the byte `offset`; one past the end is the end of the last line. Of a text that
    /// was not kept: counted from the noted place before it, as if on that place's line.
    pub fn line_col(&self, offset: u32) -> LineCol {
        let noted = self.places.partition_point(|(at, _)| *at <= offset);
        if let Some((at, place)) = noted.checked_sub(1).map(|noted| self.places[noted]) {
            let column = place.column + (offset - at) as usize;
            return LineCol { column, ..place };
        }
        let offset = (offset as usize).min(self.text.len());
        let before = &self.text.as_bytes()[..offset];
        let line_start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        let block = offset / BLOCK;
        let line = self.lines_before()[block] + line_ends(&before[block * BLOCK..]) + 1;
        let column = self
            .text
            .get(line_start..offset)
            .map_or(0, |text| text.chars().count())
            + 1;
        LineCol { line, column }
    }

    fn lines_before(&self) -> &[usize] {
        self.lines.get_or_init(|| {
            let blocks = self.text.as_bytes().chunks(BLOCK);
            let counted = blocks.scan(0, |lines, block| {
                *lines += line_ends(block);
                Some(*lines)
            });
            std::iter::once(0).chain(counted).collect()
        })
    }

    /// The byte range of the line that holds the byte `offset`, without its line end.
    pub fn line_at(&self, offset: u32) -> Range<usize> {
        let bytes = self.text.as_bytes();
        let offset = (offset as usize).min(bytes.len());
        let start = memchr::memrchr(b'\n', &bytes[..offset]).map_or(0, |at| at + 1);
        let mut end = memchr::memchr(b'\n', &bytes[offset..]).map_or(bytes.len(), |at| offset + at);
        if end > start && bytes[end - 1] == b'\r' {
            end -= 1;
        }
        start..end
    }
}

fn line_ends(bytes: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', bytes).count()
}

/// All texts of a run, in the order of reading.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    sources: Vec<Arc<Source>>,
}

impl SourceMap {
    /// Adds a text under the name it is shown by; the same name may stand twice.
    ///
    /// # Panics
    ///
    /// With 2³² texts; `load` refuses a text of 4 GiB before it comes here.
    pub fn add(&mut self, path: impl Into<String>, text: impl Into<String>) -> Arc<Source> {
        self.push(path.into(), text.into(), Vec::new())
    }

    /// Adds a text that was read and not kept, with the places noted in it, in order of their bytes.
    ///
    /// # Panics
    ///
    /// With 2³² texts.
    pub fn add_noted(
        &mut self,
        path: impl Into<String>,
        places: Vec<(u32, LineCol)>,
    ) -> Arc<Source> {
        self.push(path.into(), String::new(), places)
    }

    /// The number that the next text gets.
    ///
    /// # Panics
    ///
    /// With 2³² texts.
    pub fn next_id(&self) -> SourceId {
        SourceId(u32::try_from(self.sources.len()).expect("fewer than 2^32 sources"))
    }

    fn push(&mut self, path: String, text: String, places: Vec<(u32, LineCol)>) -> Arc<Source> {
        let source = Arc::new(Source {
            places,
            ..Source::new(self.next_id(), path, text)
        });
        self.sources.push(Arc::clone(&source));
        source
    }

    /// The text with this number.
    ///
    /// # Panics
    ///
    /// When the number is another map's.
    pub fn get(&self, id: SourceId) -> &Arc<Source> {
        &self.sources[id.0 as usize]
    }

    /// Every text, in the order of reading.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Source>> {
        self.sources.iter()
    }

    /// The bytes that a span covers.
    pub fn text(&self, span: Span) -> &str {
        &self.get(span.source).text[span.range()]
    }
}

/// A place: a text and a byte range in it. The one position type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The text.
    pub source: SourceId,
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The range, to index the text with.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// From the start of `self` to the end of `other`, both of one text.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span {
            end: other.end.max(self.end),
            ..self
        }
    }
}

/// A line and a column, both counted from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineCol {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl fmt::Display for LineCol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A replacement: the bytes of `span` become `text`; an empty span inserts before its start.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    /// What goes.
    pub span: Span,
    /// What comes.
    pub text: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_characters_from_one() {
        let mut map = SourceMap::default();
        let source = map.add("a.yaml", "ключ: a\r\nb: ж\n");
        assert_eq!(source.line_col(0), LineCol { line: 1, column: 1 });
        assert_eq!(source.line_col(10), LineCol { line: 1, column: 7 });
        assert_eq!(source.line_col(13), LineCol { line: 2, column: 1 });
        assert_eq!(source.line_col(99), LineCol { line: 3, column: 1 });
        assert_eq!(&source.text[source.line_at(3)], "ключ: a");
    }

    #[test]
    fn places_of_a_text_that_is_not_kept_are_those_noted() {
        let mut map = SourceMap::default();
        let at = |line, column| LineCol { line, column };
        let noted = vec![(10, at(2, 3)), (90, at(7, 1))];
        let source = map.add_noted("a.json", noted);
        assert_eq!(source.line_col(10), at(2, 3));
        assert_eq!(source.line_col(14), at(2, 7));
        assert_eq!(source.line_col(90), at(7, 1));
        assert_eq!(source.line_col(9), at(1, 1));
    }
}
