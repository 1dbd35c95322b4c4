//! `same-release-other-cluster`: one Helm release by its names, in clusters that may be one.

use super::{Context, Rule};
use crate::finding::{Finding, Level};
use crate::resolve::claims::spelled;
use std::collections::BTreeSet;

pub(crate) const RULE: Rule = Rule {
    code: "same-release-other-cluster",
    ids: &["RN002"],
    level: Level::Note,
    summary: "one release name in clusters of different kubeconfigs",
    explain: "\
`spec.kubeConfig` moves a release and its records to another cluster. The same reference is the same
cluster; different references may lead to different clusters or to one, which manifests do not say.
Tenant clusters legitimately have dozens of `cilium` releases in `cozy-cilium`, one a kubeconfig.

Nothing needs mending where the kubeconfigs lead to different clusters. Where two lead to one cluster
this is `helm-release-collision`.

Quiet: one reference (that is a collision), different storage namespaces, different names, and builds
that no Flux Kustomizations apply to one cluster.

Source: helm-controller v1.5.0 `internal/kube`; `spec.kubeConfig` of the HelmRelease API.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let names = context
        .claims
        .alike(|_, key| Some((key.storage_namespace, key.name)));
    for ((namespace, name), claims) in names {
        let clusters: BTreeSet<&str> = claims
            .iter()
            .map(|claim| claim.release.cluster.as_str())
            .collect();
        if clusters.len() < 2 {
            continue;
        }
        let shown: Vec<String> = claims.iter().map(|claim| claim.shown()).collect();
        let message = format!(
            "HelmReleases {} store as `{namespace}/{name}`, each in the cluster that its \
             `kubeConfig` leads to: {}; whether two of these are one cluster cannot be told here",
            spelled(&shown),
            spelled(&clusters.into_iter().collect::<Vec<_>>())
        );
        let mut finding = Finding::new(RULE.code, RULE.level, claims[0].label(), message);
        for other in &claims[1..] {
            let cluster = &other.release.cluster;
            finding = finding.related(other.label().message(format!("cluster `{cluster}`")));
        }
        findings.push(finding.id("RN002"));
    }
}
