//! `helm-release-collision`: two HelmReleases work on one Helm release.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found where Packages are rendered.
pub(crate) const RULE: Rule = Rule {
    code: "helm-release-collision",
    ids: &["HelmReleaseCollision", "RN001"],
    level: Level::Error,
    summary: "two HelmReleases work on one Helm release",
    explain: "\
Cluster, storage namespace and release name, shortened to 53 characters, are all that a Helm release
is to helm-controller. Two HelmReleases of one identity upgrade over each other at every interval
and delete each other's objects, and no condition says so.

Fix: give one of them its own `releaseName` or `storageNamespace`.

Quiet: the same release name in another storage namespace, or in another cluster by `kubeConfig`.

Source: helm-controller v1.5.0; `spec/collisions.md`, case C.
",
    check: found_elsewhere,
};
