//! `shard-without-controller`: no helm-controller takes the shard of a release.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "shard-without-controller",
    ids: &["UF217"],
    level: Level::Note,
    summary: "no helm-controller takes the shard of a release",
    explain: "\
The label gives the release to a shard that no helm-controller of the snapshot watches: nothing
happens to it, and without a finalizer a delete is over at once.

Example: `sharding.fluxcd.io/key: shard2`, and one controller with
`--watch-label-selector=sharding.fluxcd.io/key=shard1`.

Fix: run a helm-controller for the shard, or take the label off.

Quiet: where the snapshot has no helm-controller, or a selector that is not understood.

Source: `spec/uninstall-fence.md`, section 5.
",
    check: found_elsewhere,
};
