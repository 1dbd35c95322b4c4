//! `recovery-due`: flux-plunger will recover a release.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "recovery-due",
    ids: &["UF212"],
    level: Level::Note,
    summary: "flux-plunger will recover a release",
    explain: "\
Helm-controller reports that no revision is deployed, and nothing stops flux-plunger from reclaiming
the newest one.

Example: `Ready` is `False` with `has no deployed releases`.

Fix: none needed where flux-plunger runs.

Quiet: for suspended releases and those being deleted.

Source: `spec/uninstall-fence.md`, section 6.
",
    check: found_elsewhere,
};
