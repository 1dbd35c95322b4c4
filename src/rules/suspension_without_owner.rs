//! `suspension-without-owner`: a release is suspended and nobody is recorded for it.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "suspension-without-owner",
    ids: &["UF003"],
    level: Level::Warning,
    summary: "a release is suspended and nobody is recorded for it",
    explain: "\
The snapshot has managed fields, but none of this object's entries has `spec.suspend`: the owner's
entry was lost. Nobody can tell whose decision it is, and a delete skips the uninstall.

Example: an object whose managed fields were cleared and written anew by others.

Fix: find out who suspended it; the audit gives no patch.

Quiet: where the whole snapshot lacks managed fields; that is `suspension-owner-hidden`.

Source: `spec/uninstall-fence.md`, section 3.
",
    check: found_elsewhere,
};
