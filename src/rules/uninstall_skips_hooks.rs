//! `uninstall-skips-hooks`: an uninstall is set to run no hooks.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "uninstall-skips-hooks",
    ids: &["UF219"],
    level: Level::Note,
    summary: "an uninstall is set to run no hooks",
    explain: "\
`disableHooks: true` leaves out what the chart does before and after its deletion, as cleaning up.

Example: `uninstall: {disableHooks: true}` on a chart with a `pre-delete` Job.

Fix: take it out if it is not meant.

Quiet: where nothing would be uninstalled.

Source: `spec/uninstall-fence.md`, section 5.
",
    check: found_elsewhere,
};
