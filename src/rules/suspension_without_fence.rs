//! `suspension-without-fence`: flux-plunger holds a release suspended and nothing fences it.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "suspension-without-fence",
    ids: &["UF006"],
    level: Level::Error,
    summary: "flux-plunger holds a release suspended and nothing fences it",
    explain: "\
An earlier flux-plunger suspended without a fence, or somebody wrote the finalizers anew and took it
off. A delete now drops the object without an uninstall.

Example: `spec.suspend: true` applied by `flux-plunger`, finalizers only `finalizers.fluxcd.io`.

Fix: lift the suspension with the patch that the audit gives. None is given where lifting would
uninstall first (`retarget-pending`).

Quiet: with the fence it is `recovery-suspension`.

Source: `spec/uninstall-fence.md`, section 4.
",
    check: found_elsewhere,
};
