//! What a cluster holds, as far as a saved listing tells: the releases as they are observed, Helm's
//! records, and what stands around them.
//!
//! Lives here: objects one by one into a [`Snapshot`], which keeps no payload and no text. Below:
//! a HelmRelease ([`observed`]), Helm's records ([`storage`]), who runs ([`controllers`]), and the
//! two readers ([`json`], [`block`]). What follows from it all is in `resolve::audit`.

pub(crate) mod block;
pub(crate) mod controllers;
pub(crate) mod fields;
pub(crate) mod json;
pub(crate) mod observed;
pub(crate) mod read;
pub(crate) mod storage;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::moment::Moment;
use crate::source::Span;
use controllers::Controllers;
use observed::Observed;
use storage::Storage;

/// Everything that a run's listings say.
#[derive(Debug, Default)]
pub(crate) struct Snapshot {
    /// The releases, by namespace and name after [`Snapshot::finish`].
    pub(crate) releases: Vec<Observed>,
    /// Helm's records, and which Secrets there are.
    pub(crate) storage: Storage,
    /// The names of ServiceAccounts by namespace.
    pub(crate) accounts: BTreeMap<String, BTreeSet<String>>,
    /// Namespaces that are being deleted.
    pub(crate) terminating: BTreeSet<String>,
    /// Who runs.
    pub(crate) controllers: Controllers,
    /// The newest time that any object tells.
    pub(crate) newest: Option<Moment>,
    /// Whether any object has managed fields.
    pub(crate) managed: bool,
    /// How many objects of each kind there are.
    pub(crate) kinds: BTreeMap<String, usize>,
    /// Objects without a `kind`.
    pub(crate) strays: Vec<Span>,
    /// Whether some text could not be read to its end: what is absent is then not known to be.
    pub(crate) cut_short: bool,
}

impl Snapshot {
    /// Takes in an object; `span` is where its name stands. The answer is whether that was kept.
    pub(crate) fn absorb(&mut self, object: &Value, span: Span) -> bool {
        let Some(kind) = text(object, &["kind"]) else {
            self.strays.push(span);
            return true;
        };
        let group = text(object, &["apiVersion"])
            .and_then(|version| version.split_once('/'))
            .map_or("", |(group, _)| group);
        *self.kinds.entry(kind.to_owned()).or_default() += 1;
        let managed = object.pointer("/metadata/managedFields");
        self.managed |= managed
            .and_then(Value::as_array)
            .is_some_and(|entries| !entries.is_empty());
        self.note_times(object);
        let namespace = text(object, &["metadata", "namespace"]).unwrap_or_default();
        let name = text(object, &["metadata", "name"]).unwrap_or_default();
        match (group, kind) {
            ("helm.toolkit.fluxcd.io", "HelmRelease") => {
                self.releases.push(Observed::read(object, span));
                return true;
            }
            ("", "Secret") => return self.storage.absorb(object, span),
            ("", "ServiceAccount") => {
                let names = self.accounts.entry(namespace.to_owned()).or_default();
                names.insert(name.to_owned());
            }
            ("", "Namespace") if deleted(object).is_some() => {
                self.terminating.insert(name.to_owned());
            }
            ("apps", "Deployment") => self.controllers.deployment(object),
            ("coordination.k8s.io", "Lease") => self.controllers.lease(object),
            _ => {}
        }
        false
    }

    /// Sorts, and of what was read twice keeps the later.
    pub(crate) fn finish(&mut self) {
        fn name(it: &Observed) -> (&str, &str) {
            (&it.id.namespace, &it.id.name)
        }
        self.releases.sort_by(|a, b| name(a).cmp(&name(b)));
        self.releases.dedup_by(|later, kept| {
            let same = name(later) == name(kept);
            if same {
                std::mem::swap(later, kept);
            }
            same
        });
        self.releases.shrink_to_fit();
        self.storage.finish();
    }

    /// How many objects were read.
    pub(crate) fn objects(&self) -> usize {
        self.kinds.values().sum()
    }

    /// How many objects of a kind were read.
    pub(crate) fn count(&self, kind: &str) -> usize {
        self.kinds.get(kind).copied().unwrap_or_default()
    }

    fn note_times(&mut self, object: &Value) {
        let alone = [
            &["metadata", "creationTimestamp"][..],
            &["metadata", "deletionTimestamp"],
            &["spec", "renewTime"],
        ];
        let alone = alone.into_iter().filter_map(|route| text(object, route));
        let listed = [
            (["metadata", "managedFields"], "time"),
            (["status", "conditions"], "lastTransitionTime"),
            (["status", "history"], "lastDeployed"),
        ];
        let listed = listed.into_iter().flat_map(|(list, field)| {
            let items = items(object, &list).iter();
            items.filter_map(move |item| text(item, &[field]))
        });
        let newest = alone.chain(listed).filter_map(Moment::parse).max();
        self.newest = self.newest.max(newest);
    }
}

/// A string under a route of keys; an empty one counts as absent, as Go's omitted fields do.
fn text<'v>(value: &'v Value, route: &[&str]) -> Option<&'v str> {
    let found = route.iter().try_fold(value, |value, key| value.get(key))?;
    found.as_str().filter(|text| !text.is_empty())
}

/// Whether `true` stands under a route of keys.
fn flag(value: &Value, route: &[&str]) -> bool {
    let found = route.iter().try_fold(value, |value, key| value.get(key));
    found.and_then(Value::as_bool) == Some(true)
}

/// The items of a list under a route of keys.
fn items<'v>(value: &'v Value, route: &[&str]) -> &'v [Value] {
    let found = route.iter().try_fold(value, |value, key| value.get(key));
    found.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// When the deletion of an object was asked for.
fn deleted(object: &Value) -> Option<Moment> {
    Moment::parse(text(object, &["metadata", "deletionTimestamp"])?)
}

#[cfg(test)]
mod tests;
