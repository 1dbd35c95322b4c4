//! How rules look at what they are given: by kind, by release, by what a change leaves.
//!
//! The [`Context`] itself is in [`super`], what it consists of in [`subject`].

mod subject;

use std::collections::{BTreeMap, BTreeSet};

use super::Context;
use crate::model::{field, kinds};
use crate::resolve::builds::Applied;
pub(crate) use subject::Subject;

impl<'c> Context<'c> {
    /// The HelmReleases, wherever they are declared.
    pub(crate) fn releases(&self) -> impl Iterator<Item = &Subject<'c>> {
        self.objects
            .iter()
            .filter(|subject| kinds::is_release(&subject.id))
    }

    /// The HelmReleases that stood before the change.
    pub(crate) fn old_releases(&self) -> impl Iterator<Item = &Subject<'c>> {
        let old = self.old.iter().flatten();
        old.filter(|subject| kinds::is_release(&subject.id))
    }

    /// The Kustomizations of Flux.
    pub(crate) fn kustomizations(&self) -> impl Iterator<Item = &Subject<'c>> {
        let own = |subject: &&Subject<'_>| kinds::is_flux_kustomization(&subject.id);
        self.objects.iter().filter(own)
    }

    /// Everything that reaches the API server: what is given, and what charts render.
    pub(crate) fn everything(&self) -> impl Iterator<Item = &Subject<'c>> {
        self.objects.iter().chain(&self.rendered)
    }

    /// What the charts of HelmReleases render.
    pub(crate) fn charted(&self) -> impl Iterator<Item = &Subject<'c>> {
        self.everything()
            .filter(|subject| subject.rendered_by.is_some())
    }

    /// The HelmRelease whose chart rendered an object, where it is among the inputs.
    pub(crate) fn release_of(&self, object: &Subject<'_>) -> Option<&Subject<'c>> {
        let (namespace, name) = object.rendered_by.as_ref()?;
        self.releases().find(|release| {
            release.id.name == *name
                && (release.id.namespace == *namespace
                    || release.facts.namespaces.contains(namespace))
        })
    }

    /// The objects that stand on both sides of the change, the old one first.
    pub(crate) fn changed(&self) -> Vec<(&Subject<'c>, &Subject<'c>)> {
        let mut sides: BTreeMap<_, [Vec<&Subject<'c>>; 2]> = BTreeMap::new();
        for old in self.old.iter().flatten() {
            sides.entry(old.key()).or_default()[0].push(old);
        }
        for new in self.everything() {
            if let Some(side) = sides.get_mut(&new.key()) {
                side[1].push(new);
            }
        }
        let mut pairs = Vec::new();
        for [old, new] in sides.into_values() {
            let alone = old.len() == 1 && new.len() == 1;
            for old in old {
                // Of several clusters' objects of one name, those of one file belong together.
                let mut same = new.iter().filter(|new| alone || new.below == old.below);
                pairs.extend(same.next().map(|new| (old, *new)));
            }
        }
        pairs.sort_by_key(|(old, _)| old.place);
        pairs
    }

    /// The objects that stood before the change and are gone.
    pub(crate) fn removed(&self) -> Vec<&Subject<'c>> {
        let new: BTreeSet<_> = self.everything().map(Subject::key).collect();
        let old = self.old.iter().flatten();
        old.filter(|old| !new.contains(&old.key())).collect()
    }

    /// Whether an object that goes is surely not pruned: all that applied it either do not prune, or go
    /// themselves and leave what they applied.
    pub(crate) fn keeps(&self, old: &Subject<'_>) -> bool {
        let of = |applied: &&Applied| applied.built.iter().any(|built| built.place == old.place);
        let applied: Vec<_> = self.old_builds.applied.iter().filter(of).collect();
        let spares = |applied: &&Applied| {
            let sides = self.old.iter().flatten();
            let mut owners = sides.filter(|subject| subject.place == applied.place);
            owners.next().and_then(Subject::root).is_some_and(|root| {
                let policy = field::string(root, &["spec", "deletionPolicy"]);
                let stays = self.kustomizations().any(|new| new.id == applied.id);
                !field::is_true(root, &["spec", "prune"]) || !stays && policy == Some("Orphan")
            })
        };
        !applied.is_empty() && applied.iter().all(spares)
    }
}
