//! `image-not-in-bundle`: an image would not be found in a bundle.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "image-not-in-bundle",
    ids: &[],
    level: Level::Error,
    summary: "an image is not in the bundle",
    explain: "\
Something among the inputs asks for an image that the bundle has under no name: neither the rewritten
one nor the original one with the rewritten tag and digest. `--names` asks for one of the two. A
digest is found by itself; a tag has to be the same. A text that is no image reference is found
nowhere.

Fix: create the bundle from the same inputs and tables.

Quiet: where charts of releases were not looked into, there is nothing to find. `verify` counts those
releases and ends with 1, unless `--accept-unseen` says otherwise.
",
    check: found_elsewhere,
};
