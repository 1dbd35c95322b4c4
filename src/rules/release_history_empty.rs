//! `release-history-empty`: a release has revisions and an empty history in its status.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "release-history-empty",
    ids: &["UF203"],
    level: Level::Error,
    summary: "a release has revisions and an empty history in its status",
    explain: "\
Helm-controller takes nothing to be installed, ignores the error and drops its finalizer.

Example: `status.history` lost by an edit of the status, revisions in storage.

Fix: let helm-controller reconcile it once before it is deleted.

Quiet: where storage has no revision for the release.

Source: `spec/uninstall-fence.md`, section 5.
",
    check: found_elsewhere,
};
