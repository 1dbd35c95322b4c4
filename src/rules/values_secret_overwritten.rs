//! `values-secret-overwritten`: a Secret stands where the operator copies its own to.

use std::collections::BTreeSet;

use super::{Context, Rule};
use crate::finding::{Finding, Level};

pub(crate) const RULE: Rule = Rule {
    code: "values-secret-overwritten",
    ids: &[],
    level: Level::Error,
    summary: "the operator overwrites a Secret `cozystack-values`",
    explain: "\
The operator copies the Secret `cozystack-values` of `cozy-system` into every namespace with the label
`cozystack.io/system=true`, and updates and deletes the copies as the original goes. A Secret of that
name from Git or from a chart loses its data there.

Fix: another name for the Secret.

Quiet: `cozy-system`, where the original is, `tenant-` namespaces, where the tenant's chart makes it,
and namespaces without the label.

Source: `spec/collisions.md`, D3; `spec/package-rendering.md`, section 6.
",
    check,
};

/// The Secret.
const NAME: &str = "cozystack-values";

/// The label of the namespaces that get a copy.
const SYSTEM: &str = "cozystack.io/system";

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let made = context.made.rendered.namespaces.iter();
    let mut copied: BTreeSet<&str> = made
        .filter(|it| it.labels.get(SYSTEM).is_some_and(|value| value == "true"))
        .map(|it| it.name.as_str())
        .collect();
    for subject in context.everything_of("Namespace") {
        let label = ["metadata", "labels", SYSTEM];
        let label = subject.root().and_then(|root| root.text_at(&label));
        if label == Some("true") {
            copied.insert(&subject.id.name);
        }
    }
    for subject in context.everything_of("Secret") {
        let id = &subject.id;
        if id.name != NAME
            || id.namespace == "cozy-system"
            || id.namespace.starts_with("tenant-")
            || !copied.contains(id.namespace.as_str())
        {
            continue;
        }
        let message = format!(
            "the operator overwrites Secret `{}/{NAME}` with the platform's values, since the \
             namespace has the label `{SYSTEM}=true`",
            id.namespace
        );
        findings.push(
            Finding::new(RULE.code, RULE.level, subject.label(), message)
                .help("give the Secret another name"),
        );
    }
}
