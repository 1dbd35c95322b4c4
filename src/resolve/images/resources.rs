//! What a build takes for the objects of a text: lists unrolled, metadata checked, identities told
//! apart.
//!
//! Source: kustomize api v0.20.1 `resource/factory.go`, `resmap/reswrangler.go`, kyaml
//! `kio/byteio_reader.go`; `spec/image-semantics.md` rules 66–71 and 80–84.

use std::collections::BTreeSet;

use super::refusals::Refusal;
use super::tree::{Cell, CellId, Shape, Tree};
use super::written::{Decoded, decode};
use crate::yaml::{Path, Step};

/// One object of a build.
#[derive(Clone, Debug)]
pub(crate) struct Resource {
    /// The place of its document's tree in the list.
    pub(crate) tree: usize,
    /// Its root.
    pub(crate) root: CellId,
    /// The route of its root from the document's root.
    pub(crate) path: Path,
    /// Whether the build leaves it out in the end (rule 71).
    pub(crate) local: bool,
}

/// Whether all fields of rule 66 are absent.
pub(crate) fn missing_metadata(tree: &Tree<'_>, root: CellId) -> bool {
    if tree.shape(root) != Shape::Mapping {
        return true;
    }
    let in_metadata = |key| {
        tree.field(root, "metadata")
            .is_some_and(|metadata| tree.field(metadata, key).is_some())
    };
    tree.field(root, "kind").is_none()
        && tree.field(root, "apiVersion").is_none()
        && !["name", "namespace", "labels", "annotations"]
            .into_iter()
            .any(in_metadata)
}

/// The kind as kustomize's metadata has it.
pub(crate) fn go_kind<'t>(tree: &'t Tree<'_>, root: CellId) -> &'t str {
    tree.field_text(root, "kind")
}

fn metadata_text<'t>(tree: &'t Tree<'_>, root: CellId, key: &str) -> &'t str {
    tree.field(root, "metadata")
        .map_or("", |metadata| tree.field_text(metadata, key))
}

fn name_text<'t>(tree: &'t Tree<'_>, root: CellId) -> &'t str {
    let Some(name) = tree
        .field(root, "metadata")
        .and_then(|metadata| tree.field(metadata, "name"))
    else {
        return "";
    };
    if tree.shape(name) == Shape::Scalar {
        tree.text(name)
    } else {
        ""
    }
}

/// Refuses what has no metadata, no kind or no name (rules 68, 69).
fn validated(tree: &Tree<'_>, root: CellId) -> Result<(), Refusal> {
    if missing_metadata(tree, root) {
        return Err(Refusal::missing_metadata(tree, root));
    }
    let kind = go_kind(tree, root);
    if kind.is_empty() {
        return Err(Refusal::new(
            tree,
            root,
            "missing kind in object",
            "give it a `kind`",
        ));
    }
    if !kind.ends_with("List") && name_text(tree, root).is_empty() {
        return Err(Refusal::new(
            tree,
            root,
            "missing metadata.name in object",
            "give it a `metadata.name`; `generateName` is not enough",
        ));
    }
    Ok(())
}

