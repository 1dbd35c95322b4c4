//! `values-not-a-mapping`: a component's values are no mapping.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found where Packages are rendered.
pub(crate) const RULE: Rule = Rule {
    code: "values-not-a-mapping",
    ids: &["ValuesNotAMapping"],
    level: Level::Warning,
    summary: "a component's values are no mapping",
    explain: "\
Both schemas take anything here. The release carries the values, and helm-controller, which reads a
mapping, drops everything else without a word.

Fix: write a mapping.

Quiet: null, which is the same as none, and components that are switched off.

Source: `spec/package-rendering.md`, section 4, \"The HelmRelease\".
",
    check: found_elsewhere,
};
