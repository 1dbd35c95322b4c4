//! Who wants which HelmRelease, and what a cluster holds, out of what was read.

use std::collections::{BTreeMap, BTreeSet};

use crate::load::{Loaded, Role};
use crate::model::cluster::Cluster;
use crate::model::kinds;
use crate::model::release::HelmRelease;
use crate::resolve::builds::Builds;
use crate::resolve::claims::Claims;
use crate::resolve::claims::meeting::{Meeting, meetings};
use crate::resolve::plan::unrolled;
use crate::resolve::releases::AnyRelease;
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

/// The HelmReleases of the run, with the Namespaces that it declares; `named` are the texts that
/// were named.
pub(super) fn claims<'c>(
    made: Made<'c>,
    objects: &[Subject<'_>],
    builds: &Builds,
    named: &BTreeSet<usize>,
) -> Claims<'c> {
    // The kind tells most others apart by its length alone.
    let namespaces = objects
        .iter()
        .filter(|it| it.id.kind == "Namespace" && !it.flux && it.id.group().is_empty());
    let made_namespaces = made.rendered.namespaces.iter();
    Claims {
        namespaces: namespaces.map(|it| it.id.name.clone()).collect(),
        made_namespaces: made_namespaces.map(|it| it.name.clone()).collect(),
        ..placed(made.releases, objects, builds, named)
    }
}

/// The HelmReleases of a state as its builds place them: in which namespace, and beside which
/// others.
pub(super) fn placed<'c>(
    releases: &'c [AnyRelease<'c>],
    objects: &[Subject<'_>],
    builds: &Builds,
    named: &BTreeSet<usize>,
) -> Claims<'c> {
    let mut claims = Claims::of(releases);
    let meetings = meetings(builds);
    let own = objects.iter().filter(|it| kinds::is_release(&it.id));
    let subjects: BTreeMap<_, _> = own.map(|it| (it.label().span, it)).collect();
    for claim in &mut claims.releases {
        let subject = subjects.get(&claim.release.span);
        let (Some(node), Some(subject)) = (claim.node, subject) else {
            continue;
        };
        subject.below.clone_into(&mut claim.below);
        claim.spread = subject.facts.namespaces.len() > 1;
        if let Some(namespace) = subject.facts.namespace() {
            claim.release = HelmRelease::read_in(node, namespace);
        }
        let text = subject.place.0;
        if let Some(own) = meetings.get(&subject.place) {
            claim.meetings.clone_from(own);
        } else if builds.say_anything() && !named.contains(&text) {
            claim.meetings.insert(Meeting::Text(text));
        }
    }
    claims
}
