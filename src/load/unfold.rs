//! Values that cannot be unfolded: an anchor that holds itself, aliases that multiply without bound.
//! Helm refuses such a file before it joins it with others.
//!
//! Source: go-yaml v2 and v3 `decode.go` ("anchor … value contains itself", "excessive aliasing"). Its
//! measure of excess is a share of aliases that sinks up to [`MOST`] values; ours is that count alone.

use crate::yaml::{Doc, Malformed, Node};

/// How many values aliases may unfold to: go-yaml's `alias_ratio_range_high`.
const MOST: usize = 4_000_000;

/// The documents that can be unfolded; what is wrong with the others comes to `faults`.
pub(super) fn unfolding(docs: Vec<Doc>, faults: &mut Vec<Malformed>) -> Vec<Doc> {
    without(docs, faults, |doc| endless(doc).or_else(|| excess(doc)))
}

/// The documents whose aliases do not multiply without bound; what is wrong with the others comes to
/// `faults`. An anchor that holds itself passes: some readers take it.
pub(super) fn bounded(docs: Vec<Doc>, faults: &mut Vec<Malformed>) -> Vec<Doc> {
    without(docs, faults, excess)
}

fn without(
    mut docs: Vec<Doc>,
    faults: &mut Vec<Malformed>,
    fault: impl Fn(&Doc) -> Option<Malformed>,
) -> Vec<Doc> {
    docs.retain(|doc| {
        let found = if doc.has_anchors() { fault(doc) } else { None };
        let fine = found.is_none();
        faults.extend(found);
        fine
    });
    docs
}

fn endless(doc: &Doc) -> Option<Malformed> {
    let mut aliases = doc.nodes().filter_map(|node| Some((node, node.target()?)));
    let inside = |(node, target): &(Node<'_>, Node<'_>)| target.encloses(*node);
    aliases.find(inside).map(|(node, target)| {
        let name = target.anchor().unwrap_or_default();
        let place = node.span().start as usize;
        let message = format!("`*{name}` stands inside of `&{name}`, so that it would hold itself");
        let help = "write out what is meant, or move the anchor to another value";
        Malformed::at(&doc.source, place, message).help(help)
    })
}

fn excess(doc: &Doc) -> Option<Malformed> {
    if unfolded(doc) <= MOST {
        return None;
    }
    let message = format!("the aliases unfold to more than {MOST} values, expected fewer");
    let place = doc.root()?.span().start as usize;
    Some(Malformed::at(&doc.source, place, message).help("write fewer anchors inside of anchors"))
}

/// How many values the document has once each alias is what it names; one inside of its own anchor
/// counts as one.
fn unfolded(doc: &Doc) -> usize {
    let mut sizes = vec![1_usize; doc.nodes().len()];
    let mut open: Vec<Node<'_>> = Vec::new();
    let close = |open: &mut Vec<Node<'_>>, sizes: &mut [usize]| {
        let done = open.pop().map_or(0, |node| sizes[node.id().0 as usize]);
        if let Some(parent) = open.last() {
            let size = &mut sizes[parent.id().0 as usize];
            *size = size.saturating_add(done);
        }
    };
    for node in doc.nodes() {
        while open.last().is_some_and(|last| last.end() <= node.id()) {
            close(&mut open, &mut sizes);
        }
        if let Some(target) = node.target().filter(|target| !target.encloses(node)) {
            sizes[node.id().0 as usize] = sizes[target.id().0 as usize];
        }
        open.push(node);
    }
    while !open.is_empty() {
        close(&mut open, &mut sizes);
    }
    sizes.first().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceMap;
    use crate::yaml::read_all;

    fn faults(text: &str) -> Vec<String> {
        let source = SourceMap::default().add("v.yaml", text);
        let mut faults = Vec::new();
        unfolding(
            read_all(&source).into_iter().flatten().collect(),
            &mut faults,
        );
        faults.into_iter().map(|fault| fault.message).collect()
    }

    #[test]
    fn an_anchor_that_holds_itself_is_told() {
        for text in ["x: &c\n  a: *c\n", "x: &c {<<: *c}\n", "- &c [1, [*c]]\n"] {
            let told = "`*c` stands inside of `&c`, so that it would hold itself";
            assert_eq!(faults(text), [told], "{text}");
        }
    }

    #[test]
    fn aliases_that_multiply_are_told() {
        let level = |level| format!("a{level}: &a{level} {{x: *a{0}, y: *a{0}}}\n", level - 1);
        let levels = |count| (1..count).map(level).collect::<String>();
        let text = |count| format!("a0: &a0 {{k: v}}\n{}", levels(count));
        assert_eq!(faults(&text(80)).len(), 1);
        assert!(faults(&text(10)).is_empty());
    }

    #[test]
    fn an_alias_inside_of_its_anchor_is_followed_by_nobody() {
        let text = "x: &c\n  a: *c\n  <<: *c\n";
        let source = SourceMap::default().add("v.yaml", text);
        let docs: Vec<Doc> = read_all(&source).into_iter().flatten().collect();
        let alias = docs[0].nodes().find(|node| node.target().is_some());
        let alias = alias.expect("it is there");
        assert_eq!(alias.resolved(), alias);
        assert_eq!(bounded(docs.clone(), &mut Vec::new()).len(), 1);
    }

    #[test]
    fn what_ends_is_let_alone() {
        assert!(faults("a: &c {b: 1}\nd: *c\ne: {<<: *c}\n---\n- &c 1\n- *c\n").is_empty());
    }
}
