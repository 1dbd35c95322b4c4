//! `override-tables-differ`: two sources give one table differently.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "override-tables-differ",
    ids: &[],
    level: Level::Error,
    summary: "two sources give one table differently",
    explain: "\
There are two tables, Flux's and the platform's. The platform's can come from `--images`, from
`--values`, from the Package `cozystack.cozystack-platform` and from `_cluster.image-overrides` in the
Secret `cozystack-values`; Flux's from the first two. Where several give one table they must say the
same, entry by entry in the same order: else what forebay shows is not what the cluster gets.

Fix: give it once, or make them equal. A Secret taken from a cluster is older than the values in the
repository as soon as those change; leave it out then.

Quiet: equal tables, however they are written.

Source: the command line's contract; `spec/package-rendering.md` sections 6 and 10.
",
    check: found_elsewhere,
};
