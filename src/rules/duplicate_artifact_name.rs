//! `duplicate-artifact-name`: two components of one source make one artifact name.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found where Packages are rendered.
pub(crate) const RULE: Rule = Rule {
    code: "duplicate-artifact-name",
    ids: &["DuplicateArtifactName"],
    level: Level::Error,
    summary: "two components of one source make one artifact name",
    explain: "\
Dots become dashes and parts are joined by dashes, so `web.ui` and `web-ui` run together, and so do
variant `a` with component `b-c` and variant `a-b` with component `c`. source-watcher then stalls
the whole generator: no artifact of the source is made or updated, in any variant.

Fix: rename one of the components or variants.

Quiet: the same component name in two variants.

Source: source-watcher v2.1.0; `spec/collisions.md`, case E2.
",
    check: found_elsewhere,
};
