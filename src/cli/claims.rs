//! Who wants which HelmRelease, and what a cluster holds, out of what was read.

use crate::load::{Loaded, Role};
use crate::model::cluster::Cluster;
use crate::resolve::claims::Claims;
use crate::resolve::plan::unrolled;
use crate::rules::{Made, Subject};
use crate::yaml::Doc;

/// What the snapshots say that a cluster holds.
pub(super) fn cluster(loaded: &Loaded) -> Option<Cluster> {
    loaded.of(Role::Snapshot).next()?;
    let mut cluster = Cluster::default();
    let docs = loaded.of(Role::Snapshot).flat_map(|input| &input.docs);
    let roots = docs.filter_map(Doc::root);
    roots.flat_map(unrolled).for_each(|node| cluster.add(node));
    Some(cluster)
}

/// The HelmReleases of the run, with the Namespaces that it declares.
pub(super) fn claims<'c>(made: Made<'c>, objects: &[Subject<'_>]) -> Claims<'c> {
    let namespaces = objects
        .iter()
        .filter(|it| !it.flux && it.id.group().is_empty() && it.id.kind == "Namespace");
    let made_namespaces = made.rendered.namespaces.iter();
    Claims {
        namespaces: namespaces.map(|it| it.id.name.clone()).collect(),
        made_namespaces: made_namespaces.map(|it| it.name.clone()).collect(),
        ..Claims::of(made.releases)
    }
}
