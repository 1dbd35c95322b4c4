//! Workloads: where the Pod stands in an object, and its containers.
//!
//! Source: Kubernetes' `PodTemplateSpec` and the kinds that hold one.

use super::field;
use crate::finding::ObjectId;
use crate::yaml::Node;

/// The route to the Pod's metadata and spec in an object of a kind; `None` for other kinds.
fn route(id: &ObjectId) -> Option<&'static [&'static str]> {
    match (id.group(), id.kind.as_str()) {
        ("", "Pod") => Some(&[]),
        ("batch", "CronJob") => Some(&["spec", "jobTemplate", "spec", "template"]),
        ("apps" | "extensions", "Deployment" | "StatefulSet" | "DaemonSet" | "ReplicaSet")
        | ("batch", "Job")
        | ("", "ReplicationController") => Some(&["spec", "template"]),
        _ => None,
    }
}

/// Whether an object is of a kind that holds a Pod.
pub(crate) fn is_workload(id: &ObjectId) -> bool {
    route(id).is_some()
}

/// The Pod of a workload: what has `metadata` and `spec`.
pub(crate) fn pod<'d>(root: Node<'d>, id: &ObjectId) -> Option<Node<'d>> {
    root.at(route(id)?)
}

/// The spec of the Pod of a workload.
pub(crate) fn pod_spec<'d>(root: Node<'d>, id: &ObjectId) -> Option<Node<'d>> {
    pod(root, id)?.at(&["spec"])
}

/// The route to that spec, for people.
pub(crate) fn spec_path(id: &ObjectId) -> String {
    let mut steps = route(id).unwrap_or_default().to_vec();
    steps.push("spec");
    steps.join(".")
}

/// The containers of a Pod's spec with the name of their list, init containers first.
pub(crate) fn containers(spec: Node<'_>) -> impl Iterator<Item = (&'static str, Node<'_>)> {
    let of = |name: &'static str| {
        let items = field::elements(spec, &[name]);
        items.map(move |container| (name, container))
    };
    of("initContainers").chain(of("containers"))
}

/// The words of a container's command line: `command`, then `args`.
pub(crate) fn words(container: Node<'_>) -> Vec<Node<'_>> {
    let mut words = field::list(container, &["command"]);
    words.extend(field::list(container, &["args"]));
    words
}

/// An option of a container's command line, `--NAME=VALUE` or `--NAME VALUE`: the word that it
/// stands in, and its value, empty where there is none.
pub(crate) fn option<'d>(container: Node<'d>, name: &str) -> Option<(Node<'d>, &'d str)> {
    let words = words(container);
    words.iter().enumerate().find_map(|(at, word)| {
        let rest = word.text()?.strip_prefix('-')?;
        let rest = rest.strip_prefix('-').unwrap_or(rest).strip_prefix(name)?;
        if let Some(value) = rest.strip_prefix('=') {
            return Some((*word, value));
        }
        let next = words.get(at + 1).and_then(|next| next.text());
        let value = next.filter(|next| !next.starts_with('-'));
        rest.is_empty().then(|| (*word, value.unwrap_or_default()))
    })
}

/// Whether a container runs a program, by its own name or its image's.
pub(crate) fn runs(container: Node<'_>, program: &str) -> bool {
    let image = container.text_at(&["image"]).unwrap_or_default();
    let image = super::image::split(image).name;
    image.rsplit('/').next() == Some(program) || container.text_at(&["name"]) == Some(program)
}
