//! The words that every format for people uses: of an object, a group, an image.

use serde_json::Value;

use super::compare::{Change, What};
use super::group::{Group, Shared};
use super::images::Move;
use super::secrets::Changed;
use super::show::canonical;
use super::{Diff, Entry, Fate};

/// How many characters a value may have to stand on one line with another.
const SHORT: usize = 100;

/// What became of an object, beyond the word for it: `moved from a.yaml to b.yaml`.
pub(super) fn remarks(entry: &Entry) -> Vec<String> {
    let mut remarks = Vec::new();
    if let Some(was) = &entry.was {
        remarks.push(format!("was {was}"));
    }
    if let Some((from, to)) = &entry.moved {
        remarks.push(format!("moved from {from} to {to}"));
    }
    let order = |change: &&Change| matches!(change.what, What::Reordered(..));
    if entry.fate == Fate::Changed
        && !entry.changes.is_empty()
        && entry.changes.iter().all(|it| order(&it))
    {
        remarks.push("only the order of items".to_owned());
    }
    match entry.folded {
        0 => {}
        1 => remarks.push("1 change shared with others".to_owned()),
        more => remarks.push(format!("{more} changes shared with others")),
    }
    remarks
}

/// The objects that only stand in another file, a line each.
pub(super) fn moved(diff: &Diff) -> Vec<String> {
    let moved = diff
        .entries
        .iter()
        .filter(|entry| entry.fate == Fate::Moved);
    moved
        .filter_map(|entry| {
            let (from, to) = entry.moved.as_ref()?;
            Some(format!("{}: {from} → {to}", entry.id))
        })
        .collect()
}

/// The objects of a group by kind: `ConfigMap a, b; Service c`.
pub(super) fn members(diff: &Diff, group: &Group) -> String {
    let mut text = String::new();
    let mut kind = "";
    for &at in &group.members {
        let id = &diff.entries[at].id;
        if id.kind == kind {
            text.push_str(", ");
        } else {
            if !kind.is_empty() {
                text.push_str("; ");
            }
            text.push_str(&id.kind);
            text.push(' ');
            kind = &id.kind;
        }
        if !id.namespace.is_empty() {
            text.push_str(&id.namespace);
            text.push('/');
        }
        text.push_str(&id.name);
    }
    text
}

/// A change that fits on one line: `metadata.labels[x]: 1 → 2`.
pub(super) fn brief(shared: &Shared) -> Option<String> {
    let Change { route, what } = &shared.change;
    if shared.own_values {
        return Some(format!("{route}: another checksum in each"));
    }
    let changed = Changed::of([&shared.change]);
    let one_line = |value: &Value, word: &str| {
        let text = canonical(value);
        let text = text.trim_end();
        let short = !value.is_object() && !value.is_array();
        let shown = changed.reveal(text, word);
        (short && !shown.contains('\n') && shown.chars().count() <= SHORT).then_some(shown)
    };
    Some(match what {
        What::Replaced(old, new) => {
            format!(
                "{route}: {} → {}",
                one_line(old, "before")?,
                one_line(new, "after")?
            )
        }
        What::Added(value) => format!("{route}: {} added", one_line(value, "after")?),
        What::Removed(value) => format!("{route}: {} removed", one_line(value, "before")?),
        What::Reordered(..) => return None,
    })
}

/// `3 objects`, and what becomes of tag and digest.
pub(super) fn image(moved: &Move) -> String {
    let count = match moved.workloads {
        1 => "1 object".to_owned(),
        more => format!("{more} objects"),
    };
    let words = moved.words();
    format!("{count}, {}", words.join(", "))
}

/// The secrets of an entry that became others.
pub(super) fn changed(entry: &Entry) -> Changed {
    Changed::of(&entry.changes)
}
