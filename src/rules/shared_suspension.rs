//! `shared-suspension`: flux-plunger and somebody else hold a release suspended.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "shared-suspension",
    ids: &["UF004"],
    level: Level::Warning,
    summary: "flux-plunger and somebody else hold a release suspended",
    explain: "\
Two managers applied the same value. flux-plunger then leaves it, since lifting it would override
the other's decision, so a delete skips the uninstall.

Example: kustomize-controller applies `suspend: true` from Git while flux-plunger recovers the
release.

Fix: leave it to the other owner. Once that one lets go, flux-plunger is its only owner again.

Quiet: where flux-plunger is the only owner.

Source: `spec/uninstall-fence.md`, section 3 and 4.
",
    check: found_elsewhere,
};
