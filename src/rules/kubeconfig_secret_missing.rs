//! `kubeconfig-secret-missing`: the Secret with the kubeconfig of a release is not there.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "kubeconfig-secret-missing",
    ids: &["UF204"],
    level: Level::Error,
    summary: "the Secret with the kubeconfig of a release is not there",
    explain: "\
Helm-controller cannot reach the other cluster for want of the Secret and skips the uninstall, on
purpose: the cluster is usually gone. Where it is not, everything stays.

Example: a tenant cluster's kubeconfig Secret was deleted before its releases.

Fix: restore the Secret before the release is deleted.

Quiet: where the snapshot has no Secret of the namespace besides Helm's, and for a ConfigMap.

Source: `spec/uninstall-fence.md`, section 5.
",
    check: found_elsewhere,
};
