//! `depends-on-cycle`: objects wait for each other.

use super::{Context, Rule};
use crate::finding::{Finding, Level};
use crate::resolve::cycles::round_trip;

pub(crate) const RULE: Rule = Rule {
    code: "depends-on-cycle",
    ids: &["DependsOnCycle", "HZ04"],
    level: Level::Error,
    summary: "objects wait for each other",
    explain: "\
Neither the operator nor Flux's controllers refuse circles and self-references of `dependsOn`. They
wait for ever: none of these HelmReleases is ever installed, none of these Kustomizations applied.

    kind: Kustomization
    metadata: {name: apps, namespace: flux-system}
    spec: {dependsOn: [{name: apps}]}

It is an error among declared objects, and a warning where the operator makes a part of the circle
from Packages: it writes such edges without looking.

Fix: cut the edge that is there for the order alone.

Quiet: a release that two owners fight over: its circles follow from that and end with it.

Source: `spec/package-rendering.md`, section 4, \"dependsOn\"; helm-controller v1.5.0,
kustomize-controller v1.8.0 `checkDependencies`; hazard HZ04.
",
    check,
};

/// At most this many objects of a circle are spelled out.
const SPELLED: usize = 12;

/// Circles that Packages have a part in are found where Packages are rendered.
fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let graph = context.graph();
    let targets = graph.targets();
    for group in graph.circles() {
        let units = || group.iter().map(|at| &graph.units[*at]);
        if units().any(|unit| unit.package.is_some() || unit.owners.len() > 1) {
            continue;
        }
        let trip = round_trip(&targets, &group);
        let names: Vec<String> = trip
            .iter()
            .take(SPELLED)
            .map(|at| &graph.units[*at].place)
            .map(|place| format!("`{}/{}`", place.namespace, place.name))
            .collect();
        let more = if trip.len() > SPELLED { " → …" } else { "" };
        let way = names.join(" → ") + more;
        let kind = graph.units[group[0]].place.kind.name();
        let message = match group.as_slice() {
            [_] => format!(
                "{kind} {} depends on itself: it will never be reconciled",
                names[0]
            ),
            _ => format!(
                "{} {kind}s depend on each other: {way}; none will ever be reconciled",
                group.len()
            ),
        };
        let mut places = units().filter_map(|unit| unit.owners.first());
        let Some(first) = places.next() else {
            continue;
        };
        let mut finding = Finding::new(RULE.code, Level::Error, first.clone(), message)
            .id("HZ04")
            .help("cut the edge that is there for the order alone");
        for label in places.take(SPELLED) {
            finding = finding.related(label.clone().message("and this one"));
        }
        findings.push(finding);
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::findings;
    use super::*;

    fn ring(count: usize) -> String {
        let one = |at: usize| {
            let next = (at + 1) % count;
            format!(
                "---\napiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {{name: \
                 r{at}, namespace: apps}}\nspec: {{dependsOn: [{{name: r{next}}}]}}\n"
            )
        };
        (0..count).map(one).collect()
    }

    #[test]
    fn a_ring_is_told_once_and_in_part() {
        let found = findings(RULE.code, "[]", &ring(2));
        assert_eq!(found.len(), 1);
        assert!(
            found[0]
                .message
                .contains("`apps/r0` → `apps/r1` → `apps/r0`"),
            "{}",
            found[0].message
        );
        assert_eq!((found[0].level, found[0].related.len()), (Level::Error, 1));
        assert!(
            findings(RULE.code, "[]", &ring(1))[0]
                .message
                .contains("itself")
        );
    }

    #[test]
    fn five_thousand_in_a_ring_take_no_stack() {
        let found = findings(RULE.code, "[]", &ring(5_000));
        assert_eq!((found.len(), found[0].related.len()), (1, SPELLED));
    }
}
