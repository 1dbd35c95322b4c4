//! `helm-release-collision`: two HelmReleases work on one Helm release.

use super::{Context, Rule};
use crate::finding::{Finding, Level};
use crate::resolve::claims::one_release::{CODE, IDS, collisions};

pub(crate) const RULE: Rule = Rule {
    code: CODE,
    ids: IDS,
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

Quiet: equal names in different storage namespaces, or in clusters of different kubeconfigs; releases of
builds that no Flux Kustomizations apply to one cluster (two clusters' directories, two overlays). A
warning where at most one of them is not suspended: that is how a release is handed over.

Source: helm-controller v1.5.0 `internal/release`, `internal/reconcile`; fluxcd/helm-controller#284,
#1348.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    findings.extend(collisions(&context.claims));
}
