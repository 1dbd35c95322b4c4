//! `helm-release-failed`: the API server refuses a HelmRelease.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found where Packages are rendered.
pub(crate) const RULE: Rule = Rule {
    code: "helm-release-failed",
    ids: &["HelmReleaseFailed"],
    level: Level::Error,
    summary: "the API server refuses a HelmRelease",
    explain: "\
The operator stops at the first HelmRelease that is refused, and the releases before it stand.
Refused are a name that is no DNS subdomain, a Package name of more than 63 characters (it becomes a
label value), and a duration with a unit below the millisecond (the schema takes h, m, s and ms).

Fix: correct the name that the message quotes.

Quiet: names of up to 253 characters: whether Helm can install under them is `long-release-name`.

Source: `spec/package-rendering.md`, sections 2 and 4.
",
    check: found_elsewhere,
};
