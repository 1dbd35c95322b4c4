//! `flux-open-schemas`: the embedded Flux set has open schemas.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

pub(crate) const RULE: Rule = Rule {
    code: "flux-open-schemas",
    ids: &[],
    level: Level::Warning,
    summary: "the embedded Flux set has open schemas",
    explain: "\
forebay brings a Flux set of its own writing, so that the first run works anywhere. Its
CustomResourceDefinitions accept any field. Applied over the real ones they would loosen them: the
API server would take mistakes that it refuses today.

Fix: give the platform's own set with `--flux PATH` or `--flux operator:PATH`, or build forebay with
`FOREBAY_FLUX_DIR=DIR`.

Quiet: with any other set.

Source: the embedded files say so themselves.
",
    check: found_elsewhere,
};
