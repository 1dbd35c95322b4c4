//! `release-collision-later`: one HelmRelease will have two owners once a Package is no longer blocked.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found where Packages are rendered.
pub(crate) const RULE: Rule = Rule {
    code: "release-collision-later",
    ids: &["ReleaseCollisionLater"],
    level: Level::Warning,
    summary: "one HelmRelease will have two owners once a Package is no longer blocked",
    explain: "\
One of the claimants makes no HelmRelease yet, because something that it needs is missing. As soon
as it does, the two take the release from each other as `release-collision` says.

Fix: give one of them another `releaseName` or namespace before the other is unblocked.

Quiet: claims that stand already: those are errors.

Source: `spec/collisions.md`, case A1.
",
    check: found_elsewhere,
};
