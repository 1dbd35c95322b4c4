//! What a directory builds: the objects it names, through other directories and components, with
//! what each step lays over them.
//!
//! Source: kustomize 5.7.1 `internal/target/kusttarget.go`: resources, then components, which see
//! all that was gathered before, then the directory's own transformers.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::kustomization::{Kustomization, Reach};
use super::{DocPlace, Estate, join};
use crate::finding::ObjectId;
use crate::model::kinds;

/// How deep directories may name one another; kustomize has no limit, and nobody goes deeper.
const DEEPEST: usize = 64;

/// An object in a build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Built {
    /// Its document.
    pub(crate) place: DocPlace,
    /// What it is when built: in its namespace, under its name.
    pub(crate) id: ObjectId,
    /// The namespace that the build puts it into.
    pub(crate) namespace: Option<String>,
    /// Whether a patch may change it.
    pub(crate) patched: bool,
}

impl Built {
    fn lay_namespace(&mut self, namespace: Option<&String>) {
        if let Some(namespace) = namespace.filter(|_| kinds::has_namespace(&self.id.kind)) {
            self.id.namespace.clone_from(namespace);
            self.namespace = Some(namespace.clone());
        }
    }
}

/// What a directory with a kustomization file builds.
pub(super) fn close(estate: &Estate<'_>, inert: &BTreeSet<usize>, directory: &Path) -> Vec<Built> {
    let mut built = Vec::new();
    gather(estate, inert, directory, &mut Vec::new(), &mut built);
    built
}

/// What a Flux Kustomization applies of a directory: its build, or, without a kustomization file,
/// all manifests in it and below, where a directory below that has one is built.
pub(super) fn scan(
    estate: &Estate<'_>,
    inert: &BTreeSet<usize>,
    directory: &Path,
) -> Option<Vec<Built>> {
    if estate.kustomizations.contains_key(directory) {
        return Some(close(estate, inert, directory));
    }
    let below = |path: &PathBuf| path.starts_with(directory);
    let mut built = Vec::new();
    let mut held = false;
    for (file, input) in &estate.files {
        let built_below = |parent: &Path| {
            below(&parent.to_path_buf()) && estate.kustomizations.contains_key(parent)
        };
        if below(file) && !file.ancestors().skip(1).any(built_below) {
            held = true;
            if !inert.contains(input) {
                built.extend(plain(estate, *input));
            }
        }
    }
    for own in estate.kustomizations.keys().filter(|own| below(own)) {
        let inside = own.ancestors().skip(1).any(|parent| {
            parent.starts_with(directory) && estate.kustomizations.contains_key(parent)
        });
        if !inside {
            held = true;
            built.extend(close(estate, inert, own));
        }
    }
    held.then_some(built)
}

fn plain(estate: &Estate<'_>, input: usize) -> impl Iterator<Item = Built> {
    estate
        .objects(input, None)
        .into_iter()
        .map(|(place, id)| Built {
            place,
            id,
            namespace: None,
            patched: false,
        })
}

/// Gathers what a directory builds behind what was gathered already; `way` is how it was come to.
fn gather(
    estate: &Estate<'_>,
    inert: &BTreeSet<usize>,
    directory: &Path,
    way: &mut Vec<PathBuf>,
    all: &mut Vec<Built>,
) {
    let Some(own) = estate.kustomizations.get(directory) else {
        return;
    };
    let here = directory.to_path_buf();
    if way.len() > DEEPEST || way.contains(&here) {
        return;
    }
    way.push(here);
    // A component sees everything; a directory only what it names itself.
    let mut built = Vec::new();
    for name in &own.resources {
        let path = join(directory, name);
        match estate.files.get(&path) {
            Some(input) if !inert.contains(input) => built.extend(plain(estate, *input)),
            Some(_) => {}
            None => gather(estate, inert, &path, way, &mut built),
        }
    }
    for name in &own.components {
        let path = join(directory, name);
        let mut added = Vec::new();
        gather(estate, inert, &path, way, &mut added);
        built.append(&mut added);
        if let Some(component) = estate.kustomizations.get(&path) {
            lay(estate, &path, component, &mut built);
        }
    }
    lay(estate, directory, own, &mut built);
    way.pop();
    all.append(&mut built);
}

/// Lays a file's own fields over what it builds.
fn lay(estate: &Estate<'_>, directory: &Path, own: &Kustomization, built: &mut [Built]) {
    let reaches = looked_up(estate, directory, &own.patches);
    for one in built {
        one.patched |= reaches.iter().any(|reach| reach.holds(&one.id));
        one.id.name = format!("{}{}{}", own.prefix, one.id.name, own.suffix);
        one.lay_namespace(own.namespace.as_ref());
    }
}

/// The same reaches, files replaced by what stands in them.
pub(super) fn looked_up(estate: &Estate<'_>, directory: &Path, patches: &[Reach]) -> Vec<Reach> {
    let mut found = Vec::new();
    for patch in patches {
        let Reach::File(file) = patch else {
            found.push(patch.clone());
            continue;
        };
        match estate.files.get(&join(directory, file)) {
            Some(input) => found.extend(
                estate
                    .objects(*input, None)
                    .into_iter()
                    .map(|(_, id)| Reach::Kind(id.kind.into(), Some(id.name))),
            ),
            None => found.push(Reach::Everything),
        }
    }
    found
}

/// Puts everything into the namespace of a Flux Kustomization, and marks what its patches reach.
pub(super) fn lay_flux(built: &mut [Built], namespace: Option<&String>, reaches: &[Reach]) {
    for one in built {
        one.patched |= reaches.iter().any(|reach| reach.holds(&one.id));
        one.lay_namespace(namespace);
    }
}
