//! `operator-setting-refused`: the operator refuses a setting at start.

use super::{Rule, found_elsewhere};
use crate::finding::Level;

/// Found where the settings are read.
pub(crate) const RULE: Rule = Rule {
    code: "operator-setting-refused",
    ids: &[],
    level: Level::Error,
    summary: "the operator refuses a setting at start",
    explain: "\
The installer's chart passes `cozystackOperator.helmReleaseInterval`, `helmReleaseRetryInterval`,
`helmReleaseInstallTimeout`, `helmReleaseUpgradeTimeout` and `helmReleaseMaxHistory` to the operator
as flags, as text. The durations go through Go's parser and must be greater than zero; the history
is a number from 0. Anything else ends the operator at start, and nothing is made at all.

Fix: write a duration with its unit, such as `5m` or `1h30m`.

Quiet: an empty text, which leaves the default.

Source: `spec/package-rendering.md`, section 2.
",
    check: found_elsewhere,
};
