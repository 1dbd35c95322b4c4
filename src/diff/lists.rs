//! How the items of two lists belong together: by a key that names them, or by being equal.
//!
//! Source of the keys: `patchMergeKey` and `+listMapKey` in the types of Kubernetes 1.35
//! (`core/v1`, `apps/v1`, `admissionregistration/v1`, `apiextensions/v1`); other lists of mappings
//! go by `name`, or by namespace or kind with it, where that tells every item apart. A key only
//! decides what is compared with what: another order is a difference in every list.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use similar::DiffOp;

use super::lines::operations;
use super::show::canonical;

/// How the items of two lists belong together.
pub(super) enum Pairing {
    /// By name: what it is called, and its place on each side.
    Named(Vec<Named>),
    /// By being equal.
    Equal(Vec<DiffOp>),
}

/// An item with a name.
pub(super) struct Named {
    /// The name.
    pub(super) name: String,
    /// Its place in the old list.
    pub(super) old: Option<usize>,
    /// Its place in the new list.
    pub(super) new: Option<usize>,
}

/// The fields that name an item of the list under `field`, the best first.
fn keys(field: &str) -> &'static [&'static [&'static str]] {
    match field {
        "ports" => &[
            &["containerPort", "protocol"],
            &["port", "protocol"],
            &["name"],
        ],
        "volumeMounts" => &[&["mountPath"]],
        "volumeDevices" => &[&["devicePath"]],
        "hostAliases" | "podIPs" | "hostIPs" => &[&["ip"]],
        "topologySpreadConstraints" => &[&["topologyKey", "whenUnsatisfiable"]],
        "conditions" => &[&["type"]],
        "ownerReferences" => &[&["uid"]],
        "subjects" => &[&["kind", "namespace", "name"]],
        _ => &[
            &["name"],
            &["namespace", "name"],
            &["kind", "namespace", "name"],
        ],
    }
}

/// What an item is called; `None` where it lacks what names it. A protocol that is not written is
/// TCP; other fields but the last may be absent.
fn name(item: &Value, key: &[&str]) -> Option<String> {
    let item = item.as_object()?;
    let mut parts = Vec::new();
    for (at, field) in key.iter().enumerate() {
        let text = match item.get(*field) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Number(number)) => number.to_string(),
            None if *field == "protocol" => "TCP".to_owned(),
            None if at + 1 < key.len() && !field.to_lowercase().ends_with("port") => continue,
            _ => return None,
        };
        if *field == "protocol" && text == "TCP" {
            continue;
        }
        parts.push(text);
    }
    Some(parts.join("/"))
}

/// The names of all items, where each has one of its own.
fn names(items: &[Value], key: &[&str]) -> Option<Vec<String>> {
    let names: Vec<String> = items
        .iter()
        .map(|item| name(item, key))
        .collect::<Option<_>>()?;
    let distinct: BTreeSet<&String> = names.iter().collect();
    (distinct.len() == names.len()).then_some(names)
}

/// How the items of the lists under `field` belong together.
pub(super) fn pair(field: &str, old: &[Value], new: &[Value]) -> Pairing {
    let named = |key: &&[&str]| Some((names(old, key)?, names(new, key)?));
    let Some((before, after)) = keys(field).iter().find_map(named) else {
        let text = |items: &[Value]| items.iter().map(canonical).collect::<Vec<_>>();
        return Pairing::Equal(operations(&text(old), &text(new)));
    };
    let places: BTreeMap<&String, usize> = after.iter().zip(0..).collect();
    let known: BTreeSet<&String> = before.iter().collect();
    let mut pairs: Vec<Named> = before
        .iter()
        .enumerate()
        .map(|(at, name)| Named {
            name: name.clone(),
            old: Some(at),
            new: places.get(name).copied(),
        })
        .collect();
    let come = after
        .iter()
        .enumerate()
        .filter(|(_, name)| !known.contains(name));
    pairs.extend(come.map(|(at, name)| Named {
        name: name.clone(),
        old: None,
        new: Some(at),
    }));
    Pairing::Named(pairs)
}

/// The names that both lists have, in the order of each, where the two orders differ.
pub(super) fn reordered(pairs: &[Named]) -> Option<(Vec<String>, Vec<String>)> {
    let mut kept: Vec<&Named> = pairs
        .iter()
        .filter(|it| it.old.is_some() && it.new.is_some())
        .collect();
    let called = |kept: &[&Named]| kept.iter().map(|it| it.name.clone()).collect::<Vec<_>>();
    let old = called(&kept);
    kept.sort_by_key(|it| it.new);
    let new = called(&kept);
    (old != new).then_some((old, new))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn ports_go_by_number_and_protocol() {
        let list = [
            json!({"containerPort": 53}),
            json!({"containerPort": 53, "protocol": "UDP"}),
        ];
        let names = names(&list, keys("ports")[0]).expect("two names");
        assert_eq!(names, ["53", "53/UDP"]);
    }

    #[test]
    fn a_name_that_stands_twice_names_nothing() {
        let list = [json!({"name": "a", "v": 1}), json!({"name": "a", "v": 2})];
        assert!(matches!(pair("env", &list, &list), Pairing::Equal(_)));
        let apart = [
            json!({"name": "a", "namespace": "x"}),
            json!({"name": "a", "namespace": "y"}),
        ];
        let Pairing::Named(pairs) = pair("dependsOn", &apart, &apart[1..]) else {
            panic!("they have names");
        };
        assert_eq!((pairs[0].name.as_str(), pairs[0].new), ("x/a", None));
        assert_eq!(pairs[1].new, Some(0));
    }
}
