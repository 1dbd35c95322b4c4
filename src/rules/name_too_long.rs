//! `name-too-long`: a name is longer than what is made of it may be.

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Level};

pub(crate) const RULE: Rule = Rule {
    code: "name-too-long",
    ids: &["HZ45"],
    level: Level::Error,
    summary: "a name is longer than what is made of it may be",
    explain: "\
The API takes names of 253 characters for most kinds, but some become a label or a name of DNS, which
hold 63: those of Services, Namespaces, StatefulSets and Jobs. A CronJob makes Jobs by adding eleven
characters, and has 52. A StatefulSet labels its Pods with its name and a hash of up to eleven
characters, so a name of more than 52 may be taken and never get a Pod. Charts append to the name of
their release, so that a long one reaches these limits.

Example: a CronJob whose name has 60 characters.

Fix: a shorter name, for new objects only, since a rename deletes the old one; a shorter `releaseName`
of a new release, or `fullnameOverride` where the chart has it.

Quiet: names that fit, as those do that a chart shortens; names that are substituted; HelmReleases, of
which `long-release-name`, `release-name-too-long` and `release-name-shortened` speak.

Source: `spec/hazards.md` HZ45; Kubernetes' validation of these kinds; helm-controller#515,
VictoriaMetrics/helm-charts#1945.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for subject in context.everything() {
        let length = subject.id.name.chars().count();
        let Some((level, limit, why)) = limit(subject, length) else {
            continue;
        };
        if subject.id.name.contains("${") {
            continue;
        }
        let message = format!("{}: {length} characters, limit {limit} ({why})", subject.id);
        findings.push(
            Finding::new(RULE.code, level, subject.label(), message)
                .help("a shorter name, for new objects only"),
        );
    }
}

/// The limit that a name of this length breaks, and why it is one.
fn limit(subject: &Subject<'_>, length: usize) -> Option<(Level, usize, &'static str)> {
    let name = |kind, limit, why| (length > limit).then_some((kind, limit, why));
    match (subject.id.group(), subject.id.kind.as_str()) {
        ("batch", "CronJob") => name(Level::Error, 52, "its Jobs add 11"),
        ("batch", "Job") => name(Level::Error, 63, "a label of its Pods"),
        ("", "Service" | "Namespace") => name(Level::Error, 63, "a name of DNS"),
        ("apps", "StatefulSet") => name(Level::Error, 63, "a label of its Pods").or_else(|| {
            let why = "the label `controller-revision-hash` of its Pods may add 11";
            name(Level::Note, 52, why)
        }),
        _ => None,
    }
}
