//! `override-without-install`: a Package sets a component that is not installed.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found where Packages are rendered.
pub(crate) const RULE: Rule = Rule {
    code: "override-without-install",
    ids: &["OverrideWithoutInstall"],
    level: Level::Warning,
    summary: "a Package sets a component that is not installed",
    explain: "\
A component without an `install` section makes no HelmRelease, so nothing reads what the Package
sets for it. Its chart belongs to other releases.

Fix: set the component that installs the chart, or drop the entry.

Quiet: components that the Package switches off.

Source: `spec/package-rendering.md`, section 4, \"The HelmRelease\".
",
    check: found_elsewhere,
};
