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
`--values` and from the Package `cozystack.cozystack-platform`; Flux's from the first two. Where several
give one table they must say the same, entry by entry in the same order: else what forebay shows is not
what the cluster gets.

`_cluster.image-overrides` in the Secret `cozystack-values` is what the platform chart has made of the
table. It counts where nothing else gives one; where something does and says otherwise, the Secret is
outdated, `render` rewrites it, and this is a warning.

Fix: give the table once, or make them equal.

Quiet: equal tables, however they are written, and a Secret that carries none yet.

Source: the command line's contract; `spec/package-rendering.md` sections 6 and 10.
",
    check: found_elsewhere,
};
