//! `release-target-shared`: one release name and namespace, stored in two places.

use super::{Context, Rule};
use crate::finding::{Finding, Level};
use crate::resolve::claims::{Claim, spelled};
use std::collections::BTreeSet;

pub(crate) const RULE: Rule = Rule {
    code: "release-target-shared",
    ids: &["RN017", "HZ17"],
    level: Level::Warning,
    summary: "two releases of one name go to one namespace",
    explain: "\
Different storage namespaces keep the records of two releases apart, not their objects. Charts name
objects after the release: with one release name in one namespace they render the same names. Taking
over is on by default (`disableTakeOwnership`), so nothing is refused: the two fight over the objects,
and uninstalling either deletes those of both.

Fix: a `releaseName` of its own for one of them, before it is installed.

Quiet: one storage namespace (`helm-release-collision`), different clusters, and different charts where
none is sent to the namespace by `targetNamespace`: what they call their objects is not known; builds
that no Flux Kustomizations apply to one cluster.

Source: helm-controller v1.1.0 and later; fluxcd/helm-controller#1139, #1242, #1251.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let targets = context.claims.alike(|claim, key| {
        let namespace = claim.release.release_namespace().to_owned();
        Some((key.cluster, namespace, key.name))
    });
    for ((_, namespace, name), claims) in targets {
        let storages: BTreeSet<String> = claims
            .iter()
            .map(|claim| claim.release.key().storage_namespace)
            .collect();
        if storages.len() < 2 || !suspicious(&claims) {
            continue;
        }
        let shown: Vec<String> = claims.iter().map(|claim| claim.shown()).collect();
        let message = format!(
            "HelmReleases {} install a release `{name}` into namespace `{namespace}`, with their \
             records in {}: objects of one name are adopted back and forth, and either uninstall \
             deletes them",
            spelled(&shown),
            spelled(&storages.into_iter().collect::<Vec<_>>())
        );
        let (last, others) = claims.split_last().expect("a set is not empty");
        let mut finding = Finding::new(RULE.code, RULE.level, last.label(), message)
            .help("give the one that is not installed yet a `releaseName` of its own");
        for other in others {
            finding = finding.related(other.label().message("the same name and namespace"));
        }
        finding.ids = RULE.ids.to_vec();
        findings.push(finding);
    }
}

/// Whether one is sent to the namespace, or two install one chart.
fn suspicious(claims: &[&Claim<'_>]) -> bool {
    let charts: BTreeSet<&str> = claims
        .iter()
        .map(|claim| claim.release.installs.as_str())
        .collect();
    let sent = |claim: &&Claim<'_>| claim.release.target_namespace.is_some();
    claims.iter().any(sent) || charts.len() < claims.len()
}
