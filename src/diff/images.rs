//! Which images move: from what to what, in how many objects, and what becomes of tag and digest.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::Entry;
use super::compare::What;
use super::route::{Route, Step};
use crate::model::image::split;

/// An image that comes, goes or becomes another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Move {
    /// What it was; `None` where it comes.
    pub(super) from: Option<String>,
    /// What it becomes; `None` where it goes.
    pub(super) to: Option<String>,
    /// How many objects it does so in.
    pub(super) workloads: usize,
}

impl Move {
    /// What there is to say of the move, in words.
    pub(super) fn words(&self) -> Vec<&'static str> {
        let (Some(from), Some(to)) = (&self.from, &self.to) else {
            return vec![if self.from.is_none() { "new" } else { "gone" }];
        };
        let (from, to) = (split(from), split(to));
        let mut words = Vec::new();
        if from.name != to.name {
            words.push("name changed");
        }
        match (from.tag, to.tag) {
            (one, other) if one == other => {}
            (_, "") => words.push("tag lost"),
            ("", _) => words.push("tag added"),
            _ => words.push("tag changed"),
        }
        match (from.digest, to.digest) {
            (one, other) if one == other => {}
            (_, "") => words.push("digest lost"),
            ("", _) => words.push("digest added"),
            _ => words.push("digest changed"),
        }
        words
    }
}

/// The moves that the entries make, in the order of their images.
pub(super) fn moves(entries: &[Entry]) -> Vec<Move> {
    let mut found: BTreeMap<(Option<String>, Option<String>), BTreeSet<usize>> = BTreeMap::new();
    for (at, entry) in entries.iter().enumerate() {
        let images = |value: &Option<Value>| {
            let mut images = BTreeMap::new();
            if let Some(value) = value {
                collect(&Route::default(), value, &mut images);
            }
            images
        };
        let (old, new) = (images(&entry.old), images(&entry.new));
        for route in old
            .keys()
            .chain(new.keys().filter(|it| !old.contains_key(*it)))
        {
            let (from, to) = (old.get(route), new.get(route));
            if from != to {
                let key = (from.cloned(), to.cloned());
                found.entry(key).or_default().insert(at);
            }
        }
        for (from, to) in values(entry) {
            found.entry((Some(from), Some(to))).or_default().insert(at);
        }
    }
    let mut moves: Vec<Move> = found
        .into_iter()
        .map(|((from, to), objects)| Move {
            from,
            to,
            workloads: objects.len(),
        })
        .collect();
    // What becomes another first, then what comes, then what goes.
    moves.sort_by_key(|it| (it.from.is_none() || it.to.is_none(), it.from.is_some()));
    moves
}

/// The images of containers and of image volumes, by where they stand.
fn collect(route: &Route, value: &Value, found: &mut BTreeMap<Route, String>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                let route = route.with(Step::Key(key.clone()));
                match (key.as_str(), value) {
                    (
                        "containers" | "initContainers" | "ephemeralContainers",
                        Value::Array(list),
                    ) => {
                        for (at, item) in list.iter().enumerate() {
                            image(&route, at, item, &["image"], found);
                        }
                    }
                    ("volumes", Value::Array(list)) => {
                        for (at, item) in list.iter().enumerate() {
                            image(&route, at, item, &["image", "reference"], found);
                        }
                    }
                    _ => collect(&route, value, found),
                }
            }
        }
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                collect(&route.with(Step::Index(at)), item, found);
            }
        }
        _ => {}
    }
}

/// The image of an item, at its name in the list so that another order moves nothing.
fn image(
    route: &Route,
    at: usize,
    item: &Value,
    keys: &[&str],
    found: &mut BTreeMap<Route, String>,
) {
    let text = keys
        .iter()
        .try_fold(item, |value, key| value.get(key))
        .and_then(Value::as_str);
    let Some(text) = text.filter(|text| !text.is_empty()) else {
        return;
    };
    let step = match item.get("name").and_then(Value::as_str) {
        Some(name) => Step::Item(name.to_owned()),
        None => Step::Index(at),
    };
    found.insert(route.with(step), text.to_owned());
}

/// The images of a chart's values that change, and other fields called `image`: told by the changes
/// alone, since only those say that both sides mean the same field.
fn values(entry: &Entry) -> BTreeSet<(String, String)> {
    let (Some(old), Some(new)) = (&entry.old, &entry.new) else {
        return BTreeSet::new();
    };
    let mut found = BTreeSet::new();
    for change in &entry.changes {
        let last = change.route.last_key().unwrap_or_default();
        let parent = &change.route.0[..change.route.0.len().saturating_sub(1)];
        match (&change.what, last) {
            (What::Replaced(Value::String(from), Value::String(to)), "image")
                if !matches!(parent, [.., Step::Key(list), Step::Item(_) | Step::Index(_)]
                    if list.ends_with("ontainers")) =>
            {
                found.insert((from.clone(), to.clone()));
            }
            (_, "repository" | "registry" | "tag" | "digest" | "name") => {
                let composed = |object: &Value| composed(at(object, parent)?);
                if let (Some(from), Some(to)) = (composed(old), composed(new))
                    && from != to
                {
                    found.insert((from, to));
                }
            }
            _ => {}
        }
    }
    found
}

/// The value that a route of keys leads to.
fn at<'v>(object: &'v Value, route: &[Step]) -> Option<&'v Value> {
    route.iter().try_fold(object, |value, step| match step {
        Step::Key(key) => value.get(key),
        Step::Index(_) | Step::Item(_) => None,
    })
}

/// The image that a mapping of a chart's values spells in parts.
fn composed(value: &Value) -> Option<String> {
    let text = |key: &str| match value.get(key) {
        Some(Value::String(text)) => Some(text.clone()),
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => None,
    };
    let mut image = text("repository").filter(|it| !it.is_empty())?;
    text("tag").or_else(|| text("digest"))?;
    if let Some(registry) = text("registry").filter(|it| !it.is_empty()) {
        image = format!("{registry}/{image}");
    }
    if let Some(tag) = text("tag").filter(|it| !it.is_empty()) {
        image = format!("{image}:{tag}");
    }
    if let Some(digest) = text("digest").filter(|it| !it.is_empty()) {
        image = format!("{image}@{digest}");
    }
    Some(image)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(from: &str, to: &str) -> Vec<&'static str> {
        let moved = Move {
            from: Some(from.to_owned()),
            to: Some(to.to_owned()),
            workloads: 1,
        };
        moved.words()
    }

    #[test]
    fn a_lost_digest_is_told() {
        assert_eq!(
            words("a/b:1@sha256:aa", "a/b:2"),
            ["tag changed", "digest lost"]
        );
        assert_eq!(words("a/b:1", "h/b:1"), ["name changed"]);
        assert_eq!(words("a/b", "a/b@sha256:aa"), ["digest added"]);
    }
}
