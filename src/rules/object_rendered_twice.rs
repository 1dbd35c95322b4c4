//! `object-rendered-twice`: a chart renders one object twice, and post-rendering fails.

use std::collections::BTreeMap;

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Level, ObjectId};
use crate::model::field;
use crate::model::version::Version;

pub(crate) const RULE: Rule = Rule {
    code: "object-rendered-twice",
    ids: &["HZ19"],
    level: Level::Error,
    summary: "a chart renders one object twice, and post-rendering fails",
    explain: "\
helm-controller sends every release through kustomize to put its labels on, which takes an id once: a
chart that renders one object from two templates fails with `may not add resource with an already
registered id`, where `helm install` passes. On helm-controller 1.5.0 to 1.5.3 a hook and a template of
one id fail as well.

Example: one RoleBinding from two templates of one chart.

Fix: mend the chart, or drop one of the two by its values.

Quiet: objects that no chart renders; a hook and a template, but for the versions named.

Source: `spec/hazards.md` HZ19; helm-controller#576, helm-controller#1449.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let controller = context.flux_version.and_then(Version::helm_controller);
    let hooks_count =
        controller.is_some_and(|version| (version.0, version.1) == (1, 5) && version.2 < 4);
    let mut seen: BTreeMap<(&(String, String), &ObjectId), &Subject<'_>> = BTreeMap::new();
    for subject in context.charted() {
        let Some(release) = subject.rendered_by.as_ref() else {
            continue;
        };
        let root = subject.root();
        let hook = root.is_some_and(|root| field::annotation(root, "helm.sh/hook").is_some());
        if subject.id.name.is_empty() || hook && !hooks_count {
            continue;
        }
        let first = *seen.entry((release, &subject.id)).or_insert(subject);
        if first.place == subject.place {
            continue;
        }
        let (namespace, name) = release;
        let message = format!(
            "{} is rendered twice by the chart of {namespace}/{name}: post-rendering fails",
            subject.id
        );
        findings.push(
            Finding::new(RULE.code, Level::Error, subject.label(), message)
                .help("mend the chart, or drop one by its values")
                .related(first.label().message("the first one")),
        );
    }
}
