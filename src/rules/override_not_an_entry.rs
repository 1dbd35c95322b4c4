//! `override-not-an-entry`: an element of an override table is no mapping.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "override-not-an-entry",
    ids: &[],
    level: Level::Error,
    summary: "an element of an override table is no mapping",
    explain: "\
Each element is a mapping with a `name` and what replaces it. A bare image name says nothing of what
it shall become.

Fix: write `- name: …` and a `newName`, `newTag` or `digest` below it.

Quiet: null and empty values, which count as absent.

Source: the image-override tables of Cozystack; kustomize 5.7.1 `api/types/image.go`.
",
    check: found_elsewhere,
};
