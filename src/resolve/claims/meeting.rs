//! Which HelmReleases may come to stand in one cluster: only these can be in each other's way.
//!
//! A repository holds several clusters, or a base with several overlays. Documents meet in a build
//! that holds both, and where Flux Kustomizations of one cluster apply both; what nothing builds
//! meets what stands in its own text. Where nothing says what is built of what, all is one estate.

use std::collections::{BTreeMap, BTreeSet};

use super::Claim;
use crate::resolve::builds::{Builds, DocPlace};

/// Where documents come together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Meeting {
    /// In what a directory builds, by its number.
    Directory(usize),
    /// In what a Flux Kustomization applies, by its number.
    Applied(usize),
    /// In the cluster of a root, or in the one that its kubeconfig of this name leads to.
    Cluster(usize, String),
    /// In a text that no build holds, by its number.
    Text(usize),
}

/// Everything that a document may meet in; empty where it may meet anything.
pub(crate) type Meetings = BTreeSet<Meeting>;

/// Where the documents of builds come together.
pub(crate) fn meetings(builds: &Builds) -> BTreeMap<DocPlace, Meetings> {
    let mut found: BTreeMap<DocPlace, Meetings> = BTreeMap::new();
    for (at, directory) in builds.directories().enumerate() {
        for built in directory {
            let own = found.entry(built.place).or_default();
            own.insert(Meeting::Directory(at));
        }
    }
    for (at, applied) in builds.applied.iter().enumerate() {
        for built in &applied.built {
            let own = found.entry(built.place).or_default();
            own.insert(Meeting::Applied(at));
            // Nothing is known of where a Kustomization goes that a patch may change.
            let roots = applied.roots.iter().filter(|_| !applied.patched);
            let cluster = |root: &usize| Meeting::Cluster(*root, applied.cluster.clone());
            own.extend(roots.map(cluster));
        }
    }
    found
}

impl Claim<'_> {
    /// Whether two claims may stand in one cluster.
    pub(crate) fn meets(&self, other: &Claim<'_>) -> bool {
        self.meetings.is_empty()
            || other.meetings.is_empty()
            || !self.meetings.is_disjoint(&other.meetings)
    }
}

/// The sets of more than one HelmRelease that come together, none of them part of another; of
/// several claims of one HelmRelease in a set the first stands for all.
pub(super) fn together<'a, 'c>(claims: &[&'a Claim<'c>]) -> Vec<Vec<&'a Claim<'c>>> {
    let all: BTreeSet<&Meeting> = claims.iter().flat_map(|claim| &claim.meetings).collect();
    let members = |meeting: &Meeting| -> Vec<usize> {
        let here = |at: &usize| {
            let own = &claims[*at].meetings;
            own.is_empty() || own.contains(meeting)
        };
        (0..claims.len()).filter(here).collect()
    };
    let mut sets: BTreeSet<Vec<usize>> = all.into_iter().map(members).collect();
    if sets.is_empty() {
        sets.insert((0..claims.len()).collect());
    }
    let part = |one: &Vec<usize>| {
        sets.iter().any(|other| {
            one.len() < other.len() && one.iter().all(|at| other.binary_search(at).is_ok())
        })
    };
    let mut found: Vec<Vec<usize>> = Vec::new();
    for set in sets.iter().filter(|set| !part(set)) {
        let mut seen = BTreeSet::new();
        let first = |at: &usize| {
            let id = &claims[*at].release.id;
            seen.insert((&id.namespace, &id.name))
        };
        let set: Vec<usize> = set.iter().copied().filter(first).collect();
        if set.len() > 1 && !found.contains(&set) {
            found.push(set);
        }
    }
    let claims = |set: Vec<usize>| set.into_iter().map(|at| claims[at]).collect();
    found.into_iter().map(claims).collect()
}
