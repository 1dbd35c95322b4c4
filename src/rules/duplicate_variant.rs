//! `duplicate-variant`: two variants of one source have one name.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found where Packages are rendered.
pub(crate) const RULE: Rule = Rule {
    code: "duplicate-variant",
    ids: &["DuplicateVariant"],
    level: Level::Error,
    summary: "two variants of one source have one name",
    explain: "\
The schema does not forbid it. A Package gets the first variant of the name, and the artifacts of
both are made.

Fix: rename one of the two.

Quiet: the same variant name in two sources.

Source: `spec/package-rendering.md`, sections 1 and 4.
",
    check: found_elsewhere,
};
