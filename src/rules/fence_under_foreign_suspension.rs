//! `fence-under-foreign-suspension`: flux-plunger's fence stands under somebody else's suspension.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "fence-under-foreign-suspension",
    ids: &["UF008"],
    level: Level::Warning,
    summary: "flux-plunger's fence stands under somebody else's suspension",
    explain: "\
A delete is not held there: flux-plunger takes the owner's decision as it is and lets go, without an
uninstall.

Example: an operator resumed and suspended again while flux-plunger was at work.

Fix: leave both; when the owner resumes, flux-plunger takes its fence off.

Quiet: where flux-plunger alone holds the suspension.

Source: `spec/uninstall-fence.md`, section 3 and 4.
",
    check: found_elsewhere,
};
