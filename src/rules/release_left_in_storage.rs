//! `release-left-in-storage`: helm-controller has let a release go whose revisions are still in storage.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "release-left-in-storage",
    ids: &["UF108"],
    level: Level::Error,
    summary: "helm-controller has let a release go whose revisions are still in storage",
    explain: "\
Nothing suspended it and the newest generation is observed, yet Helm's records are there: the
uninstall was skipped for another reason, as a missing ServiceAccount.

Example: a release in a namespace that is being deleted: its ServiceAccount went first.

Fix: look at what is left and run `helm uninstall` by hand before the object goes. The removal of
the fence is only offered.

Quiet: where the newest revision is `uninstalled`, kept on purpose.

Source: `spec/uninstall-fence.md`, section 4 and 5.
",
    check: found_elsewhere,
};
