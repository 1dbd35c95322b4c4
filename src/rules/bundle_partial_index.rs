//! `bundle-partial-index`: an index of a bundle leads to manifests that are not there.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "bundle-partial-index",
    ids: &[],
    level: Level::Error,
    summary: "an index of a bundle has platforms that are not there",
    explain: "\
An index names a manifest for each platform, and attestations beside them. Some of those are not in
the bundle. A registry that checks references refuses such an index; a pod that is pinned to the
index's digest is not served by one platform's manifest.

Fix: bundle all platforms, or one platform under its own digest: `forebay bundle create --platform`.

Quiet: a note only, where the bundle was made with `--sparse`, which says so.

Source: OCI image-spec 1.1 `image-index.md`; distribution-spec 1.1 `spec.md`, \"Pushing Manifests\".
",
    check: found_elsewhere,
};
