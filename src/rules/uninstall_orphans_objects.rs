//! `uninstall-orphans-objects`: an uninstall is set to leave objects behind.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "uninstall-orphans-objects",
    ids: &["UF218"],
    level: Level::Note,
    summary: "an uninstall is set to leave objects behind",
    explain: "\
`deletionPropagation: orphan` deletes what the chart made and leaves what that made.

Example: `uninstall: {deletionPropagation: orphan}`: the ReplicaSets and Pods of a Deployment stay.

Fix: take it out if it is not meant.

Quiet: where nothing would be uninstalled.

Source: `spec/uninstall-fence.md`, section 5.
",
    check: found_elsewhere,
};
