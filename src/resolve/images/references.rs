//! The shapes that a build's name-reference step refuses in built-in kinds.
//!
//! The step follows fixed paths in every build, with or without entries. Here only its failures
//! count: a scalar where a path goes on, a name that is no text.
//!
//! Source: kustomize api v0.20.1 `konfig/builtinpluginconsts/namereference.go`,
//! `filters/nameref/nameref.go`; `spec/image-semantics.md` rule 89.

mod followed;

use super::refusals::Refusal;
use super::tree::{CellId, Shape, Tree};

pub(super) use followed::Followed;

/// Where a pod spec names `ConfigMap`s and Secrets.
const CONFIGURATION: &[&str] = &[
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
];

/// Where it names what else it stands on.
const GROUND: &[&str] = &[
    "serviceAccountName",
    "volumes/persistentVolumeClaim/claimName",
    "priorityClassName",
];

/// The pod specs: the kind, where it keeps one, and which of its paths are followed.
const POD_SPECS: &[(&str, &str, &[&[&str]])] = &[
    ("Pod", "spec", &[CONFIGURATION, GROUND]),
    ("PodTemplate", "template/spec", &[CONFIGURATION]),
    ("Deployment", "spec/template/spec", &[CONFIGURATION, GROUND]),
    ("DaemonSet", "spec/template/spec", &[CONFIGURATION, GROUND]),
    (
        "StatefulSet",
        "spec/template/spec",
        &[CONFIGURATION, GROUND],
    ),
    ("Job", "spec/template/spec", &[CONFIGURATION, GROUND]),
    (
        "CronJob",
        "spec/jobTemplate/spec/template/spec",
        &[CONFIGURATION, GROUND],
    ),
    ("ReplicaSet", "spec/template/spec", &[CONFIGURATION]),
    ("ReplicationController", "spec/template/spec", &[GROUND]),
];

/// The other fields that are followed: the group where only one counts, the kind, the paths.
const FIELDS: &[(Option<&str>, &str, &[&str])] = &[
    (
        None,
        "HorizontalPodAutoscaler",
        &["spec/scaleTargetRef/name"],
    ),
    (None, "Node", &["spec/configSource/configMap"]),
    (None, "Role", &["rules/resourceNames"]),
    (None, "ClusterRole", &["rules/resourceNames"]),
    (
        None,
        "Ingress",
        &[
            "spec/tls/secretName",
            "spec/rules/http/paths/backend/serviceName",
            "spec/backend/serviceName",
            "spec/rules/http/paths/backend/service/name",
            "spec/defaultBackend/service/name",
            "spec/ingressClassName",
        ],
    ),
    (None, "ServiceAccount", &["imagePullSecrets/name"]),
    (
        None,
        "StorageClass",
        &[
            "parameters/secretName",
            "parameters/adminSecretName",
            "parameters/userSecretName",
            "parameters/secretRef",
        ],
    ),
    (
        Some("serving.knative.dev"),
        "Service",
        &["spec/template/spec/containers/env/valueFrom/secretKeyRef/name"],
    ),
    (
        None,
        "PersistentVolume",
        &["spec/azureFile/secretName", "spec/storageClassName"],
    ),
    (
        None,
        "PersistentVolumeClaim",
        &["spec/volumeName", "spec/storageClassName"],
    ),
    (Some("apps"), "StatefulSet", &["spec/serviceName"]),
    (
        None,
        "StatefulSet",
        &["spec/volumeClaimTemplates/spec/storageClassName"],
    ),
    (
        Some("apiregistration.k8s.io"),
        "APIService",
        &["spec/service/name"],
    ),
    (
        Some("admissionregistration.k8s.io"),
        "ValidatingWebhookConfiguration",
        &["webhooks/clientConfig/service"],
    ),
    (
        Some("admissionregistration.k8s.io"),
        "MutatingWebhookConfiguration",
        &["webhooks/clientConfig/service"],
    ),
    (
        Some("rbac.authorization.k8s.io"),
        "RoleBinding",
        &["roleRef/name", "subjects"],
    ),
    (
        Some("rbac.authorization.k8s.io"),
        "ClusterRoleBinding",
        &["roleRef/name", "subjects"],
    ),
];

