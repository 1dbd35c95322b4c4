//! `package-source-not-found`: a Package has no PackageSource.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found where Packages are rendered.
pub(crate) const RULE: Rule = Rule {
    code: "package-source-not-found",
    ids: &["PackageSourceNotFound"],
    level: Level::Error,
    summary: "a Package has no PackageSource",
    explain: "\
A Package has no field that names its source: it belongs to the PackageSource of its own name.
Without one the operator sets Ready=False with this reason and makes nothing of the Package, not
even its Namespaces. What an earlier state has made stays.

Fix: add the PackageSource to the inputs, or give the Package its name.

Quiet: a PackageSource without a Package: it is an offer.

Source: `spec/package-rendering.md`, section 4, step 1.
",
    check: found_elsewhere,
};
