//! `deleted-while-held`: a release is being deleted while flux-plunger holds it suspended.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "deleted-while-held",
    ids: &["UF104"],
    level: Level::Error,
    summary: "a release is being deleted while flux-plunger holds it suspended",
    explain: "\
Under the suspension helm-controller lets go without an uninstall. The fence still holds the object,
so the uninstall can be had by lifting the suspension.

Example: a tenant deletes an application in the seconds of its recovery, and flux-plunger dies.

Fix: lift the suspension and leave the fence. helm-controller then uninstalls; the fence goes when
`finalizers.fluxcd.io` is gone and observedGeneration equals generation.

Quiet: where somebody else holds the suspension too: that is their decision.

Source: `spec/uninstall-fence.md`, section 2, 4 and 11.
",
    check: found_elsewhere,
};