/// Every path that is followed in an object of that group, version and kind. Of a Pod that is not
/// `v1` the configuration is not looked at, nor a Knative Service of another version.
fn paths(group: &str, version: &str, kind: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (_, spec, lists) in POD_SPECS.iter().filter(|(own, ..)| *own == kind) {
        let followed = |list: &&&[&str]| kind != "Pod" || version == "v1" || **list == GROUND;
        let lists = lists.iter().filter(followed).copied().flatten();
        found.extend(lists.map(|path| format!("{spec}/{path}")));
    }
    let fits = |(of, own, _): &&(Option<&str>, &str, _)| {
        let knative = *of != Some("serving.knative.dev") || version == "v1";
        *own == kind && of.is_none_or(|of| of == group) && knative
    };
    for (_, _, fields) in FIELDS.iter().filter(fits) {
        found.extend(fields.iter().map(|&path| path.to_owned()));
    }
    found
}

/// Refuses what the name-reference step refuses.
pub(crate) fn check(tree: &Tree<'_>, root: CellId) -> Result<(), Refusal> {
    let api_version = tree.field_text(root, "apiVersion");
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    let kind = super::resources::go_kind(tree, root);
    let paths = paths(group, version, kind);
    // The step reads an object anew where there is something to follow.
    if !paths.is_empty()
        && let Some(version) = tree.get(root, "apiVersion")
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
    if kind == "RoleBinding" && group == "rbac.authorization.k8s.io" {
        subjects(tree, root)?;
    }
    for path in paths {
        let steps: Vec<&str> = path.split('/').collect();
        follow(tree, root, &steps).map_err(|(cell, why)| {
            let says = format!("updating name reference in '{path}' field of '{kind}': {why}");
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

/// Whose namespaces a `RoleBinding` names: kustomize asks each subject for its own, as a mapping.
fn subjects(tree: &Tree<'_>, root: CellId) -> Result<(), Refusal> {
    let list = tree.get(root, "subjects");
    for subject in list.into_iter().flat_map(|list| tree.items(list)) {
        if tree.shape(subject) != Shape::Mapping {
            let says = "panic: interface conversion: interface {} is not map[string]interface {}";
            return Err(Refusal::new(
                tree,
                subject,
                says,
                "a subject is a mapping with `kind` and `name`",
            ));
        }
    }
    Ok(())
}

fn follow(tree: &Tree<'_>, id: CellId, path: &[&str]) -> Result<(), (CellId, &'static str)> {
    let Some((step, rest)) = path.split_first() else {
        let named = |id| match tree.shape(id) {
            Shape::Mapping if tree.get(id, "name").is_none() => {
                Err((id, "path config error; no 'name' field in node"))
            }
            _ => Ok(()),
        };
        return match tree.shape(id) {
            Shape::Sequence => tree.items(id).try_for_each(|item| match tree.shape(item) {
                Shape::Sequence => Err((item, "expected a name or a mapping with one")),
                _ => named(item),
            }),
            _ => named(id),
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::model::overrides::OverrideTable;
    use crate::resolve::images::build_whole;
    use crate::source::SourceMap;
    use crate::yaml::read_all;

    /// Whether a build of an object with this body refuses it, as kubectl 1.35 was seen to.
    fn refused(api_version: &str, kind: &str, body: &str) -> bool {
        let text =
            format!("apiVersion: {api_version}\nkind: {kind}\nmetadata: {{name: a}}\n{body}\n");
        let source = SourceMap::default().add("a.yaml", text);
        let docs: Vec<_> = read_all(&source).into_iter().flatten().collect();
        build_whole(&Arc::clone(&source), &docs, &OverrideTable::default())
            .refusal
            .is_some()
    }

    /// API version, kind, what stands below the metadata, and whether kubectl 1.35 refuses it.
    const SHAPES: &[(&str, &str, &str, bool)] = &[
        ("~", "Pod", "spec: {}", true),
        ("null", "ServiceAccount", "", true),
        ("''", "Pod", "spec: {}", false),
        ("~", "Widget", "spec: {}", false),
        ("~", "ConfigMap", "data: {}", false),
        ("~", "RoleBinding", "subjects: foo", false),
        (
            "rbac.authorization.k8s.io/v1",
            "RoleBinding",
            "subjects: foo",
            false,
        ),
        (
            "rbac.authorization.k8s.io/v1",
            "RoleBinding",
            "subjects: [{kind: User}]",
            true,
        ),
        (
            "rbac.authorization.k8s.io/v1",
            "RoleBinding",
            "subjects: [[a]]",
            true,
        ),
        (
            "rbac.authorization.k8s.io/v1",
            "RoleBinding",
            "subjects: [~]",
            true,
        ),
        (
            "rbac.authorization.k8s.io/v1",
            "ClusterRoleBinding",
            "subjects: [~, a]",
            false,
        ),
        (
            "rbac.authorization.k8s.io/v1",
            "ClusterRoleBinding",
            "subjects: [[a]]",
            true,
        ),
        (
            "rbac.authorization.k8s.io/v1",
            "RoleBinding",
            "roleRef: foo",
            true,
        ),
        ("v1", "RoleBinding", "roleRef: foo", false),
        (
            "rbac.authorization.k8s.io/v1",
            "ClusterRole",
            "rules: foo",
            true,
        ),
        ("apps/v1", "PodTemplate", "template: foo", true),
        (
            "networking.k8s.io/v1",
            "Ingress",
            "spec: {tls: [foo]}",
            true,
        ),
        (
            "networking.k8s.io/v1",
            "Ingress",
            "spec: {ingressClassName: {a: b}}",
            true,
        ),
        (
            "gateway.networking.k8s.io/v1",
            "HTTPRoute",
            "spec: {rules: foo}",
            false,
        ),
        ("storage.k8s.io/v1", "StorageClass", "parameters: foo", true),
        (
            "v1",
            "Node",
            "spec: {configSource: {configMap: {a: b}}}",
            true,
        ),
        (
            "autoscaling/v2",
            "HorizontalPodAutoscaler",
            "spec: {scaleTargetRef: foo}",
            true,
        ),
        ("serving.knative.dev/v1", "Service", "spec: foo", true),
        ("serving.knative.dev/v1beta1", "Service", "spec: foo", false),
        ("v1", "Service", "spec: foo", false),
        ("v1", "PersistentVolumeClaim", "spec: foo", true),
        ("v1", "ServiceAccount", "imagePullSecrets: foo", true),
        (
            "admissionregistration.k8s.io/v1",
            "ValidatingWebhookConfiguration",
            "webhooks: foo",
            true,
        ),
        (
            "ex.io/v1",
            "StatefulSet",
            "spec: {volumeClaimTemplates: foo}",
            true,
        ),
        (
            "ex.io/v1",
            "StatefulSet",
            "spec: {serviceName: {a: b}}",
            false,
        ),
        (
            "apps/v1",
            "StatefulSet",
            "spec: {serviceName: {a: b}}",
            true,
        ),
        ("v2", "Pod", "spec: {volumes: [{configMap: foo}]}", false),
        (
            "v2",
            "Pod",
            "spec: {volumes: [{persistentVolumeClaim: foo}]}",
            true,
        ),
        (
            "apps/v1",
            "ReplicaSet",
            "spec: {template: {spec: {serviceAccountName: {a: b}}}}",
            false,
        ),
        (
            "v1",
            "ReplicationController",
            "spec: {template: {spec: {volumes: [{configMap: foo}]}}}",
            false,
        ),
        (
            "apps/v1",
            "Deployment",
            "spec: {template: {spec: {serviceAccountName: [a, {b: c}]}}}",
            true,
        ),
    ];

    #[test]
    fn odd_shapes_of_built_in_kinds_are_refused_where_kustomize_looks() {
        for &(api_version, kind, body, wanted) in SHAPES {
            assert_eq!(refused(api_version, kind, body), wanted, "{kind}: {body}");
        }
    }
}
