//! `release-without-namespace`: a HelmRelease says not where it is.

use super::{Context, Rule};
use crate::finding::{Finding, Level};

pub(crate) const RULE: Rule = Rule {
    code: "release-without-namespace",
    ids: &["RN016"],
    level: Level::Note,
    summary: "a HelmRelease has no namespace, so its release is not known",
    explain: "\
Without `metadata.namespace` a HelmRelease goes where the one who applies it says: kubectl's context, a
Kustomization's `targetNamespace`, `default`. Its release and its records go there with it, so it takes
no part in the search for collisions.

Fix: write `metadata.namespace`, or give forebay the built manifests.

Source: helm-controller v1.5.0, the getters of the HelmRelease API.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for claim in &context.claims.releases {
        if !claim.release.id.namespace.is_empty()
            || claim.spread
            || claim.release.variable().is_some()
        {
            continue;
        }
        let message = format!(
            "HelmRelease `{}` has no namespace: which release it works on depends on who applies it",
            claim.shown()
        );
        findings.push(
            Finding::new(RULE.code, RULE.level, claim.label(), message)
                .help("write `metadata.namespace`")
                .id("RN016"),
        );
    }
}
