//! `release-test-not-found`: Helm tests of a shortened name.

use super::{Context, Rule};
use crate::finding::{Finding, Level};

pub(crate) const RULE: Rule = Rule {
    code: "release-test-not-found",
    ids: &["RN006", "HZ45"],
    level: Level::Warning,
    summary: "Helm tests look for a release by its unshortened name",
    explain: "\
Before helm-controller 1.5.5 the test action looks its release up under the name before shortening and
finds none: with `spec.test.enable` and a name over 53 bytes every test, and with it the release, ends
in failure.

Fix: a `releaseName` of at most 53 characters before the release is installed, tests off, or
helm-controller 1.5.5.

Quiet: names of up to 53 bytes.

Source: fluxcd/helm-controller#1498.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for (claim, key) in context.claims.decided() {
        let (Some(span), full) = (claim.release.tested, claim.release.full_name()) else {
            continue;
        };
        if full == key.name {
            continue;
        }
        let mut label = claim.label();
        label.span = span;
        let message = format!(
            "tests of HelmRelease `{}` look for `{full}`, and the release is called `{}`: \
             helm-controller before 1.5.5 finds none and the tests fail",
            claim.shown(),
            key.name
        );
        let mut finding = Finding::new(RULE.code, RULE.level, label, message)
            .help("run helm-controller 1.5.5 or newer, or switch the tests off");
        finding.ids = RULE.ids.to_vec();
        findings.push(finding);
    }
}
