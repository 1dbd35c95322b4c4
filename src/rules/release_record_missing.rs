//! `release-record-missing`: no record of an installed release is left in storage.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "release-record-missing",
    ids: &["UF201"],
    level: Level::Error,
    summary: "no record of an installed release is left in storage",
    explain: "\
Helm-controller finds no Secret with the labels `owner=helm` and the release's name, takes the
release for uninstalled and drops its finalizer. Everything it made stays.

Example: the Secret of the only revision was deleted in a recovery.

Fix: restore the newest Secret, or clean up by hand, before the release is deleted.

Quiet: for storage in other clusters, and where the snapshot has no Secret of the namespace
(`snapshot-without-secrets`).

Source: `spec/uninstall-fence.md`, section 5 and 8.
",
    check: found_elsewhere,
};