/// The objects that a build makes of its documents, in its order. `single` says that the text is
/// one piece (rule 80).
pub(crate) fn resources(
    trees: &mut [(Tree<'_>, CellId)],
    single: bool,
) -> Result<Vec<Resource>, Refusal> {
    let mut queue = Vec::new();
    for (at, (tree, root)) in trees.iter_mut().enumerate() {
        let list = single && matches!(go_kind(tree, *root), "List" | "ResourceList");
        let items = tree.get(*root, "items");
        if list && (items.is_some() || tree.get(*root, "functionConfig").is_some()) {
            let found = items
                .map(|items| (items, content(tree, items)))
                .unwrap_or((*root, vec![]));
            for (index, item) in found.1.into_iter().enumerate() {
                let path = Path(vec![Step::Key("items".to_owned()), Step::Index(index)]);
                queue.push((at, item, path));
            }
        } else {
            queue.push((at, *root, Path::default()));
        }
    }
    for (at, root, _) in &mut queue {
        let tree = &mut trees[*at].0;
        if Tree::has_aliases_or_merges(tree.doc) {
            *root = tree
                .de_anchor(*root)
                .map_err(|fault| Refusal::merge(tree.doc, &fault))?;
        }
    }
    let mut queue = dropped_bad(trees, queue)?;
    let mut found = Vec::new();
    let mut at = 0;
    while at < queue.len() {
        let (tree_at, root, path) = queue[at].clone();
        at += 1;
        let tree = &mut trees[tree_at].0;
        if !go_kind(tree, root).ends_with("List") || tree.get(root, "items").is_none() {
            let local = local_config(tree, root);
            found.push(Resource {
                tree: tree_at,
                root,
                path,
                local,
            });
            continue;
        }
        let items = list_items(tree, root, &path)?;
        let items = items
            .into_iter()
            .map(|(item, path)| (tree_at, item, path))
            .collect();
        queue.extend(dropped_bad(trees, items)?);
    }
    Ok(found)
}

/// What Go's node has for content: elements, or keys and values.
fn content(tree: &Tree<'_>, id: CellId) -> Vec<CellId> {
    match tree.shape(id) {
        Shape::Sequence => tree.items(id).collect(),
        Shape::Mapping => tree
            .entries(id)
            .flat_map(|(key, value)| [key, value])
            .collect(),
        Shape::Scalar | Shape::Alias(_) => Vec::new(),
    }
}

type Queue = Vec<(usize, CellId, Path)>;

fn dropped_bad(trees: &[(Tree<'_>, CellId)], queue: Queue) -> Result<Queue, Refusal> {
    let mut kept = Vec::with_capacity(queue.len());
    for (at, root, path) in queue {
        let tree = &trees[at].0;
        if tree.is_nil_or_empty(root) {
            continue;
        }
        validated(tree, root)?;
        kept.push((at, root, path));
    }
    Ok(kept)
}

/// The items of a list kind, as they come back from JSON (rules 81, 84); items that are lists
/// themselves by rule 80 are replaced by theirs.
fn list_items(
    tree: &mut Tree<'_>,
    list: CellId,
    path: &Path,
) -> Result<Vec<(CellId, Path)>, Refusal> {
    decode(tree, list)?;
    let Some(items) = tree.get(list, "items") else {
        return Ok(Vec::new());
    };
    if tree.shape(items) != Shape::Sequence {
        if tree.is_null(items) {
            return Ok(Vec::new());
        }
        return Err(Refusal::list_items(tree, list, items));
    }
    let mut found = Vec::new();
    for (index, item) in tree
        .items(items)
        .collect::<Vec<_>>()
        .into_iter()
        .enumerate()
    {
        let path = path.key("items").index(index);
        let item = through_json(tree, item)?;
        let wrapped = matches!(go_kind(tree, item), "List" | "ResourceList")
            && tree.shape(item) == Shape::Mapping;
        match tree.get(item, "items") {
            Some(inner) if wrapped => {
                for (index, inner) in content(tree, inner).into_iter().enumerate() {
                    found.push((inner, path.key("items").index(index)));
                }
            }
            _ => found.push((item, path)),
        }
    }
    Ok(found)
}

/// A copy with every scalar as Go's JSON writes it, merge keys applied.
fn through_json(tree: &mut Tree<'_>, id: CellId) -> Result<CellId, Refusal> {
    let decoded = decode(tree, id)?;
    decoded.check(tree)?;
    Ok(build_cells(tree, &decoded))
}

fn build_cells(tree: &mut Tree<'_>, decoded: &Decoded) -> CellId {
    match decoded {
        Decoded::Scalar { cell, json, string } => {
            let origin = tree.origin(*cell);
            tree.add(Cell {
                text: Some(json.as_str().into()),
                quoted: *string,
                tag: Some(if !string && json == "null" {
                    "!!null"
                } else {
                    ""
                }),
                ..Cell::scalar(origin)
            })
        }
        Decoded::Sequence(cell, items) => {
            let origin = tree.origin(*cell);
            let items = items.iter().map(|item| build_cells(tree, item)).collect();
            tree.add_collection(Shape::Sequence, origin, items)
        }
        Decoded::Mapping { cell, entries, .. } => {
            let origin = tree.origin(*cell);
            let mut content = Vec::with_capacity(2 * entries.len());
            for (key, name, value) in entries {
                let key_origin = tree.origin(*key);
                content.push(tree.add(Cell {
                    text: Some(name.as_str().into()),
                    quoted: true,
                    ..Cell::scalar(key_origin)
                }));
                content.push(build_cells(tree, value));
            }
            tree.add_collection(Shape::Mapping, origin, content)
        }
    }
}

fn local_config(tree: &Tree<'_>, root: CellId) -> bool {
    let value = tree
        .field(root, "metadata")
        .and_then(|metadata| tree.field(metadata, "annotations"))
        .and_then(|annotations| tree.get(annotations, "config.kubernetes.io/local-config"));
    value.is_some_and(|value| tree.text(value) != "false")
}

/// Refuses a second object of one identity (rule 70).
pub(crate) fn unique(trees: &[(Tree<'_>, CellId)], found: &[Resource]) -> Result<(), Refusal> {
    let mut ids = BTreeSet::new();
    for resource in found.iter().filter(|resource| !resource.local) {
        let tree = &trees[resource.tree].0;
        let id = identity(tree, resource.root);
        if !ids.insert((id.0.clone(), id.1.clone())) {
            return Err(Refusal::duplicate(tree, resource.root, &id.2));
        }
    }
    Ok(())
}

/// The identity's parts, the namespace that counts, and how kustomize prints it.
fn identity(tree: &Tree<'_>, root: CellId) -> ([String; 4], String, String) {
    let api_version = tree.field_text(root, "apiVersion");
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    let kind = go_kind(tree, root);
    let name = name_text(tree, root);
    let namespace = metadata_text(tree, root, "namespace");
    let counted = if cluster_scoped(group, kind) {
        "/"
    } else if namespace.is_empty() {
        "default"
    } else {
        namespace
    };
    let or = |text: &str, empty: &str| {
        if text.is_empty() {
            empty.to_owned()
        } else {
            text.to_owned()
        }
    };
    let printed = format!(
        "{kind}.{}.{}/{name}.{}",
        or(version, "[noVer]"),
        or(group, "[noGrp]"),
        or(namespace, "[noNs]")
    );
    let parts = [group, version, kind, name].map(str::to_owned);
    (parts, counted.to_owned(), printed)
}

/// Kinds without a namespace that kustomize's built-in schema knows (Kubernetes 1.21 API).
pub(super) fn cluster_scoped(group: &str, kind: &str) -> bool {
    matches!(
        (group, kind),
        (
            "",
            "ComponentStatus" | "Namespace" | "Node" | "PersistentVolume"
        ) | (
            "admissionregistration.k8s.io",
            "MutatingWebhookConfiguration"
                | "ValidatingWebhookConfiguration"
                | "ValidatingAdmissionPolicy"
                | "ValidatingAdmissionPolicyBinding"
        ) | ("apiextensions.k8s.io", "CustomResourceDefinition")
            | ("apiregistration.k8s.io", "APIService")
            | ("authentication.k8s.io", "TokenReview")
            | (
                "authorization.k8s.io",
                "SelfSubjectAccessReview" | "SelfSubjectRulesReview" | "SubjectAccessReview"
            )
            | ("certificates.k8s.io", "CertificateSigningRequest")
            | (
                "flowcontrol.apiserver.k8s.io",
                "FlowSchema" | "PriorityLevelConfiguration"
            )
            | ("internal.apiserver.k8s.io", "StorageVersion")
            | ("networking.k8s.io", "IngressClass")
            | ("node.k8s.io", "RuntimeClass")
            | ("policy", "PodSecurityPolicy")
            | (
                "rbac.authorization.k8s.io",
                "ClusterRole" | "ClusterRoleBinding"
            )
            | ("scheduling.k8s.io", "PriorityClass")
            | (
                "storage.k8s.io",
                "CSIDriver" | "CSINode" | "StorageClass" | "VolumeAttachment"
            )
    )
}
