//! `recovery-takes-only-revision`: a recovery would take the only revision of a release.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "recovery-takes-only-revision",
    ids: &["UF211"],
    level: Level::Warning,
    summary: "a recovery would take the only revision of a release",
    explain: "\
Flux-plunger deletes the newest record. If it is the only one, a delete before the next install
finds nothing to uninstall.

Example: a first install that failed: revision 1 alone, no deployed one.

Fix: keep a copy of the Secret until the release is installed again.

Quiet: with more than one revision.

Source: `spec/uninstall-fence.md`, section 6.
",
    check: found_elsewhere,
};
