//! Flux's Kustomizations: what each applies, and which of them make up one cluster.
//!
//! A cluster is told by its roots: a Kustomization that nobody applies but itself, or several such
//! that stand together in one directory. What a root applies, and what that applies in turn, goes
//! to one cluster. A Kustomization that a patch may change, or whose path is made by substitution,
//! is not followed: nothing is known of it.
//!
//! Source: kustomize-controller v1.8 `internal/generator` and the API of `Kustomization` v1.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::closure::{Built, lay_flux, scan};
use super::kustomization::{Reach, reach};
use super::{Builds, DocPlace, Estate, join};
use crate::finding::ObjectId;
use crate::model::overrides::Override;
use crate::model::{field, kinds};
use crate::yaml::Node;

/// What a Flux Kustomization applies.
#[derive(Clone, Debug)]
pub(crate) struct Applied {
    /// The Kustomization's document.
    pub(crate) place: DocPlace,
    /// What it is.
    pub(crate) id: ObjectId,
    /// What it applies.
    pub(crate) built: Vec<Built>,
    /// The image entries of the kustomization file at its path.
    pub(crate) images: Vec<Override>,
    /// Whether a patch may change the Kustomization itself.
    pub(crate) patched: bool,
    /// The cluster it applies to, as seen from its own: empty, or the kubeconfig's Secret.
    pub(crate) cluster: String,
    /// The roots that it is applied from, each a cluster.
    pub(crate) roots: BTreeSet<usize>,
}

/// What the Flux Kustomizations of an estate apply, in the order of reading.
pub(super) fn applied(estate: &Estate<'_>, builds: &Builds) -> Vec<Applied> {
    let mut all: Vec<Applied> = Vec::new();
    let mut sources = BTreeSet::new();
    let mut inputs: Vec<usize> = estate.files.values().copied().collect();
    inputs.sort_unstable();
    for input in inputs.into_iter().filter(|input| !builds.is_inert(*input)) {
        for (place, id) in estate.objects(input, Some("Kustomization")) {
            if kinds::is_flux_kustomization(&id) {
                sources.insert(source(estate, place));
                all.extend(one(estate, builds, place, id));
            }
        }
    }
    if sources.len() > 1 {
        keep_own_source(estate, &mut all);
    }
    mark_patched(&mut all);
    root(estate, &mut all);
    all
}

fn one(estate: &Estate<'_>, builds: &Builds, place: DocPlace, id: ObjectId) -> Option<Applied> {
    let input = &estate.inputs[place.0];
    let root = estate.node(place)?;
    let stands = input.place.as_ref()?;
    let path = root.text_at(&["spec", "path"]).unwrap_or("./");
    if path.contains("${") {
        return None;
    }
    let directory = join(&stands.root, path);
    let mut built = scan(estate, &builds.inert, &directory)?;
    for component in field::list(root, &["spec", "components"]) {
        let below = join(&directory, component.text().unwrap_or_default());
        built.extend(scan(estate, &builds.inert, &below).unwrap_or_default());
    }
    let own = estate.kustomizations.get(&directory);
    let patches: Vec<Reach> = field::list(root, &["spec", "patches"])
        .into_iter()
        .map(reach)
        .collect();
    let namespace = field::string(root, &["spec", "targetNamespace"]).map(str::to_owned);
    lay_flux(&mut built, namespace.as_ref(), &patches);
    Some(Applied {
        place,
        id,
        built,
        images: own.map(|own| own.images.clone()).unwrap_or_default(),
        patched: false,
        cluster: cluster(root),
        roots: BTreeSet::new(),
    })
}

/// Kind and name of a Kustomization's source.
fn source(estate: &Estate<'_>, place: DocPlace) -> (Option<String>, Option<String>) {
    let root = estate.node(place);
    let text = |key| root.and_then(|root| root.text_at(&["spec", "sourceRef", key]));
    (
        text("kind").map(str::to_owned),
        text("name").map(str::to_owned),
    )
}

