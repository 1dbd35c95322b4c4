//! `depends-on-cycle`: HelmReleases wait for each other.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found where Packages are rendered.
pub(crate) const RULE: Rule = Rule {
    code: "depends-on-cycle",
    ids: &["DependsOnCycle", "HZ04"],
    level: Level::Warning,
    summary: "HelmReleases wait for each other",
    explain: "\
The operator does not notice circles and self-references, and helm-controller waits for ever: none
of these releases is ever installed.

Fix: cut one of the edges that the message names.

Quiet: a release that two owners fight over: its circles follow from that and end with it.

Source: `spec/package-rendering.md`, section 4, \"dependsOn\".
",
    check: found_elsewhere,
};
