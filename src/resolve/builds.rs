//! What kustomize builds out of directories, and which of it Flux applies to one cluster.
//!
//! Lives here: which documents are objects and which only patch, configure or fill them; what a
//! build lays over an object; which generated objects exist. The files themselves are read in
//! [`kustomization`], builds are closed over in [`closure`], Flux's Kustomizations and the clusters
//! they make up are in [`flux`]. Not here: the content of what is built; no patch is applied.
//!
//! Source: kustomize 5.7.1 `api/types/kustomization.go`; kustomize-controller v1.8
//! `internal/generator` (`spec/hazards.md`, issue of the hazard rules).

mod closure;
mod flux;
mod kustomization;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use crate::finding::ObjectId;
use crate::load::{Input, Loaded, Role};
use crate::model::kinds;
use crate::yaml::Node;

use super::plan::{identity_of, may_hold, unrolled};
pub(crate) use closure::Built;
pub(crate) use flux::Applied;
use kustomization::Kustomization;

/// An object: the place of its text in [`Loaded::inputs`], of its document in [`Input::docs`], and its
/// own among the objects that the document unrolls to.
pub(crate) type DocPlace = (usize, usize, usize);

/// A `ConfigMap` or Secret that a build generates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Generated {
    /// `ConfigMap` or `Secret`.
    pub(crate) kind: &'static str,
    /// Its name, before a hash is put behind it.
    pub(crate) name: String,
}

/// What is known of a document besides its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    /// Whether a patch may change it on its way.
    pub(crate) patched: bool,
    /// The namespaces that builds put it into; empty where none changes what it says.
    pub(crate) namespaces: BTreeSet<String>,
    /// Whether a build holds it.
    pub(crate) built: bool,
}

impl Facts {
    /// The one namespace that builds put it into; `None` where none does or several differ.
    pub(crate) fn namespace(&self) -> Option<String> {
        let first = self
            .namespaces
            .first()
            .filter(|_| self.namespaces.len() == 1);
        first.cloned()
    }
}

/// The builds of one side: what is given, or what stood before.
#[derive(Debug, Default)]
pub(crate) struct Builds {
    /// Texts that are no objects: patches, files of generators, configuration.
    inert: BTreeSet<usize>,
    /// What each directory with a kustomization file builds, by directory.
    directories: BTreeMap<PathBuf, Vec<Built>>,
    /// What each Flux Kustomization applies whose path is known.
    pub(crate) applied: Vec<Applied>,
    /// What is known of documents.
    facts: BTreeMap<DocPlace, Facts>,
    /// What generators make.
    pub(crate) generated: Vec<Generated>,
    /// The names that kustomization files give to images.
    pub(crate) renamed: BTreeSet<String>,
    /// Whether something is built that is not read here: remote bases, charts that are inflated.
    pub(crate) opaque: bool,
    /// Whether all of every repository is read.
    pub(crate) whole: bool,
}

impl Builds {
    /// The builds among the texts of one role.
    pub(crate) fn read(loaded: &Loaded, role: Role) -> Builds {
        let estate = Estate::new(loaded, role);
        let mut builds = Builds {
            whole: loaded
                .of(role)
                .all(|input| input.place.as_ref().is_none_or(|place| place.whole)),
            ..Builds::default()
        };
        let mut named = BTreeSet::new();
        for (directory, own) in &estate.kustomizations {
            builds.opaque |= own.opaque;
            builds.generated.extend(own.generated.iter().cloned());
            let renamed = own.images.iter().map(|entry| entry.new_name().to_owned());
            builds.renamed.extend(renamed);
            let at = |file: &String| estate.files.get(&join(directory, file)).copied();
            builds.inert.extend(own.inert.iter().filter_map(at));
            named.extend(own.resources.iter().filter_map(at));
        }
        let walked = |input: &usize| !loaded.inputs[*input].explicit;
        builds
            .inert
            .retain(|input| !named.contains(input) && walked(input));
        for directory in estate.kustomizations.keys() {
            let built = closure::close(&estate, &builds.inert, directory);
            builds.directories.insert(directory.clone(), built);
        }
        builds.applied = flux::applied(&estate, &builds);
        let applied = builds.applied.iter().flat_map(|one| &one.built);
        for built in builds.directories.values().flatten().chain(applied) {
            let facts = builds.facts.entry(built.place).or_default();
            facts.built = true;
            facts.patched |= built.patched;
            facts.namespaces.extend(built.namespace.clone());
        }
        builds
    }

