//! `snapshot-without-managed-fields`: no object of a snapshot has managed fields.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "snapshot-without-managed-fields",
    ids: &["UF301"],
    level: Level::Error,
    summary: "no object of a snapshot has managed fields",
    explain: "\
Kubectl hides them unless asked. Without them nobody can tell whose a suspension is, so no patch
that lifts one is given.

Example: `kubectl get helmreleases,secrets -A -o yaml`.

Fix: take the snapshot again with `--show-managed-fields`.

Quiet: where the snapshot has no HelmRelease.

Source: `spec/uninstall-fence.md`, section 3.
",
    check: found_elsewhere,
};
