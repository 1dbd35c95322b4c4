//! `image-outside-allowed`: an image is pulled from a registry that is not allowed.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "image-outside-allowed",
    ids: &[],
    level: Level::Error,
    summary: "an image is pulled from a registry that is not allowed",
    explain: "\
With `--allowed`, every image must come from one of the registries named, after all overrides. One
that does not is a pull that fails behind the air gap. What a kubelet or source-controller surely
pulls is an error, what only looks like an image a warning.

Fix: move the image by an override entry, by the chart's values or by the argument that names it.
What is no pull at all can be accepted by its place: a line `KIND/NAME/PATH` in the file of
`--accept`, or `KIND/NAME/*`.

Quiet: without `--allowed`; images on those registries; accepted places; entries of tables.

Source: `spec/bundle.md`, \"The image list\".
",
    check: found_elsewhere,
};
