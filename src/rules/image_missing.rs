//! `image-missing`: an image would not be found in a bundle or a registry.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "image-missing",
    ids: &[],
    level: Level::Error,
    summary: "an image is not where it will be looked for",
    explain: "\
Something among the inputs asks for an image that the bundle, or the registry, does not have under its
name: `images --in` looks for the rewritten name, `bundle verify` for that one or the original one with
the rewritten tag and digest, and `--names` asks for one of the two. In a registry the path of the name
counts and its host does not, since nodes come there by a table or by a mirror. A digest is found by
itself; a tag has to be the same. A text that is no image reference is found nowhere.

Asked for are images that something surely pulls, artifacts and what tables name; with `--with possible`
also texts that are only shaped like references.

Fix: create the bundle from the same inputs and tables, and push it.

Quiet: where charts of releases were not looked into, there is nothing to find. Both commands count
those releases and end with 1, unless `--accept-unseen` says otherwise.
",
    check: found_elsewhere,
};
