//! Labels and annotations that are left out of a comparison, and counted.

use serde_json::{Map, Value};

/// Takes the labels and annotations with these keys out of both objects, wherever metadata stands in
/// them; gives how many of them differed. A key that ends with `*` stands for all that begin so.
pub(super) fn hide(old: &mut Value, new: &mut Value, keys: &[String]) -> usize {
    if keys.is_empty() {
        return 0;
    }
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => mappings(old, new, keys),
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            let pairs = old.iter_mut().zip(new);
            pairs.map(|(old, new)| hide(old, new, keys)).sum()
        }
        _ => 0,
    }
}

fn mappings(old: &mut Map<String, Value>, new: &mut Map<String, Value>, keys: &[String]) -> usize {
    let mut hidden = 0;
    let names: Vec<String> = old
        .keys()
        .filter(|it| new.contains_key(*it))
        .cloned()
        .collect();
    for name in names {
        let (Some(one), Some(other)) = (old.get_mut(&name), new.get_mut(&name)) else {
            continue;
        };
        if name == "metadata"
            && let (Value::Object(one), Value::Object(other)) = (&mut *one, &mut *other)
        {
            hidden += tags(one, other, "labels", keys) + tags(one, other, "annotations", keys);
        }
        hidden += hide(one, other, keys);
    }
    hidden
}

fn tags(
    old: &mut Map<String, Value>,
    new: &mut Map<String, Value>,
    field: &str,
    keys: &[String],
) -> usize {
    let matches = |key: &String| {
        keys.iter().any(|wanted| match wanted.strip_suffix('*') {
            Some(start) => key.starts_with(start),
            None => key == wanted,
        })
    };
    let take = |map: &mut Map<String, Value>| {
        let mut taken = Map::new();
        if let Some(Value::Object(tags)) = map.get_mut(field) {
            let names: Vec<String> = tags.keys().filter(|key| matches(key)).cloned().collect();
            for name in names {
                let value = tags.shift_remove(&name).unwrap_or_default();
                taken.insert(name, value);
            }
        }
        taken
    };
    let (before, after) = (take(old), take(new));
    let emptied = |map: &Map<String, Value>, taken: &Map<String, Value>| {
        !taken.is_empty() && map.get(field) == Some(&Value::Object(Map::new()))
    };
    // Where nothing is left on one side and nothing was on the other, nothing differs.
    let bare = |map: &Map<String, Value>, taken| !map.contains_key(field) || emptied(map, taken);
    if bare(old, &before) && bare(new, &after) {
        old.shift_remove(field);
        new.shift_remove(field);
    }
    let gone = before
        .iter()
        .filter(|(key, value)| after.get(*key) != Some(value))
        .count();
    gone + after
        .keys()
        .filter(|key| !before.contains_key(*key))
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn hidden_labels_go_from_pods_too_and_are_counted() {
        let object = |version: &str| {
            json!({"metadata": {"labels": {"v": version, "keep": "1"}},
                "spec": {"template": {"metadata": {"annotations": {"checksum/a": version}}}}})
        };
        let (mut old, mut new) = (object("1"), object("2"));
        let keys = ["v".to_owned(), "checksum/*".to_owned()];
        assert_eq!(hide(&mut old, &mut new, &keys), 2);
        assert_eq!(old, new);
        assert_eq!(old["metadata"], json!({"labels": {"keep": "1"}}));
    }

    #[test]
    fn a_label_that_came_alone_leaves_no_empty_mapping() {
        let (mut old, mut new) = (
            json!({"metadata": {}}),
            json!({"metadata": {"labels": {"v": 1}}}),
        );
        assert_eq!(hide(&mut old, &mut new, &["v".to_owned()]), 1);
        assert_eq!(old, new);
    }
}
