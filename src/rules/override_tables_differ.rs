//! `override-tables-differ`: two sources give one table differently.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "override-tables-differ",
    ids: &[],
    level: Level::Error,
    summary: "two sources give one table differently",
    explain: "\
The platform's table can come from `--images`, from `--values`, from the Package
`cozystack.cozystack-platform` and from the Secret `cozystack-values`. Where two of them are there
they must say the same: else what forebay shows is not what the cluster gets.

Fix: give it once, or make them equal.

Quiet: equal tables.

Source: the command line's contract.
",
    check: found_elsewhere,
};
