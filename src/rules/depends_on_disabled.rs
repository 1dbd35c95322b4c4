//! `depends-on-disabled`: a component depends on one that the Package switches off.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found where Packages are rendered.
pub(crate) const RULE: Rule = Rule {
    code: "depends-on-disabled",
    ids: &["DependsOnDisabled", "DanglingDependsOn", "HZ04"],
    level: Level::Warning,
    summary: "a component depends on one that the Package switches off",
    explain: "\
Components of the own variant keep their edges when they are switched off, so the release waits for
a HelmRelease that is not there. Those of other Packages lose them.

Fix: switch the other one off too, or both on.

Quiet: a component of another Package that is switched off.

Source: `spec/package-rendering.md`, section 4, \"dependsOn\".
",
    check: found_elsewhere,
};
