//! `depends-on-failed`: a component's dependencies cannot be turned into edges.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found where Packages are rendered.
pub(crate) const RULE: Rule = Rule {
    code: "depends-on-failed",
    ids: &["DependsOnFailed"],
    level: Level::Error,
    summary: "a component's dependencies cannot be turned into edges",
    explain: "\
`install.dependsOn` names components of the same variant that have an `install` section, and every
such section, of a component that is switched off too, must have a namespace. The operator stops at
the first component where this does not hold: the releases before it stand, those behind it are
never made.

Fix: correct the name; a dependency on another Package belongs into the variant's `dependsOn`.

Quiet: a dependency on a component that is switched off: the edge is written, and
`depends-on-disabled` speaks of it.

Source: `spec/package-rendering.md`, section 4.
",
    check: found_elsewhere,
};
