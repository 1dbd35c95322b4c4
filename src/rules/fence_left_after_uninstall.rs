//! `fence-left-after-uninstall`: a release is uninstalled and only the fence holds the object.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "fence-left-after-uninstall",
    ids: &["UF103"],
    level: Level::Warning,
    summary: "a release is uninstalled and only the fence holds the object",
    explain: "\
Helm-controller has handled the deletion at the newest generation and storage is clean.
flux-plunger, where it runs, would take the fence off.

Example: a release that hangs in deletion after flux-plunger was removed.

Fix: take the fence off with the patch. Where storage cannot be seen, the patch is only offered.

Quiet: while helm-controller's finalizer is there, or revisions are left
(`release-left-in-storage`).

Source: `spec/uninstall-fence.md`, section 2 and 4.
",
    check: found_elsewhere,
};
