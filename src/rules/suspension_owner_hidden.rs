//! `suspension-owner-hidden`: a release is suspended and the snapshot does not tell by whom.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "suspension-owner-hidden",
    ids: &["UF009"],
    level: Level::Warning,
    summary: "a release is suspended and the snapshot does not tell by whom",
    explain: "\
Without managed fields flux-plunger's own suspension looks like anybody's. No patch that lifts one
can be given.

Example: `kubectl get helmreleases -A -o yaml` without `--show-managed-fields`.

Fix: take the snapshot again with `--show-managed-fields`.

Quiet: as soon as any object of the snapshot has managed fields.

Source: `spec/uninstall-fence.md`, section 3, class blind.
",
    check: found_elsewhere,
};
