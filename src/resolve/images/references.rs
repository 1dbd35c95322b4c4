//! The shapes that a build's name-reference step refuses in built-in kinds.
//!
//! The step follows fixed paths in every build, with or without entries. Here only its failures
//! count: a scalar where a path goes on, a name that is no text.
//!
//! Source: kustomize api v0.20.1 `konfig/builtinpluginconsts/namereference.go`,
//! `filters/nameref/nameref.go`; `spec/image-semantics.md` rule 89.

use super::refusals::Refusal;
use super::tree::{CellId, Shape, Tree};

/// Where a pod spec names other objects.
const POD_PATHS: &[&str] = &[
    "volumes/configMap/name",
    "containers/env/valueFrom/configMapKeyRef/name",
    "initContainers/env/valueFrom/configMapKeyRef/name",
    "containers/envFrom/configMapRef/name",
    "initContainers/envFrom/configMapRef/name",
    "volumes/projected/sources/configMap/name",
    "volumes/secret/secretName",
    "containers/env/valueFrom/secretKeyRef/name",
    "initContainers/env/valueFrom/secretKeyRef/name",
    "containers/envFrom/secretRef/name",
    "initContainers/envFrom/secretRef/name",
    "imagePullSecrets/name",
    "volumes/projected/sources/secret/name",
    "serviceAccountName",
    "volumes/persistentVolumeClaim/claimName",
    "priorityClassName",
];

/// Where each built-in kind keeps its pod spec.
fn pod_spec(kind: &str) -> Option<&'static str> {
    match kind {
        "Pod" => Some("spec"),
        "Deployment"
        | "ReplicaSet"
        | "DaemonSet"
        | "StatefulSet"
        | "Job"
        | "ReplicationController" => Some("spec/template/spec"),
        "CronJob" => Some("spec/jobTemplate/spec/template/spec"),
        _ => None,
    }
}

/// Refuses what the name-reference step refuses.
pub(crate) fn check(tree: &Tree<'_>, root: CellId) -> Result<(), Refusal> {
    if let Some(version) = tree.get(root, "apiVersion")
        && tree.is_null(version)
        && !tree.text(version).is_empty()
    {
        let says = format!(
            "node-referrerOriginal 'APIVersion' mismatch '' != '{}'",
            tree.text(version)
        );
        return Err(Refusal::new(
            tree,
            version,
            &says,
            "write the apiVersion, or leave the key out",
        ));
    }
    if let Some(annotations) = tree
        .get(root, "metadata")
        .and_then(|metadata| tree.get(metadata, "annotations"))
        && tree.items(annotations).count() % 2 == 1
    {
        let says = "panic: runtime error: index out of range [1] with length 1";
        return Err(Refusal::new(
            tree,
            annotations,
            says,
            "annotations are a mapping",
        ));
    }
    let kind = super::resources::go_kind(tree, root);
    let Some(spec) = pod_spec(kind) else {
        return Ok(());
    };
    for path in POD_PATHS {
        let steps: Vec<&str> = spec.split('/').chain(path.split('/')).collect();
        follow(tree, root, &steps).map_err(|(cell, why)| {
            let says =
                format!("updating name reference in '{spec}/{path}' field of '{kind}': {why}");
            Refusal::new(
                tree,
                cell,
                &says,
                "give the field the shape that the kind asks for",
            )
        })?;
    }
    Ok(())
}

fn follow(tree: &Tree<'_>, id: CellId, path: &[&str]) -> Result<(), (CellId, &'static str)> {
    let Some((step, rest)) = path.split_first() else {
        return match tree.shape(id) {
            Shape::Mapping if tree.get(id, "name").is_none() => {
                Err((id, "path config error; no 'name' field in node"))
            }
            _ => Ok(()),
        };
    };
    if tree.is_null(id) {
        return Ok(());
    }
    match tree.shape(id) {
        Shape::Sequence => tree.items(id).try_for_each(|item| follow(tree, item, path)),
        Shape::Mapping => match tree.get(id, step) {
            Some(field) => follow(tree, field, rest),
            None => Ok(()),
        },
        Shape::Scalar | Shape::Alias(_) => Err((id, "expected sequence or mapping node")),
    }
}
