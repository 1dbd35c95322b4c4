//! `invalid-namespace`: the API server refuses a Namespace.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found where Packages are rendered.
pub(crate) const RULE: Rule = Rule {
    code: "invalid-namespace",
    ids: &["InvalidNamespace"],
    level: Level::Error,
    summary: "the API server refuses a Namespace",
    explain: "\
A Namespace is called by a DNS label: at most 63 of lower-case letters, digits and inner dashes. The
operator stops the Package there, without a condition, and makes none of its HelmReleases; the
Namespaces before it stand.

Fix: correct `install.namespace`.

Quiet: a component that is switched off.

Source: `spec/package-rendering.md`, section 4.
",
    check: found_elsewhere,
};
