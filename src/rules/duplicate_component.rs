//! `duplicate-component`: two components of one variant have one name.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found where Packages are rendered.
pub(crate) const RULE: Rule = Rule {
    code: "duplicate-component",
    ids: &["DuplicateComponent"],
    level: Level::Error,
    summary: "two components of one variant have one name",
    explain: "\
The schema does not forbid it. They share what the Package sets for that name and the name of their
artifact, and `dependsOn` finds the later one.

Fix: rename one of the two.

Quiet: the same component in two variants.

Source: `spec/package-rendering.md`, sections 1 and 4; `spec/collisions.md`, case A3.
",
    check: found_elsewhere,
};
