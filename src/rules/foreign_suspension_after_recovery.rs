//! `foreign-suspension-after-recovery`: somebody else holds a release suspended that flux-plunger has recovered.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "foreign-suspension-after-recovery",
    ids: &["UF002"],
    level: Level::Warning,
    summary: "somebody else holds a release suspended that flux-plunger has recovered",
    explain: "\
The annotation with the processed version is never removed, so it does not say whose the suspension
is. An earlier flux-plunger suspended under a shared name; a migration may just as well have
suspended the release on purpose.

Example: `flux-client-side-apply` (Update) owns `spec.suspend`, and `last-processed-version` is `3`.

Fix: ask before anything else. During a restore a resume is the one harmful act.

Quiet: without the annotation it is `foreign-suspension`.

Source: `spec/uninstall-fence.md`, section 3, 4 and 6.
",
    check: found_elsewhere,
};
