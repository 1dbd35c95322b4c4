//! `deleted-without-fence`: a release is being deleted under flux-plunger's suspension and no fence holds it.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "deleted-without-fence",
    ids: &["UF105"],
    level: Level::Error,
    summary: "a release is being deleted under flux-plunger's suspension and no fence holds it",
    explain: "\
Only helm-controller's finalizer, or a third party's, keeps the object, and helm-controller drops
its own as soon as it looks. Lifting the suspension is a race.

Example: a delete under an earlier flux-plunger, which had no fence.

Fix: lift the suspension at once.

Quiet: with the fence it is `deleted-while-held`.

Source: `spec/uninstall-fence.md`, section 4.
",
    check: found_elsewhere,
};
