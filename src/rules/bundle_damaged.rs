//! `bundle-damaged`: content of a bundle is missing, or is not what its name says.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "bundle-damaged",
    ids: &[],
    level: Level::Error,
    summary: "content of a bundle is missing or damaged",
    explain: "\
A bundle is an OCI image layout: every descriptor names its content by size and digest. This one
leads to content that is not there, is shorter or longer than its descriptor says, does not hash to
its name, or cannot be read as a manifest. Behind the air gap the image would not be pulled.

Fix: run `forebay bundle create` again; it keeps what is sound and fetches the rest. Where the bundle
was copied, copy it again and compare its digest.

Quiet: for manifests of an index that are not there, which is `bundle-partial-index`.

Source: OCI image-spec 1.1 `image-layout.md`, `descriptor.md`.
",
    check: found_elsewhere,
};
