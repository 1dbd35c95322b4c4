//! `schema-version`: an object's version is not served, or is deprecated.

use super::{Context, Rule};
use crate::finding::{Finding, Level};
use crate::resolve::schema::Fault;

pub(crate) const RULE: Rule = Rule {
    code: "schema-version",
    ids: &["HZ05"],
    level: Level::Error,
    summary: "an object's version is not served, or is deprecated",
    explain: "\
A definition lists the versions of its kind and which of them are served. An object in another version
is refused: `no matches for kind`. A deprecated version is taken, with a warning, until an upgrade of
the definition stops serving it.

    apiVersion: helm.toolkit.fluxcd.io/v2beta1
    kind: HelmRelease

Fix: write a version that is served; for Flux's own kinds `flux migrate -f PATH` does. Objects that the
cluster holds are to be migrated before the definition drops their version.

Quiet: kinds without a definition among the inputs, in `--schemas` or in the Flux set.

Source: apiextensions v1 `CustomResourceDefinitionVersion`; hazard HZ05.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for violation in context.failing(Fault::NotServed) {
        let finding = violation.finding(RULE.code, Level::Error, "the API server refuses");
        findings.push(finding.id("HZ05"));
    }
    for violation in context.failing(Fault::Deprecated) {
        let follows = "a later version of the definition may refuse";
        let finding = violation.finding(RULE.code, Level::Warning, follows);
        findings.push(finding.id("HZ05"));
    }
}
