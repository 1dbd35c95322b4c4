//! `bundle-entry-unused`: nothing asks for an entry of a bundle.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "bundle-entry-unused",
    ids: &[],
    level: Level::Note,
    summary: "nothing asks for an entry of a bundle",
    explain: "\
The bundle holds an entry whose repository none of the inputs names, neither as it was written nor as
the tables make it. It costs room, and may be left from an earlier state.

Fix: create the bundle anew from the same inputs.

Quiet: for signatures and what else belongs to an image by its tag, and without inputs to compare.
",
    check: found_elsewhere,
};
