//! `held-too-long`: a recovery or a deletion lasts longer than it should.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "held-too-long",
    ids: &["UF109"],
    level: Level::Warning,
    summary: "a recovery or a deletion lasts longer than it should",
    explain: "\
A recovery takes seconds. One that lasts longer than `--hold` minutes is one whose flux-plunger
died, or that cannot finish; the same goes for a deletion.

Example: a suspension that `flux-plunger` applied two hours before `--now`.

Fix: see that both controllers run. For a recovery behind its fence the audit gives the patch that
ends it.

Quiet: without `--now`, since ages are then unknown.

Source: `spec/uninstall-fence.md`, section 4 and 9.
",
    check: found_elsewhere,
};
