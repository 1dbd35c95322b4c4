//! `fence-applied-by-others`: somebody other than flux-plunger applies the fence.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "fence-applied-by-others",
    ids: &["UF309"],
    level: Level::Warning,
    summary: "somebody other than flux-plunger applies the fence",
    explain: "\
The fence was committed to Git with the rest of the object. Taking it off is undone at the next
reconciliation, so the patch that does is only offered.

Example: kustomize-controller (Apply) owns the finalizer.

Fix: take it out of what is applied, then out of the cluster.

Quiet: where only updates, as a restore, put it there.

Source: `spec/uninstall-fence.md`, section 11.
",
    check: found_elsewhere,
};
