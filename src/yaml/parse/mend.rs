//! Two forms that Go's reader takes and yaml-rust2 refuses: a tab behind a colon, and a comment glued
//! to what stands before it.
//!
//! The parser is given a text of the same length in which the tab, or the comment, is blanks: every
//! place stays, and nodes are cut out of the text as it was written. A form is mended only where the
//! parser has met it between tokens; inside a quoted or a block scalar it never does.

use std::sync::Arc;

use super::{Builder, Mend, Refused};
use crate::source::Source;
use crate::yaml::parse::Malformed;
use crate::yaml::split::Piece;
use crate::yaml::{Doc, Node, token};

/// How often a document is read anew before its form is called unknown.
const MOST: usize = 64;

/// Reads the first document of a piece, mended where the parser asks for it.
pub(super) fn document(source: &Arc<Source>, piece: Piece) -> Result<Doc, Malformed> {
    let mut mended: Option<Mended> = None;
    let mut tries = 0;
    loop {
        let text = mended.as_ref().map(|mended| mended.text.as_str());
        let doc = match Builder::new(source, piece).document(text) {
            Ok(doc) => doc,
            Err(Refused {
                mend: Some(mend), ..
            }) if tries < MOST => {
                tries += 1;
                mended
                    .get_or_insert_with(|| Mended::new(source, piece))
                    .apply(&mend);
                continue;
            }
            Err(refused) => return Err(refused.fault),
        };
        let restored = mended
            .as_mut()
            .is_some_and(|mended| mended.restore_within_scalars(&doc));
        if !restored {
            return Ok(doc);
        }
    }
}

/// A text with blanks where the parser wants some.
struct Mended {
    /// Where the text begins in the source.
    base: usize,
    text: String,
    /// The tabs that are blanks now, by their place in the text.
    tabs: Vec<usize>,
}

impl Mended {
    fn new(source: &Arc<Source>, piece: Piece) -> Mended {
        let base = Builder::new(source, piece).base;
        Mended {
            base,
            text: source.text[base..piece.end as usize].to_owned(),
            tabs: Vec::new(),
        }
    }

    fn apply(&mut self, mend: &Mend) {
        match *mend {
            Mend::Comment(place) => {
                let from = place - self.base;
                let to = token::line_end(self.text.as_bytes(), from);
                self.blank(from, to);
            }
            // Whoever separates by tabs does so on more than one line, so all of them go at once.
            Mend::Tab(place) => {
                let line = self.text[..place - self.base].rfind('\n').unwrap_or(0);
                let tabs: Vec<usize> =
                    memchr::memmem::find_iter(&self.text.as_bytes()[line..], ":\t")
                        .map(|colon| line + colon + 1)
                        .collect();
                for &tab in &tabs {
                    self.blank(tab, tab + 1);
                }
                self.tabs.extend(tabs);
            }
        }
    }

    fn blank(&mut self, from: usize, to: usize) {
        self.text.replace_range(from..to, &" ".repeat(to - from));
    }

    /// Puts the tabs back that stand inside of scalars, whose text they belong to; whether there
    /// were any. What the document is made of does not depend on them.
    fn restore_within_scalars(&mut self, doc: &Doc) -> bool {
        let mut scalars = doc
            .nodes()
            .filter(|node| node.kind().is_scalar())
            .map(Node::span)
            .peekable();
        let base = self.base;
        let tabs = std::mem::take(&mut self.tabs);
        let within = |tab: &usize| {
            let place = base + tab;
            while scalars.next_if(|span| span.end as usize <= place).is_some() {}
            scalars
                .peek()
                .is_some_and(|span| span.start as usize <= place)
        };
        let inside: Vec<usize> = tabs.into_iter().filter(within).collect();
        for &tab in &inside {
            self.text.replace_range(tab..=tab, "\t");
        }
        !inside.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::super::law::span_law;
    use super::super::read_first;
    use crate::source::SourceMap;
    use crate::yaml::Node;

    /// The scalars of a text, and that the span law holds for it.
    fn scalars(text: &str) -> Vec<String> {
        let source = SourceMap::default().add("a.yaml", text);
        let doc = read_first(&source).unwrap_or_else(|fault| panic!("{}: {text:?}", fault.message));
        span_law(&doc).unwrap_or_else(|fault| panic!("{text:?}: {fault}"));
        doc.nodes()
            .filter_map(Node::text)
            .map(str::to_owned)
            .collect()
    }

    #[test]
    fn a_tab_behind_a_colon_separates() {
        assert_eq!(scalars("image:\tx\t\n"), ["image", "x"]);
        assert_eq!(
            scalars("a:\t\tb\nc:\t-1\nd: {e:\tf}\n"),
            ["a", "b", "c", "-1", "d", "e", "f"]
        );
        assert_eq!(scalars("é:\tб\na:\tb # c:\td\n"), ["é", "б", "a", "b"]);
    }

    #[test]
    fn tabs_inside_of_scalars_stay() {
        assert_eq!(
            scalars("a:\tb\nc: \"d:\te\"\nf: 'g:\th'\ni: |\n  j:\tk\nl:\tm\n"),
            [
                "a", "b", "c", "d:\te", "f", "g:\th", "i", "j:\tk\n", "l", "m"
            ]
        );
    }

    #[test]
    fn a_comment_glued_to_a_token_is_one() {
        assert_eq!(scalars("a: \"b\"#c\nd: 'e'# f: g\n"), ["a", "b", "d", "e"]);
        assert_eq!(scalars("a: [b]#c\nd: {}#e\n"), ["a", "b", "d"]);
        assert_eq!(
            scalars("a: |#é\n  b#c\nd: e#f\n"),
            ["a", "b#c\n", "d", "e#f"]
        );
    }

    #[test]
    fn a_thousand_lines_of_tabs_are_read_twice_and_not_a_thousand_times() {
        assert_eq!(scalars(&"- k:\tv\n".repeat(1_000)).len(), 2_000);
    }

    #[test]
    fn too_many_glued_comments_are_refused_with_a_place() {
        let source = SourceMap::default().add("a.yaml", "- \"a\"#c\n".repeat(100));
        let fault = read_first(&source).expect_err("more than are mended");
        assert!(fault.message.contains("does not know"), "{}", fault.message);
        assert!(fault.span.start > 0);
    }
}
