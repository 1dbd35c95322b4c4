//! `impersonated-account-missing`: the ServiceAccount that a release is run as is not there.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "impersonated-account-missing",
    ids: &["UF205"],
    level: Level::Error,
    summary: "the ServiceAccount that a release is run as is not there",
    explain: "\
Helm-controller cannot impersonate it and skips the uninstall. Usual where a namespace goes: its
ServiceAccounts go before its releases.

Example: `serviceAccountName: deployer`, and no such ServiceAccount in the namespace.

Fix: restore the ServiceAccount before the release is deleted.

Quiet: where the snapshot has no ServiceAccounts, and for releases in other clusters.

Source: `spec/uninstall-fence.md`, section 5.
",
    check: found_elsewhere,
};
