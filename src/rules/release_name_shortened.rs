//! `release-name-shortened`: a release is not called what its HelmRelease says.

use super::{Context, Rule};
use crate::finding::{Finding, Level};
use crate::model::release::helm_takes;

pub(crate) const RULE: Rule = Rule {
    code: "release-name-shortened",
    ids: &["RN005"],
    level: Level::Note,
    summary: "a release name is over 53 bytes and is shortened",
    explain: "\
helm-controller keeps 40 bytes of a longer name and appends a dash and 12 digits of the SHA-256 of the
whole. `helm list` and the record's Secret show that name; names with one beginning stay apart by the
digest.

Fix: none is needed; a `releaseName` gives the release a name that people can read. On an installed
release a new name is an uninstall and an install.

Quiet: names up to 53 bytes, and shortened ones that Helm refuses (`release-name-refused`).

Source: helm-controller v1.5.0 `internal/release/name.go`. The documentation's example keeps 42 bytes;
the code keeps 40.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for (claim, key) in context.claims.decided() {
        let full = claim.release.full_name();
        if full == key.name || !helm_takes(&key.name) {
            continue;
        }
        let message = format!(
            "the release of HelmRelease `{}` is called `{}`: `{full}` has {} bytes, and Helm takes \
             53",
            claim.shown(),
            key.name,
            full.len()
        );
        findings.push(Finding::new(RULE.code, RULE.level, claim.label(), message).id("RN005"));
    }
}
