//! `invalid-source-name`: the name of a Flux source cannot be an alias.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found where Packages are rendered.
pub(crate) const RULE: Rule = Rule {
    code: "invalid-source-name",
    ids: &["InvalidSourceName"],
    level: Level::Error,
    summary: "the name of a Flux source cannot be an alias",
    explain: "\
The ArtifactGenerator names its source by an alias, which the operator takes from `sourceRef.name`:
at most 63 of lower-case letters, digits and inner dashes. A dot is enough to have the generator
refused, and with it every artifact of the PackageSource.

Fix: rename the Flux source, and name it so here.

Quiet: a PackageSource without a component that makes an artifact.

Source: source-watcher v2.1.0; `spec/package-rendering.md`, section 3.
",
    check: found_elsewhere,
};
