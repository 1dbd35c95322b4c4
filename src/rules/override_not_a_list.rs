//! `override-not-a-list`: an override table is no list.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "override-not-a-list",
    ids: &[],
    level: Level::Error,
    summary: "an override table is no list",
    explain: "\
The table is a list, since its order counts. A mapping or a single text at its place is refused, as
kustomize and Cozystack refuse it.

Example:

    images:
    - name: registry.example.org/app
      newTag: \"2\"

Fix: write each entry as an element.

Quiet: null and empty values, which count as absent.

Source: the image-override tables of Cozystack; kustomize 5.7.1 `api/types/image.go`.
",
    check: found_elsewhere,
};
