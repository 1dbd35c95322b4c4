//! Helm's records in Secrets, and which other Secrets there are. No payload is ever looked at.
//!
//! Source: Helm v4.1.1 `pkg/storage/driver/secrets.go`: a release's history is found by the labels
//! `owner` and `name`, one revision by the Secret's name; `spec/release-names.md`, section 1.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde_json::Value;

use super::text;
use crate::source::Span;

/// The type of Helm's Secrets.
const TYPE: &str = "helm.sh/release.v1";

/// The states that Helm writes into the label `status`.
const KNOWN: [&str; 9] = [
    "unknown",
    "deployed",
    "uninstalled",
    "superseded",
    "failed",
    "uninstalling",
    "pending-install",
    "pending-upgrade",
    "pending-rollback",
];

/// The state of a revision.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// One that Helm knows.
    Known(&'static str),
    /// Any other text.
    Other(Box<str>),
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Status::Known(word) => word,
            Status::Other(word) => word,
        })
    }
}

/// A revision of a release.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Revision {
    /// Its number; 0 where none can be read.
    pub(crate) version: u32,
    /// Its state.
    pub(crate) status: Status,
}

impl Revision {
    /// Whether it records a finished uninstall, kept on purpose.
    pub(crate) fn uninstalled(&self) -> bool {
        self.status == Status::Known("uninstalled")
    }
}

/// The records of one release.
#[derive(Debug)]
pub(crate) struct Records {
    /// Where the first of them was read.
    pub(crate) span: Span,
    /// The revisions, the newest last after [`Storage::finish`]; at least one.
    pub(crate) revisions: Vec<Revision>,
}

impl Records {
    /// The newest revision.
    pub(crate) fn newest(&self) -> &Revision {
        self.revisions
            .last()
            .expect("a record is made with its first revision")
    }
}

/// The Secrets of a snapshot.
#[derive(Debug, Default)]
pub(crate) struct Storage {
    /// By namespace and release, as labelled.
    records: BTreeMap<Box<str>, BTreeMap<Box<str>, Records>>,
    /// Helm's by type, without the labels that Helm looks for, by namespace and name.
    unlabelled: BTreeMap<Box<str>, BTreeMap<Box<str>, Span>>,
    /// The names of those that are not Helm's, by namespace.
    others: BTreeMap<Box<str>, BTreeSet<Box<str>>>,
}

impl Storage {
    /// Takes in a Secret. The answer is whether its place was kept.
    pub(super) fn absorb(&mut self, object: &Value, span: Span) -> bool {
        let namespace = text(object, &["metadata", "namespace"]).unwrap_or_default();
        let name = text(object, &["metadata", "name"]).unwrap_or_default();
        let label = |label: &str| text(object, &["metadata", "labels", label]);
        let release = label("name").filter(|_| label("owner") == Some("helm"));
        match release {
            Some(release) => {
                let revision = Revision {
                    version: version(label("version"), name),
                    status: status(label("status").unwrap_or("unknown")),
                };
                if !self.records.contains_key(namespace) {
                    self.records.insert(namespace.into(), BTreeMap::new());
                }
                let of = self.records.get_mut(namespace).expect("it was just made");
                if let Some(records) = of.get_mut(release) {
                    records.revisions.push(revision);
                    return false;
                }
                let revisions = vec![revision];
                of.insert(release.into(), Records { span, revisions });
                true
            }
            None if text(object, &["type"]) == Some(TYPE) => {
                let names = self.unlabelled.entry(namespace.into()).or_default();
                names.insert(name.into(), span);
                true
            }
            None => {
                let names = self.others.entry(namespace.into()).or_default();
                names.insert(name.into());
                false
            }
        }
    }

    /// Sorts; a revision that was read twice counts once.
    pub(super) fn finish(&mut self) {
        for records in self.records.values_mut().flat_map(BTreeMap::values_mut) {
            records.revisions.sort();
            records.revisions.dedup();
            records.revisions.shrink_to_fit();
        }
    }

    /// The records of a release.
    pub(crate) fn records(&self, namespace: &str, release: &str) -> Option<&Records> {
        self.records.get(namespace)?.get(release)
    }

    /// Every release that has records, by namespace and name.
    pub(crate) fn releases(&self) -> impl Iterator<Item = (&str, &str, &Records)> {
        self.records.iter().flat_map(|(namespace, releases)| {
            releases
                .iter()
                .map(move |(name, records)| (&**namespace, &**name, records))
        })
    }

    /// Whether a namespace has any Secret here: one without may have been left out of the listing.
    pub(crate) fn sees(&self, namespace: &str) -> bool {
        self.records.contains_key(namespace)
            || self.others.contains_key(namespace)
            || self.unlabelled.contains_key(namespace)
    }

    /// Helm's Secrets that Helm cannot find, by namespace and name, with their places.
    pub(crate) fn unlabelled(&self) -> impl Iterator<Item = (&str, &str, Span)> {
        self.unlabelled.iter().flat_map(|(namespace, names)| {
            names
                .iter()
                .map(move |(name, span)| (&**namespace, &**name, *span))
        })
    }

    /// The Secrets of a namespace that are not Helm's, if there are any.
    pub(crate) fn others(&self, namespace: &str) -> Option<&BTreeSet<Box<str>>> {
        self.others.get(namespace)
    }

    /// Whether there is no Secret at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.records.is_empty() && self.others.is_empty() && self.unlabelled.is_empty()
    }
}

/// The number of a revision: the label's, else what stands behind the last `.v` of the name.
fn version(label: Option<&str>, name: &str) -> u32 {
    let suffix = || name.rsplit_once(".v")?.1.parse().ok();
    label
        .and_then(|text| text.parse().ok())
        .or_else(suffix)
        .unwrap_or_default()
}

fn status(word: &str) -> Status {
    match KNOWN.iter().find(|known| **known == word) {
        Some(known) => Status::Known(known),
        None => Status::Other(word.into()),
    }
}