    /// Whether a text is no object but part of how others are built.
    pub(crate) fn is_inert(&self, input: usize) -> bool {
        self.inert.contains(&input)
    }

    /// What is known of a document.
    pub(crate) fn facts(&self, place: DocPlace) -> Facts {
        self.facts.get(&place).cloned().unwrap_or_default()
    }

    /// What the directories with a kustomization file build, each by itself.
    pub(crate) fn directories(&self) -> impl Iterator<Item = &Vec<Built>> {
        self.directories.values()
    }

    /// Whether anything here says how it is built or applied.
    pub(crate) fn say_anything(&self) -> bool {
        !self.directories.is_empty() || !self.applied.is_empty()
    }

    /// Whether a reference to what is not here is a mistake rather than a look at a part.
    pub(crate) fn complete(&self) -> bool {
        self.whole && !self.opaque
    }
}

/// The texts of one role by the file they stand in.
struct Estate<'l> {
    inputs: &'l [Input],
    /// The place of each file's text.
    files: BTreeMap<PathBuf, usize>,
    /// kustomize's own files, by directory.
    kustomizations: BTreeMap<PathBuf, Kustomization>,
}

impl<'l> Estate<'l> {
    fn new(loaded: &'l Loaded, role: Role) -> Estate<'l> {
        let mut files = BTreeMap::new();
        for (at, input) in loaded.inputs.iter().enumerate() {
            if let (true, Some(place)) = (input.role == role, &input.place) {
                files.insert(place.file.clone(), at);
            }
        }
        let mut kustomizations = BTreeMap::new();
        let own = loaded.kustomizations.iter();
        for input in own.filter(|input| input.role == role) {
            if let (Some(place), Some(doc)) = (&input.place, input.docs.first())
                && let Some(directory) = place.file.parent()
            {
                let read = kustomization::read(doc);
                kustomizations.insert(directory.to_path_buf(), read);
            }
        }
        Estate {
            inputs: &loaded.inputs,
            files,
            kustomizations,
        }
    }

    /// The objects of a text; with `kind` those that may be of that kind.
    fn objects(&self, input: usize, kind: Option<&str>) -> Vec<(DocPlace, ObjectId)> {
        let mut found = Vec::new();
        let docs = self.inputs[input].docs.iter().enumerate();
        let wanted = |doc| kind.is_none_or(|kind| may_hold(doc, &[kind]));
        for (at, doc) in docs.filter(|(_, doc)| wanted(doc)) {
            for (item, node) in doc.root().into_iter().flat_map(unrolled).enumerate() {
                let id = identity_of(node);
                if !id.kind.is_empty() && !id.api_version.is_empty() {
                    found.push(((input, at, item), id));
                }
            }
        }
        found
    }

    /// The mapping of an object.
    fn node(&self, place: DocPlace) -> Option<Node<'l>> {
        let root = self.inputs[place.0].docs[place.1].root()?;
        unrolled(root).into_iter().nth(place.2)
    }
}

/// What makes two documents one object to the API server: group, kind, namespace and name; the
/// version counts for nothing.
pub(crate) fn key(id: &ObjectId) -> (String, String, String, String) {
    let [group, kind, namespace, name] = parts(id).map(str::to_owned);
    (group, kind, namespace, name)
}

/// The parts of that key.
pub(crate) fn parts(id: &ObjectId) -> [&str; 4] {
    let namespace = if !kinds::has_namespace(&id.kind) {
        ""
    } else if id.namespace.is_empty() {
        "default"
    } else {
        id.namespace.as_str()
    };
    // Workloads and Ingresses moved from one group to another and stayed the same objects.
    let group = match id.group() {
        "extensions" if matches!(id.kind.as_str(), "Ingress" | "NetworkPolicy") => {
            "networking.k8s.io"
        }
        "extensions" => "apps",
        group => group,
    };
    [group, &id.kind, namespace, &id.name]
}

/// A path below a directory, without `.` and `..`, links not followed.
fn join(directory: &Path, path: &str) -> PathBuf {
    let mut joined = directory.to_path_buf();
    for part in Path::new(path).components() {
        match part {
            Component::Normal(name) => joined.push(name),
            Component::ParentDir => {
                joined.pop();
            }
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    joined
}
