//! Changes that many objects share, told once.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Entry;
use super::compare::{Change, What};
use super::show::canonical;

/// In how many objects a change stands before it is told once.
const MANY: usize = 3;

/// Changes that the same objects share.
#[derive(Debug)]
pub(super) struct Group {
    /// The objects, by their places in the list of entries.
    pub(super) members: Vec<usize>,
    /// The changes; of one that is a checksum of its own in every object, only where it is.
    pub(super) changes: Vec<Shared>,
}

/// A change that several objects share.
#[derive(Debug)]
pub(super) struct Shared {
    /// The change, as the first of them has it.
    pub(super) change: Change,
    /// Whether every object has values of its own.
    pub(super) own_values: bool,
}

/// Takes the changes that many objects share out of the entries, grouped by the objects that share
/// them, in the order of these.
pub(super) fn fold(entries: &mut [Entry]) -> Vec<Group> {
    let mut places: BTreeMap<String, Vec<(usize, usize)>> = BTreeMap::new();
    for (entry, of) in entries.iter().enumerate().filter(|(_, it)| it.folds()) {
        for (at, change) in of.changes.iter().enumerate() {
            places
                .entry(signature(change))
                .or_default()
                .push((entry, at));
        }
    }
    let mut groups: BTreeMap<Vec<usize>, Vec<Shared>> = BTreeMap::new();
    let mut taken: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for shared in places.into_values().filter(|shared| shared.len() >= MANY) {
        let (first, at) = shared[0];
        let change = &entries[first].changes[at];
        let own_values = shared
            .iter()
            .any(|&(entry, at)| entries[entry].changes[at].what != change.what);
        let members = shared.iter().map(|&(entry, _)| entry).collect();
        groups.entry(members).or_default().push(Shared {
            change: change.clone(),
            own_values,
        });
        for (entry, at) in shared {
            taken.entry(entry).or_default().push(at);
        }
    }
    for (entry, places) in taken {
        let mut at = 0;
        entries[entry].folded = places.len();
        entries[entry].changes.retain(|_| {
            at += 1;
            !places.contains(&(at - 1))
        });
    }
    let mut groups: Vec<Group> = groups
        .into_iter()
        .map(|(members, mut changes)| {
            changes.sort_by(|a, b| a.change.route.cmp(&b.change.route));
            Group { members, changes }
        })
        .collect();
    groups.sort_by(|a, b| {
        b.members
            .len()
            .cmp(&a.members.len())
            .then_with(|| a.members.cmp(&b.members))
    });
    groups
}

/// What makes two changes the same.
fn signature(change: &Change) -> String {
    let (word, old, new) = match &change.what {
        What::Added(value) => ("added", String::new(), canonical(value)),
        What::Removed(value) => ("removed", canonical(value), String::new()),
        What::Replaced(old, new)
            if change.route.is_tag() && is_checksum(old) && is_checksum(new) =>
        {
            ("checksum", String::new(), String::new())
        }
        What::Replaced(old, new) => ("replaced", canonical(old), canonical(new)),
        What::Reordered(old, new) => ("reordered", old.join("\0"), new.join("\0")),
    };
    format!("{}\0{word}\0{old}\0{new}", change.route)
}

/// Whether a value is a checksum: at least 32 hexadecimal digits.
fn is_checksum(value: &Value) -> bool {
    let digits = |text: &str| text.len() >= 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    value
        .as_str()
        .is_some_and(|text| digits(text.rsplit_once(':').map_or(text, |(_, digits)| digits)))
}
