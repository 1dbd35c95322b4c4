//! `override-not-a-string`: a field of an override entry is no string.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "override-not-a-string",
    ids: &[],
    level: Level::Error,
    summary: "a field of an override entry is no string",
    explain: "\
YAML makes a number of `1.20`, which is then 1.2, an octal 8 of `010`, a float of `706798e8`, and a
truth value of `y` and `on`. A tag that YAML reads as something else is refused, since what arrives
is not what was written.

Fix: quote it.

Quiet: null and empty values, which count as absent.

Source: the image-override tables of Cozystack; kustomize 5.7.1 `api/types/image.go`.
",
    check: found_elsewhere,
};
