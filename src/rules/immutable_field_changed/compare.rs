//! How two values are compared: nulls as absent, defaults left out, quantities by value.

use serde_json::{Map, Value};

use crate::model::quantity::billionths;

/// The value without what says nothing: nulls, and empty maps where the API server stores none.
pub(super) fn plain(value: &Value) -> Value {
    match value {
        Value::Object(map) => Value::Object(
            map.iter()
                .filter(|(_, value)| !value.is_null())
                .map(|(key, value)| (key.clone(), plain(value)))
                .collect(),
        ),
        Value::Array(items) => Value::Array(items.iter().map(plain).collect()),
        other => other.clone(),
    }
}

/// Removes from a map the fields that hold their default.
pub(super) fn without_defaults(map: &mut Map<String, Value>, defaults: &[(&str, Value)]) {
    for (key, default) in defaults {
        if map.get(*key) == Some(default) {
            map.remove(*key);
        }
    }
}

/// Writes the quantities of a map (`requests`, `limits`) by their value.
pub(super) fn quantities(resources: &mut Map<String, Value>, what: &str) {
    let Some(Value::Object(map)) = resources.get_mut(what) else {
        return;
    };
    for value in map.values_mut() {
        let text = match &*value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            _ => continue,
        };
        if let Some(amount) = billionths(&text) {
            *value = Value::String(amount.to_string());
        }
    }
}

/// The route to the first difference of two values, and what stands there on each side.
pub(super) fn difference<'v>(
    path: &str,
    was: Option<&'v Value>,
    is: Option<&'v Value>,
) -> Option<(String, Option<&'v Value>, Option<&'v Value>)> {
    match (was, is) {
        (Some(Value::Object(old)), Some(Value::Object(new))) => {
            let mut keys: Vec<&String> = old.keys().chain(new.keys()).collect();
            keys.sort();
            keys.dedup();
            keys.into_iter().find_map(|key| {
                let path = format!("{path}.{key}");
                difference(&path, old.get(key), new.get(key))
            })
        }
        (Some(Value::Array(old)), Some(Value::Array(new))) => (0..old.len().max(new.len()))
            .find_map(|at| difference(&format!("{path}[{at}]"), old.get(at), new.get(at))),
        _ if was == is => None,
        _ => Some((path.to_owned(), was, is)),
    }
}
