//! `force-on-stateful`: a forced apply may delete what holds data.

use std::collections::BTreeMap;

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Level};
use crate::model::{field, kinds};
use crate::resolve::builds::DocPlace;
use crate::yaml::Node;

pub(crate) const RULE: Rule = Rule {
    code: "force-on-stateful",
    ids: &["HZ42"],
    level: Level::Error,
    summary: "a forced apply may delete what holds data",
    explain: "\
With the annotation `kustomize.toolkit.fluxcd.io/force: Enabled`, or `spec.force` of a Kustomization, an
apply that is refused for an immutable field deletes the object and makes it again: a claim with its
volume, a StatefulSet, a Namespace with all in it, a CRD with its resources, a HelmRelease with its
release.

Example:

    kind: StatefulSet
    metadata: {annotations: {kustomize.toolkit.fluxcd.io/force: Enabled}}

Fix: force Jobs only, each by the annotation.

Quiet: kinds that hold no data, Jobs above all; objects that a chart renders, where the annotation does
nothing; a Kustomization whose path is not read, or that a patch may change.

Source: `spec/hazards.md` HZ42; the documentation of kustomize-controller.
",
    check,
};

const ANNOTATION: &str = "kustomize.toolkit.fluxcd.io/force";

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for subject in context.objects.iter().filter(|it| holds_data(it)) {
        let forced = subject.root().filter(|root| field::forced(*root));
        let node = forced.and_then(|root| {
            let mut maps = ["annotations", "labels"].iter();
            maps.find_map(|map| root.at(&["metadata", map, ANNOTATION]))
        });
        findings.extend(node.map(|node| told(subject, subject, node)));
    }
    let route = ["spec", "force"];
    let mut forcing = BTreeMap::new();
    for owner in context.kustomizations().filter(|it| !it.facts.patched) {
        let node = owner.root().filter(|root| field::is_true(*root, &route));
        if let Some(node) = node.and_then(|root| root.at(&route)) {
            forcing.insert(owner.place, (owner, node));
        }
    }
    if forcing.is_empty() {
        return;
    }
    let held: BTreeMap<DocPlace, &Subject<'_>> = context
        .objects
        .iter()
        .filter(|it| holds_data(it))
        .map(|it| (it.place, it))
        .collect();
    for applied in context.builds.applied.iter().filter(|it| !it.patched) {
        let Some((owner, node)) = forcing.get(&applied.place) else {
            continue;
        };
        let built = applied.built.iter();
        let Some(first) = built
            .filter_map(|it| held.get(&it.place))
            .min_by_key(|it| it.place)
        else {
            continue;
        };
        let finding = told(first, owner, *node);
        findings.push(finding.related(first.label().message("this one")));
    }
}

fn holds_data(subject: &Subject<'_>) -> bool {
    let held = match (subject.id.group(), subject.id.kind.as_str()) {
        ("apps", "StatefulSet") | ("", "PersistentVolumeClaim" | "Namespace") => true,
        _ => kinds::is_definition(&subject.id) || kinds::is_release(&subject.id),
    };
    held && subject.rendered_by.is_none()
}

fn told(subject: &Subject<'_>, owner: &Subject<'_>, node: Node<'_>) -> Finding {
    let message = format!("{}: force deletes and recreates it", subject.id);
    Finding::new(RULE.code, Level::Error, owner.at(node), message).help("restrict force to Jobs")
}
