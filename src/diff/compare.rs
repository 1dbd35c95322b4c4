//! Two values compared: where they differ, and how.
//!
//! Blind to the order of keys, not to that of lists. What the values mean is decided before: they
//! are what the API server is sent.

use serde_json::{Map, Value};
use similar::DiffTag;

use super::lists::{Pairing, pair, reordered};
use super::route::{Route, Step};
use super::show::canonical;

/// One difference.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Change {
    /// Where.
    pub(crate) route: Route,
    /// What.
    pub(crate) what: What,
}

/// What became of a value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum What {
    /// It came.
    Added(Value),
    /// It went.
    Removed(Value),
    /// It became another.
    Replaced(Value, Value),
    /// The same items stand in another order: what they are called, before and after.
    Reordered(Vec<String>, Vec<String>),
}

/// The differences of two objects, in the order of their keys.
pub(crate) fn changes(old: &Value, new: &Value) -> Vec<Change> {
    let mut found = Vec::new();
    compare(&Route::default(), old, new, &mut found);
    found
}

/// Recursion is as deep as the values are, which their reader bounds.
fn compare(route: &Route, old: &Value, new: &Value, found: &mut Vec<Change>) {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => mappings(route, old, new, found),
        (Value::Array(old), Value::Array(new)) => lists(route, old, new, found),
        (old, new) if old == new => {}
        (old, new) => push(
            route.clone(),
            What::Replaced(old.clone(), new.clone()),
            found,
        ),
    }
}

fn push(route: Route, what: What, found: &mut Vec<Change>) {
    found.push(Change { route, what });
}

fn mappings(
    route: &Route,
    old: &Map<String, Value>,
    new: &Map<String, Value>,
    found: &mut Vec<Change>,
) {
    let mut keys: Vec<&String> = old.keys().collect();
    keys.extend(new.keys().filter(|key| !old.contains_key(*key)));
    keys.sort_unstable();
    for key in keys {
        let route = || route.with(Step::Key(key.clone()));
        match (old.get(key), new.get(key)) {
            (Some(old), Some(new)) if old == new => {}
            (Some(old), Some(new)) => compare(&route(), old, new, found),
            (Some(old), None) => push(route(), What::Removed(old.clone()), found),
            (None, Some(new)) => push(route(), What::Added(new.clone()), found),
            (None, None) => {}
        }
    }
}

fn lists(route: &Route, old: &[Value], new: &[Value], found: &mut Vec<Change>) {
    if old == new {
        return;
    }
    match pair(route.last_key().unwrap_or_default(), old, new) {
        Pairing::Named(pairs) => {
            for named in &pairs {
                let route = || route.with(Step::Item(named.name.clone()));
                match (named.old, named.new) {
                    (Some(before), Some(after)) => {
                        compare(&route(), &old[before], &new[after], found);
                    }
                    (Some(before), None) => {
                        push(route(), What::Removed(old[before].clone()), found);
                    }
                    (None, Some(after)) => push(route(), What::Added(new[after].clone()), found),
                    (None, None) => {}
                }
            }
            if let Some((before, after)) = reordered(&pairs) {
                push(route.clone(), What::Reordered(before, after), found);
            }
        }
        Pairing::Equal(operations) => {
            if let Some((before, after)) = permuted(old, new) {
                push(route.clone(), What::Reordered(before, after), found);
                return;
            }
            for operation in operations {
                let (tag, before, after) = operation.as_tag_tuple();
                if tag == DiffTag::Equal {
                    continue;
                }
                let item = |at| route.with(Step::Index(at));
                if before.len() == after.len() {
                    for (one, other) in before.zip(after) {
                        compare(&item(other), &old[one], &new[other], found);
                    }
                    continue;
                }
                for at in before {
                    push(item(at), What::Removed(old[at].clone()), found);
                }
                for at in after {
                    push(item(at), What::Added(new[at].clone()), found);
                }
            }
        }
    }
}

/// What the items are called, in the order of each side, where the same items stand on both: a
/// scalar by its value, others by their old place.
fn permuted(old: &[Value], new: &[Value]) -> Option<(Vec<String>, Vec<String>)> {
    if old.len() != new.len() {
        return None;
    }
    let sorted = |items: &[Value]| {
        let mut all: Vec<_> = items.iter().map(canonical).zip(0_usize..).collect();
        all.sort_unstable();
        all
    };
    let (before, after) = (sorted(old), sorted(new));
    if before
        .iter()
        .zip(&after)
        .any(|(one, other)| one.0 != other.0)
    {
        return None;
    }
    let called = |at: usize| match &old[at] {
        Value::Object(_) | Value::Array(_) => format!("[{at}]"),
        scalar => canonical(scalar).trim_end().to_owned(),
    };
    let mut places: Vec<(usize, usize)> = before
        .iter()
        .zip(&after)
        .map(|(one, other)| (other.1, one.1))
        .collect();
    places.sort_unstable();
    let names = (0..old.len()).map(called).collect();
    Some((
        names,
        places.into_iter().map(|(_, at)| called(at)).collect(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn shown(old: &Value, new: &Value) -> Vec<String> {
        let word = |what: &What| match what {
            What::Added(value) => format!("+{value}"),
            What::Removed(value) => format!("-{value}"),
            What::Replaced(old, new) => format!("{old}>{new}"),
            What::Reordered(old, new) => format!("{}>{}", old.join(" "), new.join(" ")),
        };
        changes(old, new)
            .iter()
            .map(|it| format!("{} {}", it.route, word(&it.what)))
            .collect()
    }

    #[test]
    fn keys_in_another_order_are_no_difference_and_items_are() {
        assert!(shown(&json!({"a": 1, "b": [1]}), &json!({"b": [1], "a": 1})).is_empty());
        let found = shown(&json!({"args": ["a", "b"]}), &json!({"args": ["b", "a"]}));
        assert_eq!(found, ["args a b>b a"]);
        let env =
            |a: &str, b: &str| json!({"env": [{"name": a, "value": a}, {"name": b, "value": b}]});
        assert_eq!(shown(&env("X", "Y"), &env("Y", "X")), ["env X Y>Y X"]);
    }

    #[test]
    fn items_with_a_name_are_compared_with_their_own() {
        let old = json!({"containers": [{"name": "a", "image": "x:1"}, {"name": "b"}]});
        let new = json!({"containers": [{"name": "c"}, {"name": "a", "image": "x:2"}]});
        let expected = [
            r#"containers[a].image "x:1">"x:2""#,
            r#"containers[b] -{"name":"b"}"#,
            r#"containers[c] +{"name":"c"}"#,
        ];
        assert_eq!(shown(&old, &new), expected);
    }

    #[test]
    fn items_without_a_name_are_compared_by_place() {
        let rule = |verb: &str| json!({"verbs": [verb], "resources": ["pods"]});
        let old = json!({"rules": [rule("get"), rule("list")]});
        let new = json!({"rules": [rule("get"), rule("watch")]});
        assert_eq!(shown(&old, &new), [r#"rules[1].verbs[0] "list">"watch""#]);
        let longer = json!({"rules": [rule("x"), rule("get"), rule("list")]});
        assert_eq!(shown(&old, &longer).len(), 1);
    }
}
