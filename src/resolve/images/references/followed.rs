//! The quick look at name references: all paths of a kind at once, over the nodes as they stand. It
//! says only whether the step surely takes an object; [`super::check`] says why it does not.

use super::paths;
use crate::yaml::Node;

/// Paths put together, so that a document is gone through once for all of them.
#[derive(Debug, Default)]
struct Branch {
    step: String,
    below: Vec<Branch>,
    /// Whether a path ends here.
    ends: bool,
}

impl Branch {
    fn grow(&mut self, path: &str) {
        let (step, rest) = path.split_once('/').unwrap_or((path, ""));
        let found = self.below.iter().position(|branch| branch.step == step);
        let at = found.unwrap_or_else(|| {
            self.below.push(Branch {
                step: step.to_owned(),
                ..Branch::default()
            });
            self.below.len() - 1
        });
        match rest {
            "" => self.below[at].ends = true,
            rest => self.below[at].grow(rest),
        }
    }

    /// Whether `follow` refuses none of the paths from here on.
    fn passes(&self, node: Node<'_>) -> bool {
        let named = |node: Node<'_>| !node.is_mapping() || node.get("name").is_some();
        if self.ends {
            let text = |item: Node<'_>| !item.is_sequence() && named(item);
            let ends = if node.is_sequence() {
                node.items().all(text)
            } else {
                named(node)
            };
            if !ends {
                return false;
            }
        }
        if self.below.is_empty() || node.is_null() {
            return true;
        }
        self.goes_on(node)
    }

    fn goes_on(&self, node: Node<'_>) -> bool {
        if node.is_sequence() {
            return node
                .items()
                .all(|item| item.is_null() || self.goes_on(item));
        }
        let branch = |key: Node<'_>| self.below.iter().find(|branch| key.is_text(&branch.step));
        let mut fields = node.entries();
        node.is_mapping()
            && fields.all(|(key, value)| branch(key).is_none_or(|branch| branch.passes(value)))
    }
}

/// The paths of the kinds met so far.
#[derive(Debug, Default)]
pub(in crate::resolve::images) struct Followed(Vec<([String; 3], Branch)>);

impl Followed {
    /// Whether the name-reference step surely takes an object whose nodes are used just where they
    /// stand.
    pub(in crate::resolve::images) fn passes(
        &mut self,
        root: Node<'_>,
        group: &str,
        version: &str,
        kind: &str,
    ) -> bool {
        let odd_version = root
            .get("apiVersion")
            .is_some_and(|it| it.is_null() && it.text().is_some_and(|text| !text.is_empty()));
        let annotations = root.get("metadata").and_then(|it| it.get("annotations"));
        if odd_version || annotations.is_some_and(Node::is_sequence) {
            return false;
        }
        let binding = kind == "RoleBinding" && group == "rbac.authorization.k8s.io";
        let subjects = root.get("subjects").filter(|_| binding);
        let mut subjects = subjects.into_iter().flat_map(Node::items);
        if subjects.any(|subject| !subject.is_mapping()) {
            return false;
        }
        let own = |(of, _): &([String; 3], _)| *of == [group, version, kind];
        let at = self.0.iter().position(own).unwrap_or_else(|| {
            let mut branch = Branch::default();
            for path in paths(group, version, kind) {
                branch.grow(&path);
            }
            self.0
                .push(([group, version, kind].map(str::to_owned), branch));
            self.0.len() - 1
        });
        let branch = &self.0[at].1;
        branch.below.is_empty() || branch.goes_on(root)
    }
}
