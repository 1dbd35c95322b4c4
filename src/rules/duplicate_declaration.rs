//! `duplicate-declaration`: one PackageSource or Package is declared twice.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found where Packages are rendered.
pub(crate) const RULE: Rule = Rule {
    code: "duplicate-declaration",
    ids: &["DuplicateDeclaration"],
    level: Level::Error,
    summary: "one PackageSource or Package is declared twice",
    explain: "\
The cluster holds one object of a name. The later declaration replaces the earlier, its lists
included; nothing is merged. Two appliers fight over it. The same content twice is a warning.

Fix: keep one, or give the other a name of its own.

Quiet: a Package and a PackageSource of one name: that is how they are joined.

Source: `spec/collisions.md`, cases A4 and E1.
",
    check: found_elsewhere,
};
