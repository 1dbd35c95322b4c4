//! `too-many-artifacts`: a PackageSource has more than 1000 artifacts.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found where Packages are rendered.
pub(crate) const RULE: Rule = Rule {
    code: "too-many-artifacts",
    ids: &["TooManyArtifacts"],
    level: Level::Error,
    summary: "a PackageSource has more than 1000 artifacts",
    explain: "\
Every component with a path makes an artifact, installed or not, in every variant. An
ArtifactGenerator holds at most 1000 of them and is refused as a whole beyond that.

Fix: split the PackageSource.

Quiet: 1000 artifacts and fewer.

Source: source-watcher v2.1.0; `spec/package-rendering.md`, section 3.
",
    check: found_elsewhere,
};
