//! `source-ref-not-set`: a PackageSource has no `sourceRef`.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found where Packages are rendered.
pub(crate) const RULE: Rule = Rule {
    code: "source-ref-not-set",
    ids: &["SourceRefNotSet"],
    level: Level::Warning,
    summary: "a PackageSource has no `sourceRef`",
    explain: "\
No ArtifactGenerator is made, so the HelmReleases of its Package point at artifacts that are not
there. A generator of an earlier state stays.

Fix: name the Flux source that holds the charts.

Quiet: a `sourceRef` to an object that is not among the inputs.

Source: `spec/package-rendering.md`, section 3.
",
    check: found_elsewhere,
};
