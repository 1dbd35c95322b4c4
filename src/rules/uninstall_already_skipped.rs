//! `uninstall-already-skipped`: helm-controller has let a deleted release go without an uninstall.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "uninstall-already-skipped",
    ids: &["UF107"],
    level: Level::Error,
    summary: "helm-controller has let a deleted release go without an uninstall",
    explain: "\
Its finalizer is gone while the release is suspended. As long as any finalizer holds the object,
lifting the suspension still makes helm-controller uninstall: it does not ask for its own finalizer.

Example: a backup operator's finalizer holds a release that was deleted while suspended.

Fix: lift the suspension where it is flux-plunger's; else its owner may.

Quiet: where no revision is left to uninstall (`release-record-missing`).

Source: `spec/uninstall-fence.md`, section 4.
",
    check: found_elsewhere,
};
