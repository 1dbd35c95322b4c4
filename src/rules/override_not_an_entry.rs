//! `override-not-an-entry`: an element of an override table is no mapping.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "override-not-an-entry",
    ids: &["InvalidImageOverrides"],
    level: Level::Error,
    summary: "an element of an override table is no mapping",
    explain: "\
Each element of a table is a mapping with a `name` and what replaces it. A bare image name says
nothing of what it shall become, and a null element is a dash that was left over.

Example:

    images:
    - registry.example.org/app

Fix: write `- name: registry.example.org/app` and a `newName`, `newTag` or `digest` below it.

Quiet: mappings, whatever they hold; other rules look at that.

Source: `spec/package-rendering.md` section 10; kustomize 5.7.1 `api/types/image.go`.
",
    check: found_elsewhere,
};
