//! `chart-not-seen`: the chart of a release was not looked into.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "chart-not-seen",
    ids: &[],
    level: Level::Warning,
    summary: "the chart of a release was not looked into",
    explain: "\
`forebay images` lists what it can see. A HelmRelease whose chart is not among the inputs will pull
images that stand in no file here, so a list or a bundle without them is not whole.

Fix: give the content of its source with `--charts KIND/NAMESPACE/NAME=PATH`, which may be `oci://REF`
instead of a path, or what the chart renders with `--rendered NAMESPACE/NAME=PATH`.

Quiet: releases whose chart is a directory among the inputs, whose rendered objects are (they carry
the labels of helm-controller), or for which one of the two is given.

Source: `spec/bundle.md`, \"The image list\".
",
    check: found_elsewhere,
};
