//! `unknown-library`: a component asks for a library that its variant does not declare.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found where Packages are rendered.
pub(crate) const RULE: Rule = Rule {
    code: "unknown-library",
    ids: &["UnknownLibrary"],
    level: Level::Warning,
    summary: "a component asks for a library that its variant does not declare",
    explain: "\
Libraries belong to their variant. A name that it does not declare is left out of the artifact
without a word, and the chart misses its dependency.

Fix: declare the library in this variant. One without a name is known by the last part of its path.

Quiet: libraries that nobody asks for.

Source: `spec/package-rendering.md`, section 3.
",
    check: found_elsewhere,
};
