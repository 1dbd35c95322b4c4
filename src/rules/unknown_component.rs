//! `unknown-component`: a Package sets a component that its variant does not have.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found where Packages are rendered.
pub(crate) const RULE: Rule = Rule {
    code: "unknown-component",
    ids: &["UnknownComponent"],
    level: Level::Warning,
    summary: "a Package sets a component that its variant does not have",
    explain: "\
`spec.components` is keyed by the component's name, not by the release's as the field's description
says. Other keys are accepted and do nothing.

Fix: write the component's name; the help names the one that was probably meant.

Quiet: components of the active variant.

Source: `spec/package-rendering.md`, section 4, \"The HelmRelease\".
",
    check: found_elsewhere,
};
