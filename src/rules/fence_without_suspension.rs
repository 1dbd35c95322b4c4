//! `fence-without-suspension`: the uninstall fence stands without a suspension.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "fence-without-suspension",
    ids: &["UF007"],
    level: Level::Warning,
    summary: "the uninstall fence stands without a suspension",
    explain: "\
Somebody resumed the release in the middle of a recovery and the fence stayed. A delete uninstalls,
but the object then hangs until the fence is taken off.

Example: `flux resume helmrelease app` while flux-plunger works on it.

Fix: take the fence off with the patch; flux-plunger, where it runs, does so by itself. No patch is
given where the fence is the last finalizer (`helm-finalizer-missing`).

Quiet: where the release is suspended or being deleted.

Source: `spec/uninstall-fence.md`, section 4.
",
    check: found_elsewhere,
};
