//! `override-not-a-list`: an override table is no list.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "override-not-a-list",
    ids: &["InvalidImageOverrides"],
    level: Level::Error,
    summary: "an override table is no list",
    explain: "\
A table is a list, since entries run in order. A mapping or a single text at its place is refused, as
kustomize and Cozystack refuse it. So is a file given with `--images` that holds no table at all: it
would override nothing, without a word.

Example:

    images:
    - name: registry.example.org/app
      newTag: \"2\"

Fix: write each entry as an element; put the list at the top of the file, or under `images`,
`imageOverrides`, `registries.imageOverrides` or `cozystackOperator.fluxImageOverrides`.

Quiet: null and empty tables, which override nothing on purpose; values that have those sections
without a table.

Source: `spec/package-rendering.md` section 10; kustomize 5.7.1 `api/types/image.go`.
",
    check: found_elsewhere,
};
