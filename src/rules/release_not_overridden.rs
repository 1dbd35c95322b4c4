//! `release-not-overridden`: the table cannot be put on a HelmRelease.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found where `--override-releases` puts the table on HelmReleases.
pub(crate) const RULE: Rule = Rule {
    code: "release-not-overridden",
    ids: &[],
    level: Level::Error,
    summary: "the platform's table cannot be put on a HelmRelease",
    explain: "\
`--override-releases` edits the text of a HelmRelease and leaves every other byte as it is. Where its
`spec` or `postRenderers` carries an anchor, or `spec` is an alias, the edit would change what shares
that text as well. The release is passed on without the table, so its images stay what they are.

Fix: write `spec` and `postRenderers` without anchors and aliases.

Quiet: anchors elsewhere, post-renderers that a merge or an alias brings (they are written out), and
releases that have the table already.

Source: `spec/package-rendering.md`, section 10.
",
    check: found_elsewhere,
};
