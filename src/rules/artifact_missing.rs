//! `artifact-missing`: a HelmRelease points at an ExternalArtifact that nothing makes.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found where Packages are rendered.
pub(crate) const RULE: Rule = Rule {
    code: "artifact-missing",
    ids: &["ArtifactMissing"],
    level: Level::Error,
    summary: "a HelmRelease points at an ExternalArtifact that nothing makes",
    explain: "\
A component with an empty path, or one that ends in a slash, makes no artifact, and neither does a
source without `sourceRef` or with an ArtifactGenerator that is refused or stalled. The HelmRelease
is made all the same and waits for its chart.

Fix: correct the path, or what the other finding about the source says.

Quiet: components without `install`: they make no HelmRelease.

Source: `spec/package-rendering.md`, section 3.
",
    check: found_elsewhere,
};
