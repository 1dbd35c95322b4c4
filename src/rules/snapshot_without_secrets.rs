//! `snapshot-without-secrets`: a snapshot has no Secret of a storage namespace.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "snapshot-without-secrets",
    ids: &["UF302"],
    level: Level::Warning,
    summary: "a snapshot has no Secret of a storage namespace",
    explain: "\
What Helm's storage holds cannot be told: whoever took the snapshot may not list Secrets there. The
outcome of a delete is undecidable.

Example: `kubectl get helmreleases -A -o yaml`.

Fix: take the snapshot with Secrets; their `data` is not needed.

Quiet: for namespaces that no verdict has to look into.

Source: `spec/uninstall-fence.md`, section 5 and 9.
",
    check: found_elsewhere,
};