/// Drops the Kustomizations that apply another repository: the own one's source is that of a
/// Kustomization that applies itself, or the only one there is. Where that cannot be told, a path of
/// its own must do.
fn keep_own_source(estate: &Estate<'_>, all: &mut Vec<Applied>) {
    let source = |one: &Applied| source(estate, one.place);
    let root_path = |one: &Applied| {
        let root = estate.node(one.place);
        let path = root.and_then(|root| root.text_at(&["spec", "path"]));
        path.is_none_or(|path| path.trim_matches(['.', '/']).is_empty())
    };
    // A path that is the whole repository holds everything, whosever repository is meant.
    let own =
        |one: &&Applied| !root_path(one) && one.built.iter().any(|built| built.place == one.place);
    let by_themselves: BTreeSet<_> = all.iter().filter(own).map(source).collect();
    if by_themselves.len() == 1 {
        all.retain(|one| by_themselves.contains(&source(one)));
    } else {
        all.retain(|one| !root_path(one));
    }
}

/// The kubeconfig that a Kustomization applies through.
fn cluster(root: Node<'_>) -> String {
    ["secretRef", "configMapRef"]
        .iter()
        .find_map(|kind| field::string(root, &["spec", "kubeConfig", kind, "name"]))
        .unwrap_or_default()
        .to_owned()
}

/// Marks the Kustomizations that patches may change, and with each all that it applies.
fn mark_patched(all: &mut [Applied]) {
    loop {
        let touched: BTreeSet<DocPlace> = all
            .iter()
            .flat_map(|one| &one.built)
            .filter(|built| built.patched && kinds::is_flux_kustomization(&built.id))
            .map(|built| built.place)
            .collect();
        let mut changed = false;
        for one in all.iter_mut() {
            if !one.patched && touched.contains(&one.place) {
                one.patched = true;
                changed = true;
                for built in &mut one.built {
                    built.patched = true;
                }
            }
        }
        if !changed {
            return;
        }
    }
}

/// Says of each Kustomization which roots it is applied from.
fn root(estate: &Estate<'_>, all: &mut [Applied]) {
    let places: BTreeMap<DocPlace, usize> = all
        .iter()
        .enumerate()
        .map(|(at, one)| (one.place, at))
        .collect();
    let children: Vec<Vec<usize>> = all
        .iter()
        .enumerate()
        .map(|(at, one)| {
            let held = one
                .built
                .iter()
                .filter_map(|built| places.get(&built.place));
            held.copied().filter(|child| *child != at).collect()
        })
        .collect();
    let applied: BTreeSet<usize> = children.iter().flatten().copied().collect();
    let tops: Vec<usize> = (0..all.len()).filter(|at| !applied.contains(at)).collect();
    for (number, group) in groups(estate, all, &tops).into_iter().enumerate() {
        let mut waiting = group;
        while let Some(at) = waiting.pop() {
            if all[at].roots.insert(number) {
                waiting.extend(&children[at]);
            }
        }
    }
}

/// The tops that stand together: in one directory, or in one file where the directory holds one
/// Kustomization twice, which is then a file for each cluster. One that applies itself, as
/// bootstrapping leaves it, stands alone.
fn groups(estate: &Estate<'_>, all: &[Applied], tops: &[usize]) -> Vec<Vec<usize>> {
    let mut groups: BTreeMap<(PathBuf, usize), Vec<usize>> = BTreeMap::new();
    let own = |at: usize| {
        all[at]
            .built
            .iter()
            .any(|built| built.place == all[at].place)
    };
    let directory = |at: usize| {
        let place = estate.inputs[all[at].place.0].place.as_ref();
        let parent = place.and_then(|place| place.file.parent());
        parent.map(PathBuf::from).unwrap_or_default()
    };
    let mut seen: BTreeMap<PathBuf, BTreeSet<&ObjectId>> = BTreeMap::new();
    let mut several = BTreeSet::new();
    for &at in tops {
        let here = directory(at);
        if !seen.entry(here.clone()).or_default().insert(&all[at].id) {
            several.insert(here);
        }
    }
    for &at in tops {
        let here = directory(at);
        let number = if own(at) {
            // Past every number of a file.
            usize::MAX - at
        } else if several.contains(&here) {
            all[at].place.0 + 1
        } else {
            0
        };
        groups.entry((here, number)).or_default().push(at);
    }
    groups.into_values().collect()
}

impl Applied {
    /// Whether two Kustomizations surely apply to one cluster.
    pub(crate) fn shares_cluster(&self, other: &Applied) -> bool {
        !self.patched
            && !other.patched
            && self.cluster == other.cluster
            && !self.roots.is_disjoint(&other.roots)
    }
}
