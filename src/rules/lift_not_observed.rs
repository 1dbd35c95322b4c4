//! `lift-not-observed`: helm-controller has not yet seen that a suspension was lifted.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "lift-not-observed",
    ids: &["UF102"],
    level: Level::Note,
    summary: "helm-controller has not yet seen that a suspension was lifted",
    explain: "\
It dropped its finalizer while the release was suspended. The lifted suspension is a newer
generation, and until helm-controller has seen it, the fence is all that keeps the object for its
uninstall.

Example: generation 7, observedGeneration 6, the fence the only finalizer.

Fix: do not remove the fence. Wait until observedGeneration equals generation.

Quiet: once helm-controller has seen the newest generation.

Source: `spec/uninstall-fence.md`, section 2, 4 and 11.
",
    check: found_elsewhere,
};
