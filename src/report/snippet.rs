//! A line of a source as it is shown: bounded, secrets masked, with the columns of what it points at.
//!
//! Not here: how it is drawn ([`super::text`]).

use std::ops::Range;

use crate::source::{Source, Span};

/// How many characters of a line are shown.
const WIDTH: usize = 120;
/// How many of them stand before the first place pointed at, where a line is cut.
const BEFORE: usize = 40;
/// What a secret is shown as.
const MASK: &str = "***";

/// A line to show.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// The text, secrets masked, whole; without the line end.
    text: String,
    /// Where each byte of the source that stays stands in `text`: runs of (source, shown, length).
    runs: Vec<(usize, usize, usize)>,
}

impl Line {
    /// The line of `source` at these bytes. `secrets` may be of any source and in any order.
    pub(super) fn new(source: &Source, bytes: Range<usize>, secrets: &[Span]) -> Line {
        let mut hidden: Vec<Range<usize>> = secrets
            .iter()
            .filter(|secret| secret.source == source.id && secret.start < secret.end)
            .map(|secret| secret.range().start.max(bytes.start)..secret.range().end.min(bytes.end))
            .filter(|secret| secret.start < secret.end)
            .collect();
        hidden.sort_by_key(|secret| secret.start);
        let mut line = Line {
            text: String::new(),
            runs: Vec::new(),
        };
        let mut at = bytes.start;
        for secret in hidden {
            if secret.end <= at {
                continue;
            }
            if secret.start >= at {
                line.keep(source, at..secret.start);
                line.text.push_str(MASK);
            }
            at = secret.end;
        }
        line.keep(source, at..bytes.end);
        line
    }

    fn keep(&mut self, source: &Source, bytes: Range<usize>) {
        self.runs.push((bytes.start, self.text.len(), bytes.len()));
        self.text.push_str(&source.text[bytes]);
    }

    /// The whole line, secrets masked.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// A range of the source's bytes in `text`: half a secret becomes the whole mask.
    pub(super) fn shown(&self, bytes: &Range<usize>) -> Range<usize> {
        self.offset(bytes.start, false)..self.offset(bytes.end, bytes.end > bytes.start)
    }

    fn offset(&self, byte: usize, is_end: bool) -> usize {
        let mut before = 0;
        for (number, &(source, shown, length)) in self.runs.iter().enumerate() {
            if byte < source {
                return if is_end { shown } else { before };
            }
            // What begins where a secret begins is the mask; what ends there ends before it.
            let last = number + 1 == self.runs.len();
            if byte < source + length || (byte == source + length && (is_end || last)) {
                return shown + (byte - source);
            }
            before = shown + length;
        }
        if is_end { self.text.len() } else { before }
    }

    /// The line cut to [`WIDTH`] characters round the first of these ranges of `text`, which follow.
    pub(super) fn cut(&self, places: &mut [Range<usize>]) -> String {
        if self.text.len() <= WIDTH || self.text.chars().count() <= WIDTH {
            return self.text.clone();
        }
        let first = places.iter().map(|place| place.start).min().unwrap_or(0);
        let back = |from: usize, count: usize| {
            self.text[..from]
                .char_indices()
                .rev()
                .take(count)
                .last()
                .map_or(from, |(at, _)| at)
        };
        let forth = |from: usize, count: usize| {
            self.text[from..]
                .char_indices()
                .nth(count)
                .map_or(self.text.len(), |(at, _)| from + at)
        };
        let mut start = back(first, BEFORE);
        let end = forth(start, WIDTH);
        if end == self.text.len() {
            start = back(end, WIDTH);
        }
        let lead = if start > 0 { "…" } else { "" };
        let tail = if end < self.text.len() { "…" } else { "" };
        for place in places {
            let moved = |at: usize| at.clamp(start, end) - start + lead.len();
            *place = moved(place.start)..moved(place.end);
        }
        format!("{lead}{}{tail}", &self.text[start..end])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceMap;

    fn line(text: &str, secrets: &[Range<u32>]) -> Line {
        let mut sources = SourceMap::default();
        let source = sources.add("a.yaml", text);
        let secrets: Vec<Span> = secrets
            .iter()
            .map(|range| Span {
                source: source.id,
                start: range.start,
                end: range.end,
            })
            .collect();
        Line::new(&source, source.line_at(0), &secrets)
    }

    #[test]
    fn a_secret_is_masked_and_what_stands_behind_it_moves() {
        let line = line("a: hunter2, b: 1", &[3..10, 5..8]);
        assert_eq!(line.text(), "a: ***, b: 1");
        assert_eq!(&line.text()[line.shown(&(12..13))], "b");
        assert_eq!(&line.text()[line.shown(&(3..10))], "***");
        assert_eq!(&line.text()[line.shown(&(5..7))], "***");
        assert_eq!(&line.text()[line.shown(&(0..1))], "a");
        assert_eq!(&line.text()[line.shown(&(0..3))], "a: ");
        assert_eq!(&line.text()[line.shown(&(1..16))], ": ***, b: 1");
    }

    #[test]
    fn a_secret_of_many_lines_masks_every_line() {
        let mut sources = SourceMap::default();
        let source = sources.add("a.yaml", "a: |\n  one\n  two\nb: 1\n");
        let secret = Span {
            source: source.id,
            start: 3,
            end: 17,
        };
        let shown = |at| {
            Line::new(&source, source.line_at(at), &[secret])
                .text()
                .to_owned()
        };
        assert_eq!(
            [shown(0), shown(6), shown(12), shown(18)],
            ["a: ***", "***", "***", "b: 1"]
        );
    }

    #[test]
    fn a_long_line_is_cut_round_the_place() {
        let text = format!("{}word{}", "ж".repeat(500), "я".repeat(500));
        let mut places = [1000..1004];
        let cut = line(&text, &[]).cut(&mut places);
        assert_eq!(cut.chars().count(), WIDTH + 2);
        assert_eq!(&cut[places[0].clone()], "word");
        let mut places = [2004..2004];
        let cut = line(&text, &[]).cut(&mut places);
        assert_eq!(places[0], cut.len()..cut.len());
    }
}
