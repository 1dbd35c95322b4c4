//! `unknown-field`: a field that the schema of Package or PackageSource does not know.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found while the object is read.
pub(crate) const RULE: Rule = Rule {
    code: "unknown-field",
    ids: &["UnknownField"],
    level: Level::Warning,
    summary: "a field that the schema of Package or PackageSource does not know",
    explain: "\
The API server drops it without a word, so it does nothing.

Fix: correct the name, or drop the field.

Quiet: annotations and labels of any name.

Source: `spec/package-rendering.md`, section 1.
",
    check: found_elsewhere,
};
