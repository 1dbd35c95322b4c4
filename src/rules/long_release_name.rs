//! `long-release-name`: the name of a HelmRelease does not fit the label made from it.

use super::{Context, Rule};
use crate::finding::{Finding, Level};

pub(crate) const RULE: Rule = Rule {
    code: "long-release-name",
    ids: &["LongReleaseName", "RN018", "HZ45"],
    level: Level::Error,
    summary: "a HelmRelease's name does not fit in a label value",
    explain: "\
helm-controller labels every object of a release, and its HelmChart, with
`helm.toolkit.fluxcd.io/name`: the HelmRelease's own name. A label value holds 63 characters, a name
253. With a longer one every apply is refused, whatever `releaseName` says.

Fix: a HelmRelease name of at most 63 characters; for a component of a Package, a shorter `releaseName`.

Quiet: names of up to 63 characters.

Source: helm-controller v1.5.0 `internal/postrender`; apimachinery `IsValidLabelValue`.
",
    check,
};

/// What a label value holds.
const LIMIT: usize = 63;

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for claim in &context.claims.releases {
        let name = &claim.release.id.name;
        if name.len() <= LIMIT || claim.release.variable().is_some() {
            continue;
        }
        let message = format!(
            "the name of HelmRelease `{}` has {} characters; it becomes the value of a label on \
             every object of the release, which holds {LIMIT}: every apply is refused",
            claim.shown(),
            name.len()
        );
        let mut finding = Finding::new(RULE.code, RULE.level, claim.label(), message)
            .help("give it a shorter name, and keep the release's with `releaseName`");
        finding.ids = RULE.ids.to_vec();
        findings.push(finding);
    }
}
