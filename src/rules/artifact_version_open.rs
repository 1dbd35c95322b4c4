//! `artifact-version-open`: an artifact is asked for by a range of versions.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "artifact-version-open",
    ids: &[],
    level: Level::Note,
    summary: "an artifact is asked for by a range of versions",
    explain: "\
An OCIRepository with `ref.semver`, or a HelmRelease whose chart comes from a HelmRepository of type
`oci` without one exact version, leaves it to the registry which version is pulled. Offline nobody
knows which, so the artifact is not in the list of images. `images --resolve` asks the registry,
`bundle create` fetches what it says, and the proofs look for a version that fits.

Example:

    kind: OCIRepository
    spec:
      url: oci://ghcr.io/example/manifests
      ref:
        semver: \"1.x\"

Fix: name one version, or better a digest.

Quiet: a tag, a digest, one exact version of a chart; repositories that are no registries.

Source: source-controller v1.8 `internal/controller/ocirepository_controller.go`; `spec/bundle.md`.
",
    check: found_elsewhere,
};
