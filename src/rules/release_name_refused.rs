//! `release-name-refused`: Helm refuses a release's name.

use super::{Context, Rule};
use crate::finding::{Finding, Level};
use crate::model::release::helm_takes;

pub(crate) const RULE: Rule = Rule {
    code: "release-name-refused",
    ids: &["RN004", "HZ45"],
    level: Level::Error,
    summary: "Helm refuses the name of a release",
    explain: "\
Helm takes labels of lower-case letters, digits and inner dashes, joined by dots, 53 bytes in all. The
HelmRelease definition only counts the characters of `releaseName`, so `My_Web` is applied and then
refused on every action. A composed name of more than 53 bytes is cut after 40; where that leaves a dot
before the dash, the release can never be installed.

Example:
  metadata: {name: certificates.issuer.acme.example.internal}
  spec: {targetNamespace: tenant-acme-prod-eu}
  # tenant-acme-prod-eu-certificates.issuer.-71333eae6b3f

Fix: a `releaseName` of lower-case letters, digits and dashes.

Quiet: a cut that leaves two dashes, which Helm takes.

Source: Helm v4.1.1 `pkg/chart/common/util/validate.go`; helm-controller v1.5.0 `ShortenName`.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for (claim, key) in context.claims.decided() {
        // A name over 63 bytes without a target is `long-release-name`: one fact, one finding.
        if helm_takes(&key.name) || claim.release.id.name.len() > 63 {
            continue;
        }
        let full = claim.release.full_name();
        let how = if full == key.name {
            "expected lower-case letters, digits, `-` and `.`, each label beginning and ending \
             with a letter or digit"
                .to_owned()
        } else {
            format!("to which `{full}` is shortened")
        };
        let mut label = claim.label();
        label.span = claim.release.name_span();
        let message = format!(
            "Helm refuses the release name `{}` of HelmRelease `{}`, {how}: it is never installed",
            key.name,
            claim.shown()
        );
        let mut finding = Finding::new(RULE.code, RULE.level, label, message)
            .help("write a shorter `spec.releaseName` of lower-case letters, digits and dashes");
        finding.ids = RULE.ids.to_vec();
        findings.push(finding);
    }
}
