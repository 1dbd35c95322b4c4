//! `storage-secret-unlabelled`: a record of Helm's has lost its labels.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "storage-secret-unlabelled",
    ids: &["UF210"],
    level: Level::Warning,
    summary: "a record of Helm's has lost its labels",
    explain: "\
Helm finds a release's history by the labels `owner` and `name`. Without them the revision is
invisible to the next upgrade and to the uninstall.

Example: a backup tool that restores Secrets without their labels.

Fix: label it as the other records are.

Quiet: for Secrets that are not of the type `helm.sh/release.v1`.

Source: `spec/uninstall-fence.md`, section 11; Helm v4.1.1 `pkg/storage/driver/secrets.go`.
",
    check: found_elsewhere,
};
