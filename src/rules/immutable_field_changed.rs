//! `immutable-field-changed`: a field changes that the API server never lets change.
//!
//! Lives here: which objects are looked at and what is said. Which fields of a kind are meant is in
//! [`fields`], how values are compared in [`compare`].

mod compare;
mod fields;

use serde_json::Value;

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Label, Level};
use crate::model::field;
use crate::yaml::Node;
use crate::yaml::json::to_json;
use crate::yaml::scalar::Reader;
use fields::Change;

pub(crate) const RULE: Rule = Rule {
    code: "immutable-field-changed",
    ids: &["HZ01"],
    level: Level::Error,
    summary: "a field changes that the API server never lets change",
    explain: "\
Some fields are fixed when an object is made: a Deployment's selector, most of a StatefulSet, the
template of a Job, the `roleRef` of a binding. An apply that changes one is refused, and the release
or the Kustomization stops there; a fresh install passes, so tests stay green. The usual cause is a
version in a label (`helm.sh/chart`, `app.kubernetes.io/version`) that reaches a selector or the
labels in `volumeClaimTemplates`.

Example: `check new --against old`, where a Deployment's `spec.selector.matchLabels` gains
`version: \"2\"`.

Fix: keep the old value. Or delete the object with `--cascade=orphan` and let the release make it
again. A Job gets a name with a hash, or becomes a hook, or the annotation
`kustomize.toolkit.fluxcd.io/force: Enabled`, on that Job only.

Quiet: values that are equal once defaults are filled in and quantities are compared by value; an
object with that annotation; hook Jobs that are deleted before they are made again (the default); a
Service that becomes an ExternalName, or that leaves its clusterIP out; a claim that asks for more.

Source: `spec/hazards.md` HZ01, run against kube-apiserver 1.36; helm/helm#7998, helm/helm#6378,
helm-controller#939, flux2#3573.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for (old, new) in context.changed() {
        let (Some(before), Some(after)) = (old.root(), new.root()) else {
            continue;
        };
        if field::forced(after) || is_remade_hook(new, after) {
            continue;
        }
        let (Ok(was), Ok(is)) = (
            to_json(before, Reader::Kubernetes),
            to_json(after, Reader::Kubernetes),
        ) else {
            continue;
        };
        for change in fields::changes(&new.id, &was, &is) {
            findings.push(told(old, new, &change));
        }
    }
}

/// Whether it is a hook that Helm deletes before it makes it again: the default policy.
fn is_remade_hook(subject: &Subject<'_>, root: Node<'_>) -> bool {
    let policy = field::annotation(root, "helm.sh/hook-delete-policy");
    subject.id.kind == "Job"
        && field::annotation(root, "helm.sh/hook").is_some()
        && policy.is_none_or(|policy| policy.contains("before-hook-creation"))
}

fn told(old: &Subject<'_>, new: &Subject<'_>, change: &Change) -> Finding {
    let secret = new.id.kind == "Secret";
    let values = match (&change.was, &change.is) {
        _ if secret && change.path != "type" => "changes".to_owned(),
        (Some(was), Some(is)) => match (short(was), short(is)) {
            (Some(was), Some(is)) => format!("changes from `{was}` to `{is}`"),
            _ => "changes".to_owned(),
        },
        (None, Some(is)) => short(is).map_or_else(
            || "is added".to_owned(),
            |is| format!("is added with `{is}`"),
        ),
        (Some(was), None) => short(was).map_or_else(
            || "is removed".to_owned(),
            |was| format!("is removed, it was `{was}`"),
        ),
        (None, None) => "changes".to_owned(),
    };
    let message = format!(
        "{}: `{}` is immutable and {values}; the apply is refused and the release stops here",
        new.id, change.path
    );
    let place = |subject: &Subject<'_>| -> Label {
        let node = subject.root().and_then(|root| nearest(root, &change.path));
        node.map_or_else(|| subject.label(), |node| subject.at(node))
    };
    let help = if new.id.kind == "Job" {
        "keep it as it was, or give the Job a new name, or make it a hook"
    } else {
        "keep the old value, or delete the object with `--cascade=orphan` and let it be made again"
    };
    Finding::new(RULE.code, Level::Error, place(new), message)
        .help(help)
        .related(place(old).message("as it was"))
}

/// A value in so few characters that a message can hold it.
fn short(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Array(_) | Value::Object(_) => return None,
        other => other.to_string(),
    };
    (text.len() <= 60 && !text.contains('\n')).then_some(text)
}

/// The deepest node on a route that is there.
fn nearest<'d>(root: Node<'d>, path: &str) -> Option<Node<'d>> {
    let mut node = root;
    for key in path.split(['.', '[']) {
        let next = match key.strip_suffix(']').map(str::parse::<usize>) {
            Some(Ok(index)) => node.items().nth(index),
            _ => node.get(key),
        };
        match next {
            Some(next) => node = next.resolved(),
            None => break,
        }
    }
    (node != root).then_some(node)
}
