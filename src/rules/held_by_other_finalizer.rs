//! `held-by-other-finalizer`: what holds a deleted release is neither Flux's nor flux-plunger's.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "held-by-other-finalizer",
    ids: &["UF110"],
    level: Level::Note,
    summary: "what holds a deleted release is neither Flux's nor flux-plunger's",
    explain: "\
Helm-controller has handled the deletion and nothing is left in storage. Another controller's
finalizer is what waits.

Example: a backup operator's finalizer on a release that is gone.

Fix: look at that controller.

Quiet: where the fence or helm-controller's finalizer is there.

Source: `spec/uninstall-fence.md`, section 4.
",
    check: found_elsewhere,
};
