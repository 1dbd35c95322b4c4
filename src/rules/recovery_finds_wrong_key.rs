//! `recovery-finds-wrong-key`: flux-plunger looks for a release under another key.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "recovery-finds-wrong-key",
    ids: &["UF216"],
    level: Level::Warning,
    summary: "flux-plunger looks for a release under another key",
    explain: "\
It looks for records by the object's own namespace and name. Where the release is called otherwise
it finds nothing, or it takes a revision of another release.

Example: `releaseName: app-system` on the object `app`.

Fix: recover the release by hand.

Quiet: where storage namespace and release name are the object's own.

Source: `spec/uninstall-fence.md`, section 6.
",
    check: found_elsewhere,
};
