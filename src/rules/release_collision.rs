//! `release-collision`: one HelmRelease has two owners.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found where Packages are rendered.
pub(crate) const RULE: Rule = Rule {
    code: "release-collision",
    ids: &["ReleaseCollision", "RN008"],
    level: Level::Error,
    summary: "one HelmRelease has two owners",
    explain: "\
The operator looks a HelmRelease up by namespace and name and overwrites it, whoever made it: spec,
owner reference, labels. Two Packages take it from each other without end and both report Ready; a
GitOps tool puts its own back at every interval. Where the chart's name differs, helm-controller
uninstalls the release before it installs the other chart. A component without `releaseName` claims
its own name, which is how scaffolds meet the platform's releases.

Fix: give one of them another `releaseName` or namespace, or switch it off.

Quiet: components that are switched off, variants that are not active, PackageSources without a
Package, several variants of one source.

Source: the operator of 2026-08-21; `spec/collisions.md`, cases A1 to A3 and B2.
",
    check: found_elsewhere,
};
