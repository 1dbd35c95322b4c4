//! Whether an object speaks of something at all, told from its bytes: most do not, and need no look at
//! each of their nodes.

use memchr::memmem::Finder;

use super::{Extra, Node, Text};

impl<'d> Node<'d> {
    /// Whether a scalar in it may hold this word, which has no blanks (lines may be folded there): where
    /// the answer is no, none does. It spares a look at every node for what few objects have.
    pub(crate) fn may_hold(self, word: &Finder<'_>) -> bool {
        !self.doc.is_straight()
            || word.find(self.written().as_bytes()).is_some()
            || word.find(self.decoded().as_bytes()).is_some()
    }

    /// The decoded texts in it, one behind the other.
    fn decoded(self) -> &'d str {
        let extras = &self.doc.extras;
        let from = extras.partition_point(|extra| extra.node < self.id.0);
        let behind = extras.partition_point(|extra| extra.node < self.end().0);
        let range = |extra: &Extra| match extra.text {
            Text::Decoded(start, end) => Some((start as usize, end as usize)),
            _ => None,
        };
        let mut ranges = extras[from..behind].iter().filter_map(range);
        let Some((start, end)) = ranges.next() else {
            return "";
        };
        let end = ranges.next_back().map_or(end, |(_, end)| end);
        &self.doc.decoded[start..end]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceMap;
    use crate::yaml::read_all;

    #[test]
    fn a_word_is_found_in_its_own_part_however_it_is_written() {
        let text = "a: {b: plain, c: \"\\x65scaped\"}\nd: ['si''ngle', \"fold\\\n  ed\"]\n";
        let source = SourceMap::default().add("a.yaml", text);
        let doc = read_all(&source).remove(0).expect("readable");
        let root = doc.root().expect("it has one");
        let holds = |key, word| {
            let node: Node<'_> = root.get(key).expect("it is there");
            node.may_hold(&Finder::new(word))
        };
        assert!(holds("a", "plain") && holds("a", "escaped"));
        assert!(holds("d", "si'ngle") && holds("d", "folded"));
        assert!(!holds("d", "plain") && !holds("d", "escaped") && !holds("a", "folded"));
        let aliased = SourceMap::default().add("b.yaml", "a: &a word\nb: {c: *a}\n");
        let doc = read_all(&aliased).remove(0).expect("readable");
        let b = doc.root().and_then(|root| root.get("b"));
        assert!(b.expect("it is there").may_hold(&Finder::new("word")));
    }
}
