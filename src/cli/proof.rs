//! What the proofs of an air gap share on the command line: under which names images are looked for,
//! and what is said of releases that were not looked into.
//!
//! Looking itself is in `presence`, and in `bundle verify`.

use std::collections::BTreeSet;

use clap::ValueEnum;

use super::console::Console;
use crate::finding::Finding;
use crate::report::images::not_looked_into;
use crate::resolve::inventory::NOT_SEEN;

/// The names that images are looked for under.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum NameKind {
    /// As the manifests have them: nodes behind mirrors pull those.
    Original,
    /// As the tables make them.
    Rewritten,
}

/// Says which releases a proof did not see, and, where it counts for nothing without them, how to take
/// it nevertheless.
pub(super) fn tell_unseen(unseen: &BTreeSet<String>, stopped: bool, console: &Console) {
    if unseen.is_empty() {
        return;
    }
    console.talk(format!("note: {}\n", not_looked_into(unseen)));
    if stopped {
        console.talk("help: `--accept-unseen` takes the proof without them\n");
    }
}

/// The findings without those of releases that were not looked into.
pub(super) fn without_unseen(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.retain(|finding| finding.rule != NOT_SEEN);
    findings
}
