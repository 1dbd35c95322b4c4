//! `release-cluster-changed`: a change leaves a release behind in another cluster.

use super::{Context, Rule};
use crate::finding::{Finding, Level};

pub(crate) const RULE: Rule = Rule {
    code: "release-cluster-changed",
    ids: &["RN011", "HZ31"],
    level: Level::Error,
    summary: "a change of `kubeConfig` leaves a release behind",
    explain: "\
`spec.kubeConfig` is no part of what helm-controller compares with its last release. Where it is added,
removed or points elsewhere, the release in the old cluster keeps running and belongs to nobody; in the
new one there is no record, so it is installed.

Fix: uninstall first: delete the HelmRelease with its old `kubeConfig`, then add the new one.

Quiet: the same reference.

Source: helm-controller v1.5.0 `internal/action/reset.go`, which does not look at it.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let Some(before) = &context.before else {
        return;
    };
    for (old, claim) in context.claims.pairs(before) {
        let release = &claim.release;
        if old.key().is_none() || old.release.cluster == release.cluster {
            continue;
        }
        let message = format!(
            "`kubeConfig` of HelmRelease `{}` changes its cluster from `{}` to `{}`: the release in \
             the old cluster keeps running, and nothing removes it",
            claim.shown(),
            old.release.cluster,
            release.cluster
        );
        let mut label = claim.label();
        label.span = release.cluster_span.unwrap_or(label.span);
        let mut was = old.label().message("as it was");
        was.span = old.release.cluster_span.unwrap_or(was.span);
        let mut finding = Finding::new(RULE.code, RULE.level, label, message)
            .related(was)
            .help("delete it with the old `kubeConfig` first, then add it with the new one");
        finding.ids = RULE.ids.to_vec();
        findings.push(finding);
    }
}
