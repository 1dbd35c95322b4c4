//! `malformed-input`: a text cannot be read as YAML.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "malformed-input",
    ids: &[],
    level: Level::Error,
    summary: "a text cannot be read as YAML",
    explain: "\
forebay reads YAML as Go's readers do, which are those of kubectl, kustomize and Flux. What they
refuse it refuses, with the place: a tab in the indentation, a control character, `%YAML 1.2`, a
bracket that is never closed. A few forms that Go reads and forebay does not (a comment glued to a
quote, NEL and LS line ends) are refused too, with a message that says so.

Fix: as the message says.

Quiet: in charts, whose templates are no YAML.

Source: go.yaml.in/yaml/v3 `scannerc.go`, `parserc.go`, `readerc.go`.
",
    check: found_elsewhere,
};
