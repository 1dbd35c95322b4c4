//! Fields read by their route and type, as the API server reads them.
//!
//! Not here: what a field means. A value of another type counts as absent.

use crate::yaml::Node;
use crate::yaml::scalar::{Reader, Scalar, resolve};

/// The string under a route; an empty one counts as absent, as Go's omitted fields do.
pub(crate) fn string<'d>(node: Node<'d>, route: &[&str]) -> Option<&'d str> {
    match resolve(node.at(route)?, Reader::Kubernetes)? {
        Scalar::String(text) | Scalar::Timestamp(text) if !text.is_empty() => Some(text),
        _ => None,
    }
}

/// The truth value under a route.
pub(crate) fn boolean(node: Node<'_>, route: &[&str]) -> Option<bool> {
    match resolve(node.at(route)?, Reader::Kubernetes)? {
        Scalar::Bool(value) => Some(value),
        _ => None,
    }
}

/// Whether the value under a route is true.
pub(crate) fn is_true(node: Node<'_>, route: &[&str]) -> bool {
    boolean(node, route) == Some(true)
}

/// The whole number under a route.
pub(crate) fn integer(node: Node<'_>, route: &[&str]) -> Option<i64> {
    match resolve(node.at(route)?, Reader::Kubernetes)? {
        Scalar::Integer(value) => i64::try_from(value).ok(),
        _ => None,
    }
}

/// The value under a route, unless it is null.
pub(crate) fn set<'d>(node: Node<'d>, route: &[&str]) -> Option<Node<'d>> {
    node.at(route).filter(|node| !node.is_null())
}

/// The elements of the list under a route, aliases followed.
pub(crate) fn list<'d>(node: Node<'d>, route: &[&str]) -> Vec<Node<'d>> {
    elements(node, route).collect()
}

/// The same elements, one after the other.
pub(crate) fn elements<'d>(
    node: Node<'d>,
    route: &[&str],
) -> impl Iterator<Item = Node<'d>> + use<'d> {
    let items = node.at(route).into_iter().flat_map(Node::items);
    items.map(Node::resolved)
}

/// The entries of the mapping under a route whose keys are texts, aliases followed.
pub(crate) fn map<'d>(
    node: Node<'d>,
    route: &[&str],
) -> impl Iterator<Item = (&'d str, Node<'d>)> + use<'d> {
    let entries = node.at(route).into_iter().flat_map(Node::entries);
    entries.filter_map(|(key, value)| Some((key.text()?, value.resolved())))
}

/// An annotation of an object.
pub(crate) fn annotation<'d>(root: Node<'d>, name: &str) -> Option<&'d str> {
    root.text_at(&["metadata", "annotations", name])
}

/// A label of an object.
pub(crate) fn label<'d>(root: Node<'d>, name: &str) -> Option<&'d str> {
    root.text_at(&["metadata", "labels", name])
}

/// Whether kustomize-controller, where it prunes, leaves the object alone.
pub(crate) fn kept_from_pruning(root: Node<'_>) -> bool {
    let name = "kustomize.toolkit.fluxcd.io/prune";
    [annotation(root, name), label(root, name)]
        .into_iter()
        .flatten()
        .any(|value| value.eq_ignore_ascii_case("disabled"))
}

/// Whether kustomize-controller deletes and makes the object again where an apply is refused.
pub(crate) fn forced(root: Node<'_>) -> bool {
    let name = "kustomize.toolkit.fluxcd.io/force";
    [annotation(root, name), label(root, name)]
        .into_iter()
        .flatten()
        .any(|value| value.eq_ignore_ascii_case("enabled"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceMap;

    #[test]
    fn values_of_another_type_are_absent() {
        let text = "a: '1'\nb: 1\nc: yes\nd: ''\ne: ~\nf: [x]\n";
        let source = SourceMap::default().add("a.yaml", text);
        let doc = crate::yaml::read_first(&source).expect("sound YAML");
        let root = doc.root().expect("a root");
        assert_eq!(
            (string(root, &["a"]), string(root, &["b"])),
            (Some("1"), None)
        );
        assert_eq!(
            (integer(root, &["a"]), integer(root, &["b"])),
            (None, Some(1))
        );
        assert!(is_true(root, &["c"]) && string(root, &["d"]).is_none());
        assert!(set(root, &["e"]).is_none() && set(root, &["d"]).is_some());
        assert_eq!(list(root, &["f"]).len(), 1);
    }
}
