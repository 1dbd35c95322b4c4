//! kustomize's own files: what one names, and what it lays over what it names.
//!
//! Source: kustomize 5.7.1 `api/types/kustomization.go`, deprecated fields included.

use super::Generated;
use crate::finding::ObjectId;
use crate::model::field;
use crate::model::overrides::Override;
use crate::resolve::image_lists::table;
use crate::yaml::{Doc, Node};

/// Which objects a patch may change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// Any.
    Everything,
    /// Those of a kind, of one name where it is told.
    Kind(String, Option<String>),
    /// What the objects in a file of this name are called.
    File(String),
}

impl Reach {
    /// Whether the patch may change an object; files must have been looked up.
    pub(super) fn holds(&self, id: &ObjectId) -> bool {
        match self {
            Reach::Everything | Reach::File(_) => true,
            Reach::Kind(kind, name) => {
                *kind == id.kind && name.as_ref().is_none_or(|name| *name == id.name)
            }
        }
    }
}

/// One of kustomize's own files.
#[derive(Clone, Debug, Default)]
pub(super) struct Kustomization {
    /// Files and directories whose objects are built.
    pub(super) resources: Vec<String>,
    /// Directories that add to what is built.
    pub(super) components: Vec<String>,
    /// Files that are no objects.
    pub(super) inert: Vec<String>,
    /// What its patches reach.
    pub(super) patches: Vec<Reach>,
    /// `namespace`.
    pub(super) namespace: Option<String>,
    /// `namePrefix`.
    pub(super) prefix: String,
    /// `nameSuffix`.
    pub(super) suffix: String,
    /// Its image entries.
    pub(super) images: Vec<Override>,
    /// What its generators make.
    pub(super) generated: Vec<Generated>,
    /// Whether it names what is not read here.
    pub(super) opaque: bool,
}

/// Reads one of kustomize's own files. Nothing is checked.
pub(super) fn read(doc: &Doc) -> Kustomization {
    let mut own = Kustomization::default();
    let Some(root) = doc.root().map(Node::resolved) else {
        return own;
    };
    let texts = |route: &[&str]| -> Vec<String> {
        let items = field::list(root, route).into_iter();
        items
            .filter_map(|item| item.text().map(str::to_owned))
            .collect()
    };
    for key in ["resources", "bases"] {
        own.resources.extend(texts(&[key]));
    }
    own.components = texts(&["components"]);
    let remote = |name: &String| name.contains("://") || name.contains("?ref=") || is_host(name);
    own.opaque = own.resources.iter().chain(&own.components).any(remote)
        || !field::list(root, &["helmCharts"]).is_empty()
        || !field::list(root, &["generators"]).is_empty();
    own.namespace = field::string(root, &["namespace"]).map(str::to_owned);
    let fix = |key| field::string(root, &[key]).unwrap_or_default().to_owned();
    (own.prefix, own.suffix) = (fix("namePrefix"), fix("nameSuffix"));
    for key in [
        "configurations",
        "crds",
        "transformers",
        "generators",
        "validators",
    ] {
        own.inert.extend(texts(&[key]));
    }
    own.inert
        .extend(root.text_at(&["openapi", "path"]).map(str::to_owned));
    for chart in field::list(root, &["helmCharts"]) {
        own.inert
            .extend(chart.text_at(&["valuesFile"]).map(str::to_owned));
    }
    if let Some(images) = field::set(root, &["images"]) {
        own.images = table(images).entries;
    }
    read_patches(root, &mut own);
    generators(root, &mut own);
    own
}

/// Whether a resource is a repository by its host: `github.com/owner/name`.
fn is_host(name: &str) -> bool {
    let first = name.split('/').next().unwrap_or_default();
    name.starts_with("git@") || matches!(first, "github.com" | "gitlab.com" | "bitbucket.org")
}

fn read_patches(root: Node<'_>, own: &mut Kustomization) {
    for patch in field::list(root, &["patchesStrategicMerge"]) {
        let text = patch.text().unwrap_or_default();
        if text.contains('\n') {
            own.patches.push(of_text(text));
        } else {
            own.inert.push(text.to_owned());
            own.patches.push(Reach::File(text.to_owned()));
        }
    }
    for key in ["patches", "patchesJson6902"] {
        for patch in field::list(root, &[key]) {
            own.inert
                .extend(patch.text_at(&["path"]).map(str::to_owned));
            own.patches.push(reach(patch));
        }
    }
    for replacement in field::list(root, &["replacements"]) {
        own.inert
            .extend(replacement.text_at(&["path"]).map(str::to_owned));
        let targets = field::list(replacement, &["targets"]);
        if targets.is_empty() {
            own.patches.push(Reach::Everything);
        }
        for target in targets {
            own.patches.push(selected(target.at(&["select"])));
        }
    }
    if !field::list(root, &["transformers"]).is_empty() {
        own.patches.push(Reach::Everything);
    }
}

/// What an entry of `patches` reaches, in a kustomization file or in a Flux Kustomization.
pub(super) fn reach(patch: Node<'_>) -> Reach {
    if let Some(target) = field::set(patch, &["target"]) {
        return selected(Some(target));
    }
    match (patch.text_at(&["patch"]), patch.text_at(&["path"])) {
        (Some(text), _) => of_text(text),
        (None, Some(file)) => Reach::File(file.to_owned()),
        (None, None) => Reach::Everything,
    }
}

/// A target; kinds and names are regular expressions, and only plain words are taken as such.
fn selected(target: Option<Node<'_>>) -> Reach {
    let plain = |text: &&str| text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let kind = target.and_then(|target| target.text_at(&["kind"]));
    let name = target.and_then(|target| target.text_at(&["name"]));
    match kind.filter(plain) {
        Some(kind) => Reach::Kind(kind.to_owned(), name.filter(plain).map(str::to_owned)),
        None => Reach::Everything,
    }
}

/// A patch that is written in place and says by itself what it patches.
fn of_text(text: &str) -> Reach {
    let kind = |line: &str| line.strip_prefix("kind:").map(str::trim).map(str::to_owned);
    let mut kinds = text.lines().filter_map(kind);
    match (kinds.next(), kinds.next()) {
        (Some(kind), None) => Reach::Kind(kind.trim_matches(['"', '\'']).to_owned(), None),
        _ => Reach::Everything,
    }
}

fn generators(root: Node<'_>, own: &mut Kustomization) {
    for (key, kind) in [
        ("configMapGenerator", "ConfigMap"),
        ("secretGenerator", "Secret"),
    ] {
        for generator in field::list(root, &[key]) {
            if let Some(name) = field::string(generator, &["name"]) {
                let name = format!("{}{name}{}", own.prefix, own.suffix);
                own.generated.push(Generated { kind, name });
            }
            for list in ["files", "envs"] {
                for item in field::list(generator, &[list]) {
                    let text = item.text().unwrap_or_default();
                    let file = text.split_once('=').map_or(text, |(_, file)| file);
                    own.inert.push(file.to_owned());
                }
            }
            own.inert
                .extend(generator.text_at(&["env"]).map(str::to_owned));
        }
    }
}
