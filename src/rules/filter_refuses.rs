//! `filter-refuses`: the real filter would stop here.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "filter-refuses",
    ids: &[],
    level: Level::Error,
    summary: "the real filter would stop here",
    explain: "\
kustomize's image filter looks at every `containers` and `initContainers` list in every document,
custom resources too, and stops at the first shape that it does not know: an element that is no
mapping, an `image` that is no text, a scalar where a pod spec is expected. It panics at an entry
whose name is no regular expression. Then Flux installs nothing of that text.

Fix: as the finding says; most often a custom resource must name its field otherwise, or the table
must be empty for that release.

Quiet: without entries; in CustomResourceDefinitions.

Source: kustomize 5.7.1 `api/filters/imagetag`, `api/filters/fieldspec`, `api/resource`.
",
    check: found_elsewhere,
};
