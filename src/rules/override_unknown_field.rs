//! `override-unknown-field`: an override entry has a field that nobody reads.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "override-unknown-field",
    ids: &[],
    level: Level::Error,
    summary: "an override entry has a field that nobody reads",
    explain: "\
An entry has `name`, `newName`, `newTag` and `digest`. Any other field would be passed over in
silence, and the image would stay. kustomize reads field names in any case and knows a `tagSuffix`;
the tables of Cozystack do not.

Fix: the finding names the field that is nearest.

Quiet: null and empty values, which count as absent.

Source: the image-override tables of Cozystack; kustomize 5.7.1 `api/types/image.go`.
",
    check: found_elsewhere,
};
