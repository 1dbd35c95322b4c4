//! `deleted-under-foreign-suspension`: a release is being deleted under somebody else's suspension.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "deleted-under-foreign-suspension",
    ids: &["UF106"],
    level: Level::Warning,
    summary: "a release is being deleted under somebody else's suspension",
    explain: "\
The uninstall is skipped, by decision (a migration suspends, then deletes) or by accident. A
snapshot cannot tell which.

Example: `flux suspend`, then `kubectl delete`.

Fix: ask the owner, who can resume while any finalizer holds the object. Where only the fence holds
it and helm-controller has handled the delete, its removal is offered.

Quiet: where flux-plunger alone holds the suspension.

Source: `spec/uninstall-fence.md`, section 4, and \"Letting go under somebody else's suspension\".
",
    check: found_elsewhere,
};
