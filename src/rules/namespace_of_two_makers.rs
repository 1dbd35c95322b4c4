//! `namespace-of-two-makers`: a chart and the operator make one Namespace.

use super::{Context, Rule};
use crate::finding::{Finding, Level};

pub(crate) const RULE: Rule = Rule {
    code: "namespace-of-two-makers",
    ids: &[],
    level: Level::Warning,
    summary: "a chart renders a Namespace that a Package makes too",
    explain: "\
The operator makes the Namespaces that components are installed into. A chart that renders one of them
is a second manager, and Helm deletes the Namespace with the release unless `helm.sh/resource-policy:
keep` stands on it. The operator's apply puts that annotation on, so in practice it survives; labels
go back and forth.

Fix: take the Namespace out of the chart.

Quiet: Namespaces of charts that no Package installs into, and several Packages in one namespace.

Source: `spec/collisions.md`, D2; the operator of the snapshot of 2026-08-21.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let made = &context.claims.made_namespaces;
    for subject in context.charted() {
        let id = &subject.id;
        let namespace = id.group().is_empty() && id.kind == "Namespace";
        let Some((of, release)) = subject.rendered_by.as_ref().filter(|_| namespace) else {
            continue;
        };
        if made.contains(&id.name) {
            let message = format!(
                "Namespace `{}` is rendered by release `{of}/{release}`, and the operator makes it \
                 for Packages: two managers, and Helm deletes it with the release unless it is kept",
                id.name
            );
            findings.push(
                Finding::new(RULE.code, RULE.level, subject.label(), message)
                    .help("take it out of the chart; the operator makes it first"),
            );
        }
    }
}
