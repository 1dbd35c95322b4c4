//! `application-chart-missing`: a kind of applications without its chart.

use std::collections::BTreeSet;

use super::{Context, Rule};
use crate::finding::{Finding, Level};
use crate::model::application::{Definition, is_definition};

pub(crate) const RULE: Rule = Rule {
    code: "application-chart-missing",
    ids: &[],
    level: Level::Error,
    summary: "an ApplicationDefinition names an artifact that no PackageSource makes",
    explain: "\
`spec.release.chartRef` of an ApplicationDefinition names an ExternalArtifact, which a PackageSource
makes: its name, the variant and the component, dots as dashes. Where no source makes it, each
application of the kind becomes a release that waits for its chart for ever.

Fix: the name of an artifact that is made, or the PackageSource that makes it.

Quiet: artifacts of a vendor (what stands before the first dot of a PackageSource's name) of whom no
PackageSource is among the inputs, and charts that are no ExternalArtifact.

Source: `spec/collisions.md`, F; source-watcher v2.1.0.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let made: BTreeSet<&str> = context
        .made
        .rendered
        .generators
        .iter()
        .flat_map(|generator| &generator.artifacts)
        .map(|artifact| artifact.name.as_str())
        .collect();
    let names = context.made.estate.sources.keys();
    let vendors: BTreeSet<&str> = names.filter_map(|name| name.split('.').next()).collect();
    for subject in context.everything().filter(|it| is_definition(&it.id)) {
        let definition = subject.root().map(Definition::read);
        let Some(artifact) = definition.and_then(|definition| definition.artifact) else {
            continue;
        };
        let name = artifact.value.as_str();
        let of_vendor = |vendor: &&str| {
            let rest = name.strip_prefix(*vendor);
            rest.is_some_and(|rest| rest.starts_with('-'))
        };
        if made.contains(name) || !vendors.iter().any(of_vendor) {
            continue;
        }
        let mut label = subject.label();
        label.span = artifact.span;
        let message = format!(
            "ApplicationDefinition `{}` takes its chart from ExternalArtifact `{name}`, which no \
             PackageSource among the inputs makes: its applications wait for ever",
            subject.id.name
        );
        findings.push(
            Finding::new(RULE.code, RULE.level, label, message)
                .help("an artifact is called SOURCE-VARIANT-COMPONENT, dots as dashes"),
        );
    }
}
