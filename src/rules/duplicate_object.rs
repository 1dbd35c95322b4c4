//! `duplicate-object`: two documents are one object.

use super::{Context, Rule};
use crate::finding::{Finding, Label, Level, ObjectId};
use crate::resolve::packages::GROUP;
use crate::yaml::Node;
use std::collections::BTreeMap;

pub(crate) const RULE: Rule = Rule {
    code: "duplicate-object",
    ids: &[],
    level: Level::Error,
    summary: "two documents are one object",
    explain: "\
Kind, namespace and name make one object in the cluster, in whatever file they stand: the one that is
applied later wins, and every run of the other changes it back. kustomize refuses such a build.

Fix: keep one of the two, or give one another name or namespace.

Quiet: the same name in another namespace, or in another API group. PackageSources and Packages have
`duplicate-declaration`. The Namespaces `cozy-system` and `cozy-fluxcd` have several writers by design:
the installer, Flux's manifests and the operator; `render` makes one document of all.

Source: kustomize 5.7.1 `may not add resource with an already registered id`.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let mut seen: BTreeMap<(String, String, String, String), Label> = BTreeMap::new();
    for subject in context
        .subjects
        .iter()
        .filter(|subject| !subject.id.name.is_empty() && !is_told_elsewhere(&subject.id))
    {
        let id = &subject.id;
        let namespace = if matches!(id.namespace.as_str(), "" | "default") {
            "default"
        } else {
            id.namespace.as_str()
        };
        let key = (
            id.group().to_owned(),
            id.kind.clone(),
            namespace.to_owned(),
            id.name.clone(),
        );
        let place = subject
            .doc
            .root()
            .and_then(|root| root.at(&["metadata", "name"]))
            .map_or(subject.doc.span(), Node::span);
        let label = Label::new(place).object(id);
        match seen.get(&key) {
            Some(first) => findings.push(
                Finding::new(
                    RULE.code,
                    Level::Error,
                    label,
                    format!("{id} stands twice among the inputs, expected once"),
                )
                .help("keep one of the two, or give one another name")
                .related(first.clone().message("the first one")),
            ),
            None => {
                seen.insert(key, label);
            }
        }
    }
}

/// Whether another rule speaks of two declarations, or several are meant.
fn is_told_elsewhere(id: &ObjectId) -> bool {
    match id.kind.as_str() {
        "Package" | "PackageSource" => id.group() == GROUP,
        "Namespace" => matches!(id.name.as_str(), "cozy-system" | "cozy-fluxcd"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{findings, messages};
    use super::*;

    #[test]
    fn one_identity_twice_is_told_with_both_places() {
        let object = |namespace| {
            format!(
                "---\napiVersion: v1\nkind: Pod\nmetadata: {{name: a, namespace: {namespace}}}\n"
            )
        };
        let found = findings(RULE.code, "[]", &(object("x") + &object("x")));
        assert_eq!((found.len(), found[0].related.len()), (1, 1));
        assert!(messages(RULE.code, "[]", &(object("x") + &object("y"))).is_empty());
    }
}
