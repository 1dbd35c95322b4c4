//! `useless-ignore`: an ignored dependency that the variant does not have.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found where Packages are rendered.
pub(crate) const RULE: Rule = Rule {
    code: "useless-ignore",
    ids: &["UselessIgnore"],
    level: Level::Warning,
    summary: "an ignored dependency that the variant does not have",
    explain: "\
`ignoreDependencies` works on the `dependsOn` of the Package's own variant alone, not on those of
its components and not on other Packages. This entry does nothing.

Fix: correct the name, or drop it.

Quiet: dependencies that the variant has, whether they are there or not.

Source: `spec/package-rendering.md`, section 4, \"dependsOn\".
",
    check: found_elsewhere,
};
