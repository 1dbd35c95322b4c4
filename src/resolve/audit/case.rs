//! One release in its snapshot: what the decisions ask about it.

use std::collections::BTreeMap;

use super::Settings;
use super::owner::{Owner, owner};
use crate::model::release::ReleaseKey;
use crate::model::snapshot::Snapshot;
use crate::model::snapshot::observed::{FENCE, HELM_FINALIZER, Observed};
use crate::model::snapshot::storage::Records;

/// The releases of a snapshot by the Helm release that their specs name.
pub(super) type Keys<'s> = BTreeMap<ReleaseKey, Vec<&'s Observed>>;

/// A release and what it stands in.
#[derive(Clone, Copy)]
pub(super) struct Case<'s> {
    /// The release.
    pub(super) release: &'s Observed,
    /// Everything else.
    pub(super) snapshot: &'s Snapshot,
    /// Who shares its key.
    pub(super) keys: &'s Keys<'s>,
    /// How the audit was asked for.
    pub(super) settings: Settings,
}

/// What storage holds of a release.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stored<'s> {
    /// Revisions.
    Records(&'s Records),
    /// None, though the namespace's Secrets are there.
    Nothing,
    /// Its namespace has no Secret in this snapshot, so nothing is known.
    Unseen,
    /// It is in another cluster.
    Remote,
}

impl<'s> Case<'s> {
    /// Whether flux-plunger's fence is on it.
    pub(super) fn fenced(&self) -> bool {
        self.release.has_finalizer(FENCE)
    }

    /// Whether helm-controller's finalizer is on it.
    pub(super) fn helm(&self) -> bool {
        self.release.has_finalizer(HELM_FINALIZER)
    }

    /// The finalizers that are neither.
    pub(super) fn other_finalizers(&self) -> impl Iterator<Item = &'s str> {
        let all = self.release.finalizers.iter().map(|it| &**it);
        all.filter(|it| ![FENCE, HELM_FINALIZER].contains(it))
    }

    /// Whether a finalizer of a third party is on it.
    pub(super) fn held_by_others(&self) -> bool {
        self.other_finalizers().next().is_some()
    }

    /// Whether nothing would hold it for helm-controller but the fence, if that is there.
    pub(super) fn held_by_nothing_else(&self) -> bool {
        !self.helm() && !self.held_by_others()
    }

    /// Who holds its suspension.
    pub(super) fn owner(&self) -> Owner {
        owner(self.release, self.snapshot.managed)
    }

    /// Whether it has been held, or deleted, for longer than `--hold` since `start`; no where either
    /// time is unknown.
    pub(super) fn too_long(&self) -> bool {
        self.lasted()
            .is_some_and(|seconds| seconds > self.settings.hold * 60)
    }

    /// For how many seconds it has been deleted, or else held by flux-plunger.
    pub(super) fn lasted(&self) -> Option<i64> {
        let since = self.release.deleted.or(match self.owner() {
            Owner::Mine(since) => since,
            _ => None,
        });
        Some(since?.until(self.settings.now?))
    }

    /// What storage holds under a namespace and a name of this cluster.
    fn stored_under(&self, namespace: &str, name: &str) -> Stored<'s> {
        match self.snapshot.storage.records(namespace, name) {
            Some(records) => Stored::Records(records),
            // A listing that ends early says nothing about what it lacks.
            None if self.snapshot.cut_short => Stored::Unseen,
            None if self.snapshot.storage.sees(namespace) => Stored::Nothing,
            None => Stored::Unseen,
        }
    }

    /// What storage holds of the release that its spec names.
    pub(super) fn stored_by_spec(&self) -> Stored<'s> {
        let key = self.release.key();
        if self.release.spec.remote.is_none() {
            self.stored_under(&key.storage_namespace, &key.name)
        } else {
            Stored::Remote
        }
    }

    /// What storage holds of the release that its status tells of, as a deletion looks for it.
    pub(super) fn stored_by_status(&self) -> Stored<'s> {
        if self.release.spec.remote.is_some() {
            return Stored::Remote;
        }
        let (namespace, name) = self.status_key();
        self.stored_under(&namespace, &name)
    }

    /// Storage namespace and release name as the status has them, else as the spec has them.
    pub(super) fn status_key(&self) -> (String, String) {
        let key = self.release.key();
        let namespace = self.release.storage_namespace.as_deref();
        let history = self.release.history.as_ref();
        let name = history.map(|newest| &*newest.name);
        (
            namespace.map_or(key.storage_namespace, ToOwned::to_owned),
            name.filter(|name| !name.is_empty())
                .map_or(key.name, ToOwned::to_owned),
        )
    }

    /// What flux-plunger's lookup finds, by the object's own namespace and name.
    pub(super) fn stored_by_object(&self) -> Stored<'s> {
        self.stored_under(&self.release.id.namespace, &self.release.id.name)
    }

    /// Whether a newest history entry says that the release was uninstalled.
    pub(super) fn uninstalled(&self) -> bool {
        let history = self.release.history.as_ref();
        history.is_some_and(|newest| *newest.status == *"uninstalled")
    }

    /// The other releases that work on the same Helm release.
    pub(super) fn siblings(&self) -> impl Iterator<Item = &'s Observed> {
        let same = self.keys.get(&self.release.key());
        let id = &self.release.id;
        same.into_iter()
            .flatten()
            .copied()
            .filter(move |other| other.id != *id)
    }

    /// What the spec names differently from what is installed, for people: field, then, now.
    pub(super) fn moved(&self) -> Vec<(&'static str, String, String)> {
        let key = self.release.key();
        let mut moved = Vec::new();
        let mut compare = |what, then: &str, now: &str| {
            if then != now {
                moved.push((what, then.to_owned(), now.to_owned()));
            }
        };
        if let Some(namespace) = &self.release.storage_namespace {
            compare("storage namespace", namespace, &key.storage_namespace);
        }
        if let Some(newest) = &self.release.history {
            compare("release name", &newest.name, &key.name);
            compare(
                "release namespace",
                &newest.namespace,
                self.release.release_namespace(),
            );
        }
        moved
    }
}
