//! `release-images-kept`: a HelmRelease keeps an image renderer that is not the platform's table.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found where `--override-releases` puts the table on HelmReleases.
pub(crate) const RULE: Rule = Rule {
    code: "release-images-kept",
    ids: &[],
    level: Level::Note,
    summary: "a HelmRelease keeps image overrides of its own before the platform's table",
    explain: "\
With `--override-releases` the platform's table becomes the last post-renderer of every HelmRelease
among the inputs. Its own post-renderers stay before it, and the table sees what they have made of the
images. One that holds nothing but images and differs from the table may be the release's own, or what
an earlier table has left: Cozystack's reconciler of ApplicationDefinitions takes it for the latter and
removes it. forebay keeps it and says so.

Fix: drop the renderer if it is an earlier table's.

Quiet: renderers with patches, and a last renderer that equals the table, which is not repeated.

Source: `spec/package-rendering.md`, section 10.
",
    check: found_elsewhere,
};
