//! The API server's address in Flux's own pods, as the operator puts it there.
//!
//! Source: `spec/package-rendering.md` section 9, step 1: in every Deployment, `StatefulSet` and
//! `DaemonSet` whose pod template has `hostNetwork: true`, in every container and then every
//! initContainer, the variable gets the value: overwritten where it exists, appended otherwise, host
//! before port. Lives here: which places. How a line is put in is in [`insert`].

mod insert;

use std::collections::BTreeMap;

use crate::finding::{Finding, Label, Level};
use crate::source::Edit;
use crate::yaml::scalar::{Reader, Scalar, resolve};
use crate::yaml::{Doc, Node, NodeId};

use super::plan::identity;

/// The rule that an address which cannot be put in falls under.
pub(crate) const NOT_INJECTED: &str = "environment-not-injected";

/// The variables, in the order of injection; an empty value is no value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Environment {
    /// `KUBERNETES_SERVICE_HOST`.
    pub(crate) host: String,
    /// `KUBERNETES_SERVICE_PORT`.
    pub(crate) port: String,
}

impl Environment {
    /// The variables that have a value.
    fn variables(&self) -> Vec<(&'static str, &str)> {
        [
            ("KUBERNETES_SERVICE_HOST", &self.host),
            ("KUBERNETES_SERVICE_PORT", &self.port),
        ]
        .into_iter()
        .map(|(name, value)| (name, value.as_str()))
        .filter(|(_, value)| !value.is_empty())
        .collect()
    }
}

/// The edits that put the variables into one document of Flux's, and where they cannot be put in
/// without touching something else: a warning, since the operator goes on too.
pub(crate) fn inject(doc: &Doc, environment: &Environment) -> (Vec<Edit>, Vec<Finding>) {
    let mut injection = Injection {
        variables: environment.variables(),
        ..Injection::default()
    };
    let kind = identity(doc).unwrap_or_default().kind;
    if injection.variables.is_empty()
        || !matches!(kind.as_str(), "Deployment" | "StatefulSet" | "DaemonSet")
    {
        return (Vec::new(), Vec::new());
    }
    let pod = ["spec", "template", "spec"]
        .iter()
        .try_fold(doc.root().map(Node::resolved), |node, key| {
            node.map(|node| value(node, key))
        })
        .flatten();
    let Some(pod) = pod else {
        return (Vec::new(), Vec::new());
    };
    let on_host = value(pod, "hostNetwork").and_then(|node| resolve(node, Reader::Kubernetes));
    if on_host == Some(Scalar::Bool(true)) {
        for list in ["containers", "initContainers"] {
            for container in value(pod, list).iter().flat_map(|list| list.items()) {
                injection.container(container.resolved());
            }
        }
    }
    (
        injection.edits.into_values().flatten().collect(),
        injection.findings,
    )
}

/// What a mapping holds under a key, merged mappings included, aliases followed.
fn value<'d>(node: Node<'d>, key: &str) -> Option<Node<'d>> {
    if let Some(own) = node.get(key) {
        return Some(own.resolved());
    }
    let merged = node.get("<<")?.resolved();
    if merged.is_mapping() {
        return value(merged, key);
    }
    merged.items().find_map(|item| value(item.resolved(), key))
}

/// The state of one document's injection: what is shared by an alias is edited once.
#[derive(Default)]
struct Injection<'v> {
    variables: Vec<(&'static str, &'v str)>,
    edits: BTreeMap<NodeId, Vec<Edit>>,
    findings: Vec<Finding>,
}

impl Injection<'_> {
    fn container(&mut self, container: Node<'_>) {
        if !container.is_mapping() {
            return;
        }
        let list = value(container, "env").filter(|list| !list.is_null());
        let place = list.unwrap_or(container).id();
        if self.edits.contains_key(&place) {
            return;
        }
        match self.edit(container, list) {
            Some(edits) => {
                self.edits.insert(place, edits);
            }
            None => self.findings.push(
                Finding::new(
                    NOT_INJECTED,
                    Level::Warning,
                    Label::new(container.get("name").unwrap_or(container).span()),
                    "the address of the API server cannot be put into this container",
                )
                .help("write `env` as a plain list of `name` and `value`"),
            ),
        }
    }

    /// The edits for one container with its list of variables.
    fn edit(&self, container: Node<'_>, list: Option<Node<'_>>) -> Option<Vec<Edit>> {
        let Some(list) = list else {
            return Some(vec![insert::list(container, &self.variables)?]);
        };
        if !list.is_sequence() {
            return None;
        }
        let mut edits = Vec::new();
        let mut missing = Vec::new();
        for &(name, text) in &self.variables {
            let named = |item: &Node<'_>| value(*item, "name").and_then(Node::text) == Some(name);
            match list.items().map(Node::resolved).find(named) {
                Some(entry) => edits.extend(insert::value(entry, text)?),
                None => missing.push((name, text)),
            }
        }
        if !missing.is_empty() {
            edits.push(insert::items(list, &missing)?);
        }
        Some(edits)
    }
}

#[cfg(test)]
mod tests;
