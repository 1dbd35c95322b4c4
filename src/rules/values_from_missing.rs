//! `values-from-missing`: a HelmRelease takes values from what is not there.

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Level};
use crate::model::field;
use crate::yaml::Node;
use crate::yaml::scalar::{Reader, Scalar, resolve};

pub(crate) const RULE: Rule = Rule {
    code: "values-from-missing",
    ids: &["HZ06"],
    level: Level::Error,
    summary: "a HelmRelease takes values from what is not there",
    explain: "\
`valuesFrom` names a Secret or a ConfigMap of the HelmRelease's own namespace; there is no field for
another. One that is not there, or lacks the key (`values.yaml` unless `valuesKey` says otherwise),
fails the whole release with `ValuesError`. With `targetPath` the value is read like `--set`, so a
comma or a brace parts it.

Example:

    spec: {valuesFrom: [{kind: Secret, name: db-values, valuesKey: values.yml}]}

where the Secret's key is `values.yaml`.

Fix: make the object, correct the namespace or the key, or write `optional: true`, which excuses a
missing object and a missing key. From helm-controller 1.6 on `literal: true` takes a file as it is.

Quiet: `optional`; what a generator makes; `cozystack-values`, which the platform makes; a Secret with
`sops`. A note where the object may come from elsewhere: an ExternalSecret or SealedSecret of that name,
a part of a repository only, remote bases, or no object of that kind among the inputs at all.

Source: `spec/hazards.md` HZ06; helm-controller's `chartutil`; helm-operator#261, flux2#5221.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for release in context.releases() {
        let Some(root) = release.root() else { continue };
        for (at, reference) in field::list(root, &["spec", "valuesFrom"])
            .into_iter()
            .enumerate()
        {
            findings.extend(look(context, release, at, reference));
        }
    }
}

fn look(
    context: &Context<'_>,
    release: &Subject<'_>,
    at: usize,
    reference: Node<'_>,
) -> Option<Finding> {
    let kind = field::string(reference, &["kind"])?;
    let name = field::string(reference, &["name"])?;
    let node = reference.at(&["name"])?;
    let finding = |level, node: Node<'_>, message: String| {
        let message = format!("`valuesFrom[{at}]`: {message}");
        Finding::new(RULE.code, level, release.at(node), message)
    };
    let fails = "the whole release fails with ValuesError";
    if !matches!(kind, "Secret" | "ConfigMap") {
        let node = reference.at(&["kind"])?;
        let message = format!("kind `{kind}` gives no values, expected `Secret` or `ConfigMap`");
        return Some(finding(Level::Error, node, message));
    }
    if name.contains("${")
        || field::is_true(reference, &["optional"])
        || kind == "Secret" && name == "cozystack-values"
        || context
            .builds
            .generated
            .iter()
            .any(|made| (made.kind, made.name.as_str()) == (kind, name))
    {
        return None;
    }
    let named = |subject: &&Subject<'_>| {
        subject.id.group().is_empty() && subject.id.kind == kind && subject.id.name == name
    };
    let near: Vec<_> = context
        .everything()
        .filter(named)
        .filter(|subject| release.may_share_namespace(subject))
        .collect();
    if let Some(first) = near.first() {
        let key = field::string(reference, &["valuesKey"]).unwrap_or("values.yaml");
        let values: Vec<_> = near
            .iter()
            .filter_map(|subject| Some((subject, value(subject, key)?)))
            .collect();
        let open = near
            .iter()
            .any(|subject| subject.facts.patched || is_encrypted(subject));
        if let Some((subject, value)) = values.first() {
            // What stands in an encrypted object, or is patched, is not what Helm will see.
            let known = !is_encrypted(subject) && !subject.facts.patched;
            let parted = set_like(reference, *value).filter(|_| known);
            return parted.map(|character| {
                let message = format!(
                    "the value goes to `targetPath` as `--set` reads it, and the `{character}` in it \
                     may part it"
                );
                finding(Level::Warning, node, message).help("`literal: true` takes it as it is")
            });
        }
        if open || key.contains("${") {
            return None;
        }
        let place = reference.at(&["valuesKey"]).unwrap_or(node);
        let message = format!("{} has no key `{key}`; {fails}", first.id);
        let finding = finding(Level::Error, place, message).help("correct the key");
        return Some(finding.related(first.label().message("this one")));
    }
    let namespaces = release.namespaces();
    let shown = match namespaces.first() {
        Some(namespace) => format!("{kind} {namespace}/{name}"),
        None => format!("{kind} {name}"),
    };
    let message = format!("{shown} is not among the inputs; {fails}");
    if let Some(far) = context.everything().find(named) {
        let finding = finding(Level::Error, node, message)
            .help("a reference stays in its namespace: move the object, or the release");
        return Some(finding.related(far.label().message("this one is in another namespace")));
    }
    if may_be_made(context, name) {
        return Some(finding(
            Level::Note,
            node,
            format!("{shown} is made by another object, or not"),
        ));
    }
    let some = context.everything().any(|subject| subject.id.kind == kind)
        || context
            .builds
            .generated
            .iter()
            .any(|made| made.kind == kind);
    let level = if context.builds.complete() && some {
        Level::Error
    } else {
        Level::Note
    };
    let help = "make it, correct the name, or write `optional: true`";
    Some(finding(level, node, message).help(help))
}

/// The value under a key of a `ConfigMap` or Secret.
fn value<'d>(subject: &Subject<'d>, key: &str) -> Option<Node<'d>> {
    let root = subject.root()?;
    ["data", "stringData", "binaryData"]
        .iter()
        .find_map(|map| root.at(&[map, key]))
}

fn is_encrypted(subject: &Subject<'_>) -> bool {
    subject
        .root()
        .is_some_and(|root| root.get("sops").is_some())
}

/// The character that parts a value for `--set`, where one does.
fn set_like(reference: Node<'_>, value: Node<'_>) -> Option<char> {
    let literal = field::is_true(reference, &["literal"]);
    field::string(reference, &["targetPath"]).filter(|_| !literal)?;
    match resolve(value, Reader::Kubernetes)? {
        Scalar::String(text) => text.chars().find(|c| matches!(c, ',' | '{')),
        _ => None,
    }
}

/// Whether an object that makes Secrets or `ConfigMaps` speaks of the name.
fn may_be_made(context: &Context<'_>, name: &str) -> bool {
    let maker = |subject: &&Subject<'_>| {
        let kind = subject.id.kind.as_str();
        kind != "Secret" && kind.contains("Secret")
            || kind.contains("Certificate")
            || kind == "Bundle"
    };
    context.everything().filter(maker).any(|subject| {
        subject.id.name == name
            || subject
                .doc
                .nodes()
                .any(|node| node.kind().is_scalar() && node.text() == Some(name))
    })
}
