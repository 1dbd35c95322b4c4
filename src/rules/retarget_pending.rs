//! `retarget-pending`: a release points elsewhere than what is installed.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "retarget-pending",
    ids: &["UF207"],
    level: Level::Warning,
    summary: "a release points elsewhere than what is installed",
    explain: "\
Its name, release namespace or storage namespace differs from its newest history entry. The next run
of helm-controller, unsuspended, uninstalls the old release before it installs the new one.

Example: `targetNamespace: prod` added to a release that is suspended.

Fix: put the spec back, or accept the uninstall. The audit gives no patch that would let it run.

Quiet: for releases that are being deleted, which go by the status.

Source: `spec/uninstall-fence.md`, section 5 and 7.
",
    check: found_elsewhere,
};
