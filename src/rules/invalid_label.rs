//! `invalid-label`: a name does not fit into a label.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found where Packages are rendered.
pub(crate) const RULE: Rule = Rule {
    code: "invalid-label",
    ids: &["InvalidLabel"],
    level: Level::Error,
    summary: "a name does not fit into a label",
    explain: "\
The ArtifactGenerator carries its PackageSource's name as a label value, which holds 63 characters.
It is refused as a whole, and none of the source's artifacts is made, in any variant.

Fix: give the PackageSource a shorter name.

Quiet: names of up to 63 characters.

Source: `spec/package-rendering.md`, section 3.
",
    check: found_elsewhere,
};
