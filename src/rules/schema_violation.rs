//! `schema-violation`: the API server refuses a Package or PackageSource for a field.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found while the object is read.
pub(crate) const RULE: Rule = Rule {
    code: "schema-violation",
    ids: &["SchemaViolation"],
    level: Level::Error,
    summary: "the API server refuses a Package or PackageSource for a field",
    explain: "\
A field has the wrong type, is missing, or is not one of its values. Kubernetes reads YAML 1.1: a
plain `on`, `off`, `yes` or `no` is a boolean and not a name. What is refused counts as absent, and
what that leads to is told too.

Fix: correct the field; quote a text that is read as something else.

Quiet: unknown fields: they are dropped, and `unknown-field` speaks of them.

Source: `spec/package-rendering.md`, section 1.
",
    check: found_elsewhere,
};
