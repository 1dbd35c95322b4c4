//! `duplicate-object`: two documents are one object.

use super::{Context, Rule};
use crate::finding::{Finding, Label, Level, ObjectId};
use crate::resolve::packages::GROUP;
use crate::resolve::plan::{identity_of, unrolled};
use crate::yaml::Node;
use std::collections::BTreeMap;

pub(crate) const RULE: Rule = Rule {
    code: "duplicate-object",
    ids: &["RN008", "HZ14", "HZ17", "HZ19"],
    level: Level::Error,
    summary: "two documents are one object",
    explain: "\
Kind, namespace and name make one object in the cluster, in whatever file and API version they stand:
the one that is applied later wins, and every run of the other changes it back. kustomize refuses such
a build. Two Flux Kustomizations that both apply it roll it back and forth at every interval.

Objects that a chart renders are known by the labels that helm-controller puts on them. Two releases
with one object adopt it from each other, since taking over is on by default, and uninstalling either
deletes it. Twice within one release, helm-controller refuses the render.

Fix: keep one of the two, or give one another name or namespace.

Quiet: the same name in another namespace, or in another API group. PackageSources and Packages have
`duplicate-declaration`. The Namespaces `cozy-system` and `cozy-fluxcd` have several writers by design:
the installer, Flux's manifests and the operator; `render` makes one document of all.

Source: kustomize 5.7.1 `may not add resource with an already registered id`; helm-controller v1.5.0
`disableTakeOwnership`.
",
    check,
};

/// A document, or an element of a List.
struct Place {
    id: ObjectId,
    label: Label,
    /// The release that renders it.
    release: Option<(String, String)>,
}

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let mut seen: BTreeMap<(String, String, String, String), Vec<Place>> = BTreeMap::new();
    for subject in &context.subjects {
        let roots = subject.doc.root().into_iter();
        for node in roots.flat_map(unrolled) {
            let id = identity_of(node);
            if id.name.is_empty() || is_told_elsewhere(&id) {
                continue;
            }
            let namespace = match id.namespace.as_str() {
                "" => "default",
                namespace => namespace,
            };
            let key = (
                id.group().to_owned(),
                id.kind.clone(),
                namespace.to_owned(),
                id.name.clone(),
            );
            let span = node
                .at(&["metadata", "name"])
                .map_or(node.span(), Node::span);
            let label = |name: &str| {
                let name = format!("helm.toolkit.fluxcd.io/{name}");
                let text = node.text_at(&["metadata", "labels", &name]);
                text.map(str::to_owned)
            };
            seen.entry(key).or_default().push(Place {
                label: Label::new(span).object(&id),
                id,
                release: label("namespace").zip(label("name")),
            });
        }
    }
    findings.extend(seen.values().filter_map(|places| repeated(places)));
}

/// Whether another rule speaks of two declarations, or several are meant.
fn is_told_elsewhere(id: &ObjectId) -> bool {
    match id.kind.as_str() {
        "Package" | "PackageSource" => id.group() == GROUP,
        "Namespace" => matches!(id.name.as_str(), "cozy-system" | "cozy-fluxcd"),
        _ => false,
    }
}

/// One finding for one object, however often it stands there.
fn repeated(places: &[Place]) -> Option<Finding> {
    let (first, others) = places.split_first()?;
    let (second, more) = others.split_first()?;
    let id = &second.id;
    let times = match places.len() {
        2 => "twice".to_owned(),
        count => format!("{count} times"),
    };
    let mut help = "keep one of them, or give the others names of their own";
    let mut ids = Vec::new();
    if (id.group(), id.kind.as_str()) == ("helm.toolkit.fluxcd.io", "HelmRelease") {
        ids = vec!["RN008", "HZ14"];
    }
    let message = match (&first.release, &second.release) {
        (Some(one), Some(other)) if one == other => {
            ids.push("HZ19");
            format!(
                "{id} is rendered {times} by release `{}/{}`, expected once: helm-controller \
                 refuses the render",
                one.0, one.1
            )
        }
        (Some(one), Some(other)) => {
            ids.push("HZ17");
            help = "let one of the releases render it; uninstalling either deletes it";
            format!(
                "{id} is rendered by release `{}/{}` and by release `{}/{}`: each adopts it from \
                 the other, and the last to apply wins",
                one.0, one.1, other.0, other.1
            )
        }
        (Some(release), None) | (None, Some(release)) => {
            ids.push("HZ17");
            format!(
                "{id} is rendered by release `{}/{}` and stands among the inputs as well: the \
                 last to apply wins, and uninstalling the release deletes it",
                release.0, release.1
            )
        }
        (None, None) => format!("{id} stands {times} among the inputs, expected once"),
    };
    let mut finding = Finding::new(RULE.code, RULE.level, second.label.clone(), message)
        .help(help)
        .related(first.label.clone().message("the first one"));
    for place in more {
        finding = finding.related(place.label.clone().message("another one"));
    }
    finding.ids = ids;
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{findings, messages};
    use super::*;

    fn object(namespace: &str) -> String {
        format!("---\napiVersion: v1\nkind: Pod\nmetadata: {{name: a, namespace: {namespace}}}\n")
    }

    #[test]
    fn one_identity_twice_is_told_with_both_places() {
        let found = findings(RULE.code, "[]", &(object("x") + &object("x")));
        assert_eq!((found.len(), found[0].related.len()), (1, 1));
        assert!(messages(RULE.code, "[]", &(object("x") + &object("y"))).is_empty());
    }

    #[test]
    fn three_times_is_one_finding_with_three_places() {
        let found = findings(RULE.code, "[]", &object("x").repeat(3));
        assert_eq!((found.len(), found[0].related.len()), (1, 2));
        assert!(found[0].message.contains("3 times"));
    }

    #[test]
    fn the_releases_that_render_one_object_are_named() {
        let of = |release: &str| {
            format!(
                "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: ns\n  \
                 labels: {{helm.toolkit.fluxcd.io/name: {release}, \
                 helm.toolkit.fluxcd.io/namespace: ns}}\n"
            )
        };
        let found = findings(RULE.code, "[]", &(of("one") + &of("two")));
        assert_eq!(found[0].ids, ["HZ17"]);
        assert!(
            found[0]
                .message
                .contains("`ns/one` and by release `ns/two`")
        );
        let found = findings(RULE.code, "[]", &of("one").repeat(2));
        assert_eq!(found[0].ids, ["HZ19"]);
    }
}
