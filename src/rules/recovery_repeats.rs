//! `recovery-repeats`: a reclaimed revision came again.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "recovery-repeats",
    ids: &["UF215"],
    level: Level::Warning,
    summary: "a reclaimed revision came again",
    explain: "\
The newest revision has the number that was processed before: the release was installed and failed
again, or flux-plunger was interrupted between annotation and deletion. It reclaims the revision
again.

Example: processed version 3, newest revision 3, still no deployed revision.

Fix: find out what makes the release fail the same way.

Quiet: where the numbers differ.

Source: `spec/uninstall-fence.md`, section 6.
",
    check: found_elsewhere,
};
