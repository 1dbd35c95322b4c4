//! `helm-release-collision`: two HelmReleases work on one Helm release.

use super::{Context, Rule};
use crate::finding::{Finding, Level};
use crate::model::release::{LOCAL, ReleaseKey};
use crate::resolve::claims::{Claim, spelled};

pub(crate) const RULE: Rule = Rule {
    code: "helm-release-collision",
    ids: &["HelmReleaseCollision", "RN001", "HZ14"],
    level: Level::Error,
    summary: "two HelmReleases work on one Helm release",
    explain: "\
For helm-controller a Helm release is its cluster, its storage namespace and its name, shortened to 53
bytes. The target namespace, the chart and the HelmRelease's own name are no part of that. The storage
namespace is `spec.storageNamespace` or the HelmRelease's own; the name is `spec.releaseName`, or
`targetNamespace-name`, or the name.

Two HelmReleases with one key do not see each other. With one release namespace it is a takeover-loop:
each upgrades over the other's release at every interval and deletes the objects that only the other
has; both are Ready most of the time. With different release namespaces it is an uninstall-loop: each
finds the other's namespace in the record, uninstalls all of it, and installs its own.

Example:
  - metadata: {name: keycloak, namespace: flux-system}
    spec: {releaseName: test, targetNamespace: keycloak}
  - metadata: {name: hedgedoc, namespace: flux-system}
    spec: {releaseName: test, targetNamespace: hedgedoc}

Fix: give one of them a `releaseName` of its own, before it is installed: on an installed release that
is an uninstall and an install.

Quiet: equal names in different storage namespaces, or in clusters of different kubeconfigs. A warning
where at most one of them is not suspended: that is how a release is handed over.

Source: helm-controller v1.5.0 `internal/release`, `internal/reconcile`; fluxcd/helm-controller#284,
#1348.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for (key, claims) in context.claims.grouped(|_, key| Some(key)) {
        if claims.len() > 1 {
            findings.push(collision(&key, &claims));
        }
    }
}

fn collision(key: &ReleaseKey, claims: &[&Claim]) -> Finding {
    let namespace = |claim: &&Claim| claim.release.release_namespace().to_owned();
    let first = namespace(&claims[0]);
    let one_namespace = claims.iter().all(|claim| namespace(claim) == first);
    let then = if one_namespace {
        "takeover-loop: each reconcile of one upgrades over the other and deletes the objects that \
         only the other has"
    } else {
        "uninstall-loop: their release namespaces differ, so each reconcile of one uninstalls the \
         other's release before it installs its own"
    };
    let names: Vec<String> = claims.iter().map(|claim| claim.shown()).collect();
    let place = match key.cluster.as_str() {
        LOCAL => String::new(),
        cluster => format!(" in the cluster of `{cluster}`"),
    };
    let active = claims.iter().filter(|claim| !claim.release.suspended);
    let handed_over = active.count() < 2;
    let when = if handed_over { "once both run, " } else { "" };
    let message = format!(
        "HelmReleases {} work on one Helm release `{key}`{place}: {when}{then}",
        spelled(&names)
    );
    let (last, others) = claims.split_last().expect("a group is not empty");
    let level = if handed_over {
        Level::Warning
    } else {
        RULE.level
    };
    let mut finding = Finding::new(RULE.code, level, labelled(last), message);
    for other in others {
        let shortened = other.release.full_name();
        let message = if shortened == key.name {
            "the same release".to_owned()
        } else {
            format!(
                "the same release: `{shortened}` is shortened to `{}`",
                key.name
            )
        };
        finding = finding.related(labelled(other).message(message));
    }
    finding.ids = RULE.ids.to_vec();
    finding.help(if handed_over {
        "delete the suspended one once the other has taken over: a suspended HelmRelease leaves \
         its release alone"
    } else {
        "give the one that is not installed yet a `releaseName` of its own"
    })
}

/// At what makes the name.
fn labelled(claim: &Claim) -> crate::finding::Label {
    let mut label = claim.label();
    label.span = claim.release.name_span();
    label
}
