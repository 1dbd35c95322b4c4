//! `object-in-two-releases`: two owners apply one object, and either uninstall deletes it.

use std::collections::BTreeMap;

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Level};
use crate::model::release::HelmRelease;
use crate::model::{field, kinds};
use crate::resolve::builds::key;
use crate::yaml::json::to_json;
use crate::yaml::scalar::Reader;

pub(crate) const RULE: Rule = Rule {
    code: "object-in-two-releases",
    ids: &["HZ17"],
    level: Level::Error,
    summary: "two owners apply one object, and either uninstall deletes it",
    explain: "\
helm-controller takes over what is there already: two releases that render one object both succeed,
change it back and forth, and the uninstall of either deletes it under the other. A failed install that
is remediated by an uninstall removes what it had merely adopted. The same goes for a release and a
Kustomization.

Example: ConfigMap `prod/shared`, rendered by `apps/a` and by `apps/b`.

Fix: one owner. `disableTakeOwnership: true` under `install` and `upgrade` where adoption is never wanted.

Quiet: objects that no chart renders; equal Namespaces; releases that apply to different clusters. CRDs
that two charts ship are a note.

Source: `spec/hazards.md` HZ17 and `spec/collisions.md` D1; helm-controller#1242, helm/helm#31510.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let mut seen: BTreeMap<_, Vec<&Subject<'_>>> = BTreeMap::new();
    let charted = context.charted();
    for subject in charted.filter(|subject| !subject.id.name.is_empty()) {
        let id = placed(context, subject);
        seen.entry((cluster(context, subject), key(&id)))
            .or_default()
            .push(subject);
    }
    // What no chart renders has one owner.
    if seen.is_empty() {
        return;
    }
    for subject in &context.objects {
        if subject.rendered_by.is_none()
            && !subject.flux
            && let Some(claims) = seen.get_mut(&(String::new(), subject.key()))
        {
            claims.push(subject);
        }
    }
    for claims in seen.values() {
        let first = claims[0];
        let other = claims
            .iter()
            .find(|claim| claim.rendered_by != first.rendered_by);
        let Some(other) = other.filter(|other| !is_same_namespace(first, other)) else {
            continue;
        };
        let level = if kinds::is_definition(&first.id) {
            Level::Note
        } else {
            Level::Error
        };
        let by = |subject: &Subject<'_>| match &subject.rendered_by {
            Some((namespace, name)) => format!("{namespace}/{name}"),
            None => "a manifest of its own".to_owned(),
        };
        let message = format!(
            "{}: rendered by {} and by {}; either uninstall deletes it",
            placed(context, first),
            by(first),
            by(other)
        );
        findings.push(
            Finding::new(RULE.code, level, other.label(), message)
                .help("leave it to one owner, or set `disableTakeOwnership: true`")
                .related(first.label().message(format!("by {}", by(first)))),
        );
    }
}

/// What the object is once it is in the namespace of its release.
fn placed(context: &Context<'_>, subject: &Subject<'_>) -> crate::finding::ObjectId {
    let mut id = crate::finding::ObjectId::clone(&subject.id);
    if id.namespace.is_empty() && kinds::has_namespace(&id.kind) {
        let release = context.release_of(subject).and_then(Subject::root);
        let target = release.and_then(|root| field::string(root, &["spec", "targetNamespace"]));
        let own = subject
            .rendered_by
            .as_ref()
            .map(|(namespace, _)| namespace.clone());
        id.namespace = target.map(str::to_owned).or(own).unwrap_or_default();
    }
    id
}

/// The kubeconfig that the release of an object applies through.
fn cluster(context: &Context<'_>, subject: &Subject<'_>) -> String {
    let release = context.release_of(subject).and_then(Subject::root);
    release
        .map(|root| HelmRelease::read(root).cluster)
        .unwrap_or_default()
}

/// Two Namespaces that say the same, but for who rendered them.
fn is_same_namespace(one: &Subject<'_>, other: &Subject<'_>) -> bool {
    let content = |subject: &Subject<'_>| {
        let mut value = to_json(subject.root()?, Reader::Kubernetes).ok()?;
        let labels = value
            .get_mut("metadata")?
            .as_object_mut()?
            .get_mut("labels");
        if let Some(labels) = labels.and_then(serde_json::Value::as_object_mut) {
            labels.retain(|name, _| !name.starts_with("helm.toolkit.fluxcd.io/"));
        }
        Some(value)
    };
    one.id.kind == "Namespace" && content(one) == content(other)
}
