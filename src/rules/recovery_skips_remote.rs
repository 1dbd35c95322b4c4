//! `recovery-skips-remote`: flux-plunger does not recover a release in another cluster.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "recovery-skips-remote",
    ids: &["UF213"],
    level: Level::Note,
    summary: "flux-plunger does not recover a release in another cluster",
    explain: "\
The records are over there, where flux-plunger does not look.

Example: a release with `kubeConfig` that has no deployed revision.

Fix: delete the newest record in the other cluster by hand.

Quiet: where the release is ready.

Source: `spec/uninstall-fence.md`, section 6.
",
    check: found_elsewhere,
};
