//! `long-release-name`: nothing can be installed under the name of a HelmRelease.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found where Packages are rendered.
pub(crate) const RULE: Rule = Rule {
    code: "long-release-name",
    ids: &["LongReleaseName", "RN018"],
    level: Level::Error,
    summary: "nothing can be installed under the name of a HelmRelease",
    explain: "\
A name of more than 53 characters is shortened for Helm to its first 40, a dash and 12 digits of a
digest. Where the cut falls on a dot the result is no name to Helm, and every install is refused. A
name of more than 63 characters does not fit the label that helm-controller puts on each object of
the release, so every apply is refused. The operator writes the HelmRelease all the same.

Fix: give the component a shorter `install.releaseName`.

Quiet: names of up to 63 characters that are shortened to a name that Helm takes.

Source: helm-controller v1.5.0 `internal/release/name.go`; `spec/release-names.md`, section 2.
",
    check: found_elsewhere,
};
