//! `release-unclaimed`: storage holds a release that no HelmRelease claims.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "release-unclaimed",
    ids: &["UF209"],
    level: Level::Warning,
    summary: "storage holds a release that no HelmRelease claims",
    explain: "\
This is what a skipped uninstall leaves; plain helm leaves the same.

Example: the HelmRelease `vm-disk-1` is gone, its Secret `sh.helm.release.v1.vm-disk-1.v1` is not.

Fix: `helm get manifest` shows by its labels whether Flux made it; `helm uninstall` if nobody needs
it.

Quiet: where the snapshot has no HelmRelease, or a text of it could not be read to its end.

Source: `spec/uninstall-fence.md`, section 5.
",
    check: found_elsewhere,
};
