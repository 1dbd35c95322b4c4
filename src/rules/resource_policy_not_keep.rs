//! `resource-policy-not-keep`: a resource policy that only half of Helm honours.

use super::{Context, Rule};
use crate::finding::{Finding, Level};

pub(crate) const RULE: Rule = Rule {
    code: "resource-policy-not-keep",
    ids: &["HZ30"],
    level: Level::Warning,
    summary: "a resource policy that only half of Helm honours",
    explain: "\
Helm knows one value of `helm.sh/resource-policy`: `keep`. On uninstall it trims the text and minds no
capitals, so `Keep` is kept, and with any other value the object is neither deleted nor listed; on an
upgrade only the exact `keep` on the live object counts, so all others are deleted when they leave the
chart.

Example:

    metadata: {annotations: {helm.sh/resource-policy: \"Keep\"}}

Fix: exactly `keep`.

Quiet: exactly `keep`; objects that no chart renders.

Source: `spec/hazards.md` HZ30, read in Helm 4.1.4.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for subject in context.charted() {
        let route = ["metadata", "annotations", "helm.sh/resource-policy"];
        let Some(node) = subject.root().and_then(|root| root.at(&route)) else {
            continue;
        };
        let Some(value) = node
            .text()
            .filter(|value| *value != "keep" && !node.is_null())
        else {
            continue;
        };
        let what = if value.trim().eq_ignore_ascii_case("keep") {
            "is kept on uninstall and ignored on upgrade"
        } else {
            "is neither deleted nor listed on uninstall, and ignored on upgrade"
        };
        let message = format!(
            "{}: resource policy `{value}`: the object {what}",
            subject.id
        );
        findings.push(
            Finding::new(RULE.code, Level::Warning, subject.at(node), message)
                .help("exactly `keep`"),
        );
    }
}
