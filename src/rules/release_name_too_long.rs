//! `release-name-too-long`: the API server refuses a `releaseName`.

use super::{Context, Rule};
use crate::finding::{Finding, Level};
use crate::model::release::LONGEST;

pub(crate) const RULE: Rule = Rule {
    code: "release-name-too-long",
    ids: &["RN003", "HZ45"],
    level: Level::Error,
    summary: "a `releaseName` has more than 53 characters",
    explain: "\
The HelmRelease definition takes 1 to 53 characters for `spec.releaseName`; the API server refuses the
object. A name that is composed of target namespace and name may be longer: that one is shortened.

Fix: a shorter `releaseName`, or none.

Quiet: composed names, and names of up to 53 characters.

Source: the HelmRelease definition of helm-controller v1.5.0 (`maxLength: 53`).
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for claim in &context.claims.releases {
        let Some(name) = &claim.release.release_name else {
            continue;
        };
        if !claim.release.name_is_too_long() || claim.release.variable().is_some() {
            continue;
        }
        let mut label = claim.label();
        label.span = name.span;
        let message = format!(
            "`releaseName` of HelmRelease `{}` has {} characters, expected at most {LONGEST}: the \
             API server refuses it",
            claim.shown(),
            name.value.chars().count()
        );
        let mut finding = Finding::new(RULE.code, RULE.level, label, message)
            .help("leave it out, and the composed name is shortened");
        finding.ids = RULE.ids.to_vec();
        findings.push(finding);
    }
}
