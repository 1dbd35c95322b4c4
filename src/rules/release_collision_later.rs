//! `release-collision-later`: one HelmRelease will have two owners.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "release-collision-later",
    ids: &["ReleaseCollisionLater"],
    level: Level::Warning,
    summary: "one HelmRelease will have two owners once a Package is no longer blocked",
    explain: "\
One of the claimants is a Package that makes no HelmRelease yet: it waits for Packages that are missing
or not ready, or stops before that component. Being blocked is a passing state. As soon as it is over,
the two take the release from each other: see `release-collision`.

Fix: as for `release-collision`.

Quiet: components that are switched off, and variants that are not active.

Source: the operator of the snapshot of 2026-08-21.
",
    check: found_elsewhere,
};
