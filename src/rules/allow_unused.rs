//! `allow-unused`: an allow silences nothing.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found where findings are silenced.
pub(crate) const RULE: Rule = Rule {
    code: "allow-unused",
    ids: &[],
    level: Level::Warning,
    summary: "an allow silences nothing",
    explain: "\
What was allowed once may be mended by now. An allow that is left over would silence the next slip at
the same place, and tells a reader something that is no longer so.

    interval: 5m # forebay: allow[schema-value]
    # and in forebay.yaml:
    allow: [{rule: HZ04, object: HelmRelease apps/web, reason: lives in another repository}]

A comment silences findings whose primary place is on its line; several codes or ids stand between
commas, and behind the bracket there is room for the reason. An entry of `forebay.yaml` may name files
(`path`, as in `.gitignore`) and an object. Malformed input cannot be allowed.

Fix: take it out, or correct the code.

Quiet: commands that do not run every rule; entries about files or objects that this run does not read.

Source: `design/cli.md`, \"Findings\".
",
    check: found_elsewhere,
};
