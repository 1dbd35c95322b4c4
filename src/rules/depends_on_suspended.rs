//! `depends-on-suspended`: an object waits for one that is suspended.

use super::{Context, Rule};
use crate::finding::{Finding, Label, Level};
use crate::resolve::dependencies::End;

pub(crate) const RULE: Rule = Rule {
    code: "depends-on-suspended",
    ids: &["HZ04"],
    level: Level::Note,
    summary: "an object waits for one that is suspended",
    explain: "\
A suspended object is not reconciled: if it has not become ready in its present form before, it never
does, and what depends on it waits. Whether it has cannot be seen in manifests, so this is a note.

    kind: HelmRelease
    metadata: {name: db, namespace: apps}
    spec: {suspend: true}

Fix: resume it, or take the dependency out as long as it is suspended.

Quiet: what waits is suspended itself.

Source: helm-controller v1.5.0, kustomize-controller v1.8.0 `checkDependencies`; hazard HZ04.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let graph = context.graph();
    for unit in graph.units.iter().filter(|unit| !unit.suspended) {
        let mut told = Vec::new();
        for edge in &unit.edges {
            let End::Unit(at) = edge.end else {
                continue;
            };
            let to = &graph.units[at];
            if !to.suspended || told.contains(&at) {
                continue;
            }
            told.push(at);
            let message = format!(
                "{} `{}/{}` depends on `{}/{}`, which is suspended: it waits unless that was ready \
                 before",
                unit.place.kind.name(),
                unit.place.namespace,
                unit.place.name,
                to.place.namespace,
                to.place.name
            );
            let mut label = Label::new(edge.span);
            label.object = unit.owners.first().and_then(|owner| owner.object.clone());
            let finding = Finding::new(RULE.code, Level::Note, label, message).id("HZ04");
            findings.push(match to.owners.first() {
                Some(owner) => finding.related(owner.clone().message("suspended")),
                None => finding,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::messages;
    use super::*;

    #[test]
    fn only_what_would_wait_is_told() {
        let kustomization = |name: &str, spec: &str| {
            format!(
                "---\napiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: \
                 {{name: {name}, namespace: apps}}\nspec: {{{spec}}}\n"
            )
        };
        let base = kustomization("base", "suspend: true");
        let told = |spec| messages(RULE.code, "[]", &(kustomization("app", spec) + &base)).len();
        assert_eq!(told("dependsOn: [{name: base}]"), 1);
        assert_eq!(told("suspend: true, dependsOn: [{name: base}]"), 0);
        assert_eq!(told("suspend: false"), 0);
    }
}
