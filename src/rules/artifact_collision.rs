//! `artifact-collision`: two PackageSources make one ExternalArtifact.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found where Packages are rendered.
pub(crate) const RULE: Rule = Rule {
    code: "artifact-collision",
    ids: &["ArtifactCollision"],
    level: Level::Error,
    summary: "two PackageSources make one ExternalArtifact",
    explain: "\
Both generators force-apply one object. Its content alternates, and every release that uses it is
upgraded with the wrong chart at each turn; where the chart's name differs, it is uninstalled first.
Artifacts are made for all variants, so it happens with one of the sources installed too, or none.

Fix: rename a source, variant or component: dots count as dashes.

Quiet: a source whose generator is refused or stalled makes nothing that could collide.

Source: `spec/collisions.md`, case E3.
",
    check: found_elsewhere,
};
