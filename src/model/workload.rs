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
pub(crate) fn containers(spec: Node<'_>) -> Vec<(&'static str, Node<'_>)> {
    let of = |name: &'static str| {
        let items = field::list(spec, &[name]).into_iter();
        items.map(move |container| (name, container))
    };
    of("initContainers").chain(of("containers")).collect()
}

/// The words that a container runs with: its command and arguments.
pub(crate) fn words(container: Node<'_>) -> Vec<Node<'_>> {
    let mut words = field::list(container, &["command"]);
    words.extend(field::list(container, &["args"]));
    words
}

/// The value of a flag among a container's words: `--name=value`, or `--name` and the next word; a
/// flag alone has none. The node is the word that holds the value.
pub(crate) fn flag<'d>(container: Node<'d>, name: &str) -> Option<(Node<'d>, Option<&'d str>)> {
    let words = words(container);
    for (at, word) in words.iter().enumerate() {
        let Some(text) = word.text() else { continue };
        let Some(rest) = text
            .strip_prefix("--")
            .or_else(|| text.strip_prefix('-'))
            .and_then(|text| text.strip_prefix(name))
        else {
            continue;
        };
        if let Some(value) = rest.strip_prefix('=') {
            return Some((*word, Some(value)));
        }
        if rest.is_empty() {
            let next = words.get(at + 1).filter(|next| {
                next.text()
                    .is_some_and(|text| !text.starts_with('-') || text.parse::<f64>().is_ok())
            });
            return Some(match next {
                Some(next) => (*next, next.text()),
                None => (*word, None),
            });
        }
    }
    None
}

/// Whether a flag of truth is on: given alone or with `true`.
pub(crate) fn flag_is_on(container: Node<'_>, name: &str) -> bool {
    flag(container, name).is_some_and(|(_, value)| value.is_none_or(|value| value != "false"))
}
