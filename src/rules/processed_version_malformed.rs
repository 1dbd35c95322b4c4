//! `processed-version-malformed`: the processed version of a release is no number.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "processed-version-malformed",
    ids: &["UF304"],
    level: Level::Warning,
    summary: "the processed version of a release is no number",
    explain: "\
Flux-plunger takes an annotation that it cannot read for absent, so its guard against reclaiming
twice is off.

Example: `flux-plunger.cozystack.io/last-processed-version: v3`.

Fix: remove the annotation, or write the number of a revision.

Quiet: without the annotation.

Source: `spec/uninstall-fence.md`, section 6.
",
    check: found_elsewhere,
};
