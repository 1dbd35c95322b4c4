//! `recovery-suspension`: flux-plunger holds a release suspended, behind its fence.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "recovery-suspension",
    ids: &["UF005"],
    level: Level::Note,
    summary: "flux-plunger holds a release suspended, behind its fence",
    explain: "\
This is how flux-plunger repairs a release without a deployed revision: suspend, delete the newest
record, resume. The fence holds the object if it is deleted meanwhile. It takes seconds.

Example: a release with `spec.suspend: true` and the fence, both applied by `flux-plunger`.

Fix: wait. The offered patch is for when flux-plunger is gone. Look for running RestoreJobs before:
one that starts while flux-plunger holds the release writes nothing and relies on it.

Quiet: never; what has lasted too long is also `held-too-long`.

Source: `spec/uninstall-fence.md`, section 2 and 4.
",
    check: found_elsewhere,
};
