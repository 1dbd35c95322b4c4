//! `override-unknown-field`: an override entry has a field that nobody reads.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "override-unknown-field",
    ids: &["InvalidImageOverrides"],
    level: Level::Error,
    summary: "an override entry has a field that nobody reads",
    explain: "\
An entry has `name`, `newName`, `newTag` and `digest`, spelt so. Any other field would be passed over
in silence, and the image would stay what it was. kustomize reads field names in any case and knows a
`tagSuffix`, which 5.7.1 applies twice; the tables of Cozystack and Flux have neither.

Example:

    - name: registry.example.org/app
      newtag: \"2.0\"

Fix: the finding names the field that is nearest.

Quiet: the four fields, also where they are null or empty.

Source: `spec/package-rendering.md` section 10; kustomize 5.7.1 `api/types/image.go`.
",
    check: found_elsewhere,
};
