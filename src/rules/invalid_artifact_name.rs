//! `invalid-artifact-name`: an artifact's name is refused.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found where Packages are rendered.
pub(crate) const RULE: Rule = Rule {
    code: "invalid-artifact-name",
    ids: &["InvalidArtifactName"],
    level: Level::Error,
    summary: "an artifact's name is refused",
    explain: "\
Source, variant and component name, dots turned into dashes and joined by dashes, make the name of
an artifact: at most 253 of lower-case letters, digits and dashes. One bad name, also of a component
that nobody installs, and the whole ArtifactGenerator is refused: none of the source's artifacts is
made.

Fix: rename the component or the variant; upper case and underscores are what it mostly is.

Quiet: dots: they become dashes.

Source: source-watcher v2.1.0; `spec/package-rendering.md`, section 3.
",
    check: found_elsewhere,
};
