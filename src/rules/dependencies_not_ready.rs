//! `dependencies-not-ready`: a Package waits for Packages that never become ready.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found where Packages are rendered.
pub(crate) const RULE: Rule = Rule {
    code: "dependencies-not-ready",
    ids: &["DependenciesNotReady"],
    level: Level::Error,
    summary: "a Package waits for Packages that never become ready",
    explain: "\
Every Package that the variant's `dependsOn` names must be there and ready, unless the Package's
`ignoreDependencies` names it too. Ready means that its HelmReleases are written. Until then the
operator makes the Namespaces and no HelmRelease; those of an earlier state stay as they were.
Packages that wait for each other wait for ever: the finding at the first of the ring spells the way
round and answers to HZ04 as well.

Fix: install what is missing, cut the ring, or name the dependency in `ignoreDependencies`.

Quiet: a dependency that is ignored, one whose variant has no components, and a PackageSource
without a Package.

Source: `spec/package-rendering.md`, section 4, steps 4 and 5.
",
    check: found_elsewhere,
};
