//! `uninstall-under-way`: a release is being deleted and its uninstall is due.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "uninstall-under-way",
    ids: &["UF101"],
    level: Level::Note,
    summary: "a release is being deleted and its uninstall is due",
    explain: "\
Helm-controller's finalizer is still there and nothing suspends the release: it uninstalls, or tries
again and again.

Example: right after `kubectl delete helmrelease app`.

Fix: wait; see the controller's log if it lasts.

Quiet: never; what has lasted too long is also `held-too-long`.

Source: `spec/uninstall-fence.md`, section 4.
",
    check: found_elsewhere,
};
