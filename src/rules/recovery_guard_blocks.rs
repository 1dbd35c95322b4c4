//! `recovery-guard-blocks`: flux-plunger has reclaimed a revision and will not act again.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "recovery-guard-blocks",
    ids: &["UF214"],
    level: Level::Warning,
    summary: "flux-plunger has reclaimed a revision and will not act again",
    explain: "\
The processed version is one above the newest revision that is left: the guard against reclaiming
one revision after another holds, and nobody acts.

Example: processed version 4, newest revision 3, still no deployed revision.

Fix: delete the newest record by hand, or remove the annotation for another attempt.

Quiet: once a newer revision is there.

Source: `spec/uninstall-fence.md`, section 6.
",
    check: found_elsewhere,
};
