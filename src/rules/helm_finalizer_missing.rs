//! `helm-finalizer-missing`: nothing would hold a release for helm-controller.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "helm-finalizer-missing",
    ids: &["UF206"],
    level: Level::Error,
    summary: "nothing would hold a release for helm-controller",
    explain: "\
Without helm-controller's finalizer, and without any other, a deleted object is gone before
helm-controller sees it. With only the fence left, taking that off has the same effect.

Example: a backup tool restored the object with `finalizers: null`.

Fix: helm-controller puts its finalizer back when it looks: see why it does not. The audit never
removes a fence here.

Quiet: for a release that helm-controller has not worked on yet, and under another finalizer.

Source: `spec/uninstall-fence.md`, section 4.
",
    check: found_elsewhere,
};
