//! The JSON patch (RFC 6902) that makes one value of another.

use serde_json::{Map, Value, json};
use similar::DiffTag;

use super::lines::operations;
use super::lists::{Pairing, pair};
use super::show::canonical;

/// The operations, to be applied in their order.
pub(super) fn patch(old: &Value, new: &Value) -> Vec<Value> {
    let mut steps = Vec::new();
    compare("", "", old, new, &mut steps);
    steps
}

/// `field` is the key that the value stands under, which says what names the items of a list.
fn compare(path: &str, field: &str, old: &Value, new: &Value, steps: &mut Vec<Value>) {
    match (old, new) {
        (old, new) if old == new => {}
        (Value::Object(old), Value::Object(new)) => mappings(path, old, new, steps),
        (Value::Array(old), Value::Array(new)) => lists(path, field, old, new, steps),
        _ => steps.push(json!({"op": "replace", "path": path, "value": new})),
    }
}

fn mappings(
    path: &str,
    old: &Map<String, Value>,
    new: &Map<String, Value>,
    steps: &mut Vec<Value>,
) {
    let mut keys: Vec<&String> = old.keys().collect();
    keys.extend(new.keys().filter(|key| !old.contains_key(*key)));
    keys.sort_unstable();
    for key in keys {
        let path = format!("{path}/{}", escaped(key));
        match (old.get(key), new.get(key)) {
            (Some(old), Some(new)) => compare(&path, key, old, new, steps),
            (Some(_), None) => steps.push(json!({"op": "remove", "path": path})),
            (None, Some(new)) => {
                steps.push(json!({"op": "add", "path": path, "value": new}));
            }
            (None, None) => {}
        }
    }
}

/// A key as RFC 6901 writes it.
fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// What tells the items of a list apart: their names where they have some, else all they hold.
fn labels(field: &str, old: &[Value], new: &[Value]) -> (Vec<String>, Vec<String>) {
    let whole = |items: &[Value]| items.iter().map(canonical).collect::<Vec<_>>();
    let Pairing::Named(pairs) = pair(field, old, new) else {
        return (whole(old), whole(new));
    };
    let (mut before, mut after) = (whole(old), whole(new));
    for named in pairs {
        if let Some(at) = named.old {
            before[at].clone_from(&named.name);
        }
        if let Some(at) = named.new {
            after[at] = named.name;
        }
    }
    (before, after)
}

fn lists(path: &str, field: &str, old: &[Value], new: &[Value], steps: &mut Vec<Value>) {
    let (before, after) = labels(field, old, new);
    // The place in the list as the steps so far have made it.
    let mut at = 0;
    for operation in operations(&before, &after) {
        let (tag, ours, theirs) = operation.as_tag_tuple();
        let both = ours.len().min(theirs.len());
        for (one, other) in ours.clone().zip(theirs.clone()).take(both) {
            let place = format!("{path}/{at}");
            if tag == DiffTag::Equal || before[one] == after[other] || !named(&old[one]) {
                compare(&place, "", &old[one], &new[other], steps);
            } else {
                steps.push(json!({"op": "replace", "path": place, "value": new[other]}));
            }
            at += 1;
        }
        for _ in ours.skip(both) {
            steps.push(json!({"op": "remove", "path": format!("{path}/{at}")}));
        }
        for other in theirs.skip(both) {
            let place = format!("{path}/{at}");
            steps.push(json!({"op": "add", "path": place, "value": new[other]}));
            at += 1;
        }
    }
}

/// Whether an item has a name, so that one of another name is not compared with it.
fn named(item: &Value) -> bool {
    item.get("name").is_some()
}

#[cfg(test)]
#[path = "patch/tests.rs"]
mod tests;
