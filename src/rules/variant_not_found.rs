//! `variant-not-found`: a Package asks for a variant that its source does not have.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found where Packages are rendered.
pub(crate) const RULE: Rule = Rule {
    code: "variant-not-found",
    ids: &["VariantNotFound"],
    level: Level::Error,
    summary: "a Package asks for a variant that its source does not have",
    explain: "\
Without `spec.variant`, and with an empty one, the variant is `default`. There is no fallback to the
only or the first one. The operator sets Ready=False with this reason and makes nothing of the
Package, not even its Namespaces.

Fix: write one of the variants that the source has; the message lists them.

Quiet: a variant that is there twice: the first one counts, and `duplicate-variant` speaks of it.

Source: `spec/package-rendering.md`, section 4, step 2.
",
    check: found_elsewhere,
};
