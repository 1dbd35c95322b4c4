//! `invalid-object`: the API server refuses a Package or PackageSource.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found where Packages are rendered.
pub(crate) const RULE: Rule = Rule {
    code: "invalid-object",
    ids: &["InvalidObject"],
    level: Level::Error,
    summary: "the API server refuses a Package or PackageSource",
    explain: "\
Its name is a DNS subdomain of at most 253 characters (a name like `../x` never reaches a file or a
cluster), and the only version is v1alpha1. What is refused counts as absent.

Fix: correct the name or the version.

Quiet: names with dots: dots are allowed here, and become dashes in the names of artifacts.

Source: `spec/package-rendering.md`, section 1.
",
    check: found_elsewhere,
};
