//! `document-without-kind`: a document does not say what it is.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "document-without-kind",
    ids: &[],
    level: Level::Error,
    summary: "a document does not say what it is",
    explain: "\
An object has an `apiVersion` and a `kind`. Among the manifests that are given, a document without
them cannot be applied; among Flux's own, the operator passes over a document without a kind, and so
does forebay, with a warning.

Fix: name manifests only. Values go to `--values`, override tables to `--images`.

Quiet: in a directory, where such a document is counted and left alone.

Source: the operator's `internal/fluxinstall`.
",
    check: found_elsewhere,
};
