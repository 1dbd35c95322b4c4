//! `invalid-copy`: a copy path of an artifact is refused.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found where Packages are rendered.
pub(crate) const RULE: Rule = Rule {
    code: "invalid-copy",
    ids: &["InvalidCopy"],
    level: Level::Error,
    summary: "a copy path of an artifact is refused",
    explain: "\
The paths of a copy operation, made of the source's name, its base path and the component's path or
file, hold at most 1024 characters. Otherwise the whole ArtifactGenerator is refused.

Fix: shorten the path.

Quiet: paths of up to 1024 characters, whatever stands in them.

Source: source-watcher v2.1.0; `spec/package-rendering.md`, section 3.
",
    check: found_elsewhere,
};
