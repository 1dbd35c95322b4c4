//! `release-name-undecided`: a variable keeps a release's name from being known.

use super::{Context, Rule};
use crate::finding::{Finding, Level};

pub(crate) const RULE: Rule = Rule {
    code: "release-name-undecided",
    ids: &["RN015"],
    level: Level::Note,
    summary: "a release's name waits for a variable",
    explain: "\
A `${...}` in name, namespace, `releaseName`, `targetNamespace` or `storageNamespace` is filled in by a
Flux Kustomization after the build. Until then it is not known which Helm release the HelmRelease works
on, and it takes no part in the search for collisions.

Fix: give forebay the built and substituted manifests.

Quiet: variables elsewhere in the HelmRelease.

Source: `spec.postBuild.substitute` of kustomize-controller.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for claim in &context.claims.releases {
        let Some((path, text)) = claim.release.variable() else {
            continue;
        };
        let mut label = claim.label();
        label.span = text.span;
        let message = format!(
            "`{path}` of HelmRelease `{}` is `{}`: which release it works on is known only after \
             substitution",
            claim.shown(),
            text.value
        );
        findings.push(
            Finding::new(RULE.code, RULE.level, label, message)
                .help("check the manifests as they are after the build")
                .id("RN015"),
        );
    }
}
