//! `storage-key-shared`: two releases work on one Helm release.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "storage-key-shared",
    ids: &["UF208"],
    level: Level::Error,
    summary: "two releases work on one Helm release",
    explain: "\
The key is the cluster, the storage namespace and the release name. Deleting either uninstalls the
newest revision, whoever wrote it.

Example: `app`, and `app-copy` with `releaseName: app`, in one namespace.

Fix: suspend the one that is to go before it is deleted, or give it another `releaseName` where it
installs anew.

Quiet: across different kubeconfig references, which may or may not be one cluster.

Source: `spec/uninstall-fence.md`, section 5; `spec/release-names.md`, section 3.
",
    check: found_elsewhere,
};
