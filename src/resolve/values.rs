//! Values files joined as Helm joins them: maps deeply, lists replaced, `null` deletes.
//!
//! Source: Helm `pkg/cli/values` `mergeMaps`, and `design/cli.md`, "Inputs". The result is a view:
//! every leaf is the node that won, with its place.

use crate::yaml::scalar::{Reader, Scalar, resolve};
use crate::yaml::{Doc, Node};

/// A value that came out of one or more files.
#[derive(Clone, Debug)]
pub(crate) enum Merged<'d> {
    /// A mapping, by key, in the order in which the keys were met first.
    Map(Vec<(&'d str, Merged<'d>)>),
    /// A list or a scalar, as the last file has it.
    Leaf(Node<'d>),
}

impl<'d> Merged<'d> {
    /// The value under a route of keys.
    pub(crate) fn at(&self, route: &[&str]) -> Option<&Merged<'d>> {
        let mut value = self;
        for key in route {
            let Merged::Map(entries) = value else {
                return None;
            };
            value = &entries.iter().find(|(name, _)| name == key)?.1;
        }
        Some(value)
    }

    /// The node of a list or a scalar.
    pub(crate) fn leaf(&self) -> Option<Node<'d>> {
        match self {
            Merged::Leaf(node) => Some(*node),
            Merged::Map(_) => None,
        }
    }
}

/// The values of several documents, the later ones over the earlier. A document that is no mapping
/// brings nothing; keys that are no scalars neither.
pub(crate) fn merge<'d>(docs: impl IntoIterator<Item = &'d Doc>) -> Merged<'d> {
    let mut values = Vec::new();
    for root in docs.into_iter().filter_map(Doc::root) {
        lay_over(&mut values, root.resolved());
    }
    Merged::Map(values)
}

/// Lays the entries of a mapping over what is there.
fn lay_over<'d>(under: &mut Vec<(&'d str, Merged<'d>)>, over: Node<'d>) {
    for (key, value) in over.entries() {
        let (Some(key), value) = (key.resolved().text(), value.resolved()) else {
            continue;
        };
        let place = under.iter().position(|(name, _)| *name == key);
        if matches!(resolve(value, Reader::Kubernetes), Some(Scalar::Null)) {
            if let Some(place) = place {
                under.remove(place);
            }
            continue;
        }
        if !value.is_mapping() {
            put(under, place, key, Merged::Leaf(value));
            continue;
        }
        let mut entries = match place.map(|place| &mut under[place].1) {
            Some(Merged::Map(entries)) => std::mem::take(entries),
            _ => Vec::new(),
        };
        lay_over(&mut entries, value);
        put(under, place, key, Merged::Map(entries));
    }
}

fn put<'d>(
    under: &mut Vec<(&'d str, Merged<'d>)>,
    place: Option<usize>,
    key: &'d str,
    value: Merged<'d>,
) {
    match place {
        Some(place) => under[place].1 = value,
        None => under.push((key, value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceMap;

    fn docs(texts: &[&str]) -> Vec<Doc> {
        let mut sources = SourceMap::default();
        let read = |text: &&str| crate::load::documents(&sources.add("v.yaml", *text)).0;
        texts.iter().flat_map(read).collect()
    }

    #[test]
    fn maps_are_joined_lists_replaced_and_null_deletes() {
        let docs = docs(&[
            "a: {x: 1, y: 2, l: [1, 2]}\nb: 1\n",
            "a: {y: 3, l: [9]}\nb: ~\nc: {d: 4}\n",
        ]);
        let values = merge(&docs);
        let text = |route: &[&str]| values.at(route).and_then(Merged::leaf).and_then(Node::text);
        assert_eq!(text(&["a", "x"]), Some("1"));
        assert_eq!(text(&["a", "y"]), Some("3"));
        assert_eq!(text(&["c", "d"]), Some("4"));
        assert!(values.at(&["b"]).is_none());
        let list = values
            .at(&["a", "l"])
            .and_then(Merged::leaf)
            .expect("a list");
        assert_eq!(list.items().count(), 1);
        assert_eq!(list.doc().source.id.0, 1);
    }

    #[test]
    fn a_map_takes_the_place_of_a_scalar() {
        let docs = docs(&["a: 1\n", "a: {b: 2}\n", "a: {c: 3}\n"]);
        let values = merge(&docs);
        assert!(values.at(&["a", "b"]).is_some() && values.at(&["a", "c"]).is_some());
    }
}
