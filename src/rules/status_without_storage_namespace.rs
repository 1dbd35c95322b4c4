//! `status-without-storage-namespace`: a release has revisions and its status does not say where.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "status-without-storage-namespace",
    ids: &["UF202"],
    level: Level::Error,
    summary: "a release has revisions and its status does not say where",
    explain: "\
Without `status.storageNamespace` helm-controller says `no storage namespace configured` and drops
its finalizer.

Example: an object restored from a backup, which leaves the status out.

Fix: let helm-controller reconcile it once before it is deleted.

Quiet: where storage has no revision for the release.

Source: `spec/uninstall-fence.md`, section 5.
",
    check: found_elsewhere,
};
