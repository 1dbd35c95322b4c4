//! `dangling-depends-on`: a HelmRelease waits for one that nothing makes.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found where Packages are rendered.
pub(crate) const RULE: Rule = Rule {
    code: "dangling-depends-on",
    ids: &["DanglingDependsOn", "HZ04"],
    level: Level::Warning,
    summary: "a HelmRelease waits for one that nothing makes",
    explain: "\
The operator writes the edge without looking whether its end is there. The release waits for ever.

Fix: mend what keeps the other release from being made.

Quiet: edges to HelmReleases among the inputs.

Source: `spec/package-rendering.md`, section 4, \"dependsOn\".
",
    check: found_elsewhere,
};
