//! `build-changes-more`: a kustomize build changes something besides images.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "build-changes-more",
    ids: &[],
    level: Level::Note,
    summary: "a kustomize build changes something besides images",
    explain: "\
helm-controller sends a chart's output through a kustomize build. Besides images the build makes an
empty list of a null at a place where a pod keeps its containers or volumes, as soon as the table
has an entry. forebay leaves the null as it is and says so.

Fix: write `[]`, or take the key out.

Quiet: without entries, outside the six pod paths, in CustomResourceDefinitions.

Source: kustomize 5.7.1, `api/filters/fieldspec`.
",
    check: found_elsewhere,
};
