//! A tree as the JSON that the API server is sent: merges and aliases followed, keys as text, the
//! last of two equal keys.
//!
//! Source: sigs.k8s.io/yaml v1.6 `yaml.go` (`convertToJSONableObject`); numbers are printed as Go's
//! `encoding/json` prints them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::scalar::{Reader, Scalar, resolve};
use super::{Kind, Node};
use crate::source::Span;

/// How deep values may be nested. Go's JSON reader takes 10,000 levels; nobody writes hundreds.
const DEEPEST: usize = 250;

/// How many values aliases may unfold to.
const MOST: usize = 4_000_000;

/// Why a tree cannot become JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoJson {
    /// Infinite or not a number.
    NotFinite,
    /// Deeper than [`DEEPEST`], or an alias inside its own anchor.
    TooDeep,
    /// More than [`MOST`] values.
    TooLarge,
    /// A key that is a list, a mapping or a null.
    Key,
}

/// One entry of a mapping.
#[derive(Clone, Debug)]
pub(crate) struct Entry<'d> {
    /// The key as text.
    pub(crate) key: String,
    /// Where the key stands.
    pub(crate) key_span: Span,
    /// The value, aliases followed.
    pub(crate) value: Node<'d>,
}

/// What a key is called in JSON: `on` is `true`. `None` for what cannot be a key.
pub(crate) fn key_text(key: Node<'_>, reader: Reader) -> Option<String> {
    Some(match resolve(key.resolved(), reader)? {
        Scalar::String(text) | Scalar::Timestamp(text) => text.to_owned(),
        Scalar::Bool(value) => value.to_string(),
        Scalar::Integer(value) => value.to_string(),
        Scalar::Float(value) => float(value).ok()?,
        Scalar::Null => return None,
    })
}

fn is_merge(key: Node<'_>) -> bool {
    match key.tag() {
        None => key.kind() == Kind::Plain && key.text() == Some("<<"),
        Some(tag) => tag == "!!merge",
    }
}

/// The entries of a mapping, merges followed: its own keys win over merged ones, the later of two
/// own ones over the earlier. Keys that cannot be text are left out.
pub(crate) fn entries(node: Node<'_>, reader: Reader) -> Vec<Entry<'_>> {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut waiting = vec![(node, true)];
    let mut seen = BTreeSet::from([node.id()]);
    while let Some((mapping, own)) = waiting.pop() {
        let mut merges = Vec::new();
        for (key, value) in mapping.entries() {
            let value = value.resolved();
            if is_merge(key) {
                if value.is_sequence() {
                    merges.extend(value.items().map(Node::resolved));
                } else {
                    merges.push(value);
                }
                continue;
            }
            let Some(text) = key_text(key, reader) else {
                continue;
            };
            let entry = Entry {
                key: text,
                key_span: key.span(),
                value,
            };
            match places.get(&entry.key) {
                Some(&place) if own => entries[place] = entry,
                Some(_) => {}
                None => {
                    places.insert(entry.key.clone(), entries.len());
                    entries.push(entry);
                }
            }
        }
        merges.retain(|source| seen.insert(source.id()));
        waiting.extend(merges.into_iter().rev().map(|source| (source, false)));
    }
    entries
}

/// The tree under a node as JSON.
pub(crate) fn to_json(node: Node<'_>, reader: Reader) -> Result<Value, NoJson> {
    let mut left = MOST;
    convert(node.resolved(), reader, 0, &mut left)
}

/// Recursion stays above [`DEEPEST`].
fn convert(
    node: Node<'_>,
    reader: Reader,
    depth: usize,
    left: &mut usize,
) -> Result<Value, NoJson> {
    // What is still an alias stands inside of its own anchor.
    if depth > DEEPEST || node.kind() == Kind::Alias {
        return Err(NoJson::TooDeep);
    }
    *left = left.checked_sub(1).ok_or(NoJson::TooLarge)?;
    if node.is_mapping() {
        let fits = |(key, _)| is_merge(key) || key_text(key, reader).is_some();
        if !node.entries().all(fits) {
            return Err(NoJson::Key);
        }
        let mut map = Map::new();
        for entry in entries(node, reader) {
            map.insert(entry.key, convert(entry.value, reader, depth + 1, left)?);
        }
        return Ok(Value::Object(map));
    }
    if node.is_sequence() {
        let items = node
            .items()
            .map(|item| convert(item.resolved(), reader, depth + 1, left));
        return items.collect::<Result<Vec<_>, _>>().map(Value::Array);
    }
    Ok(match resolve(node, reader) {
        None | Some(Scalar::Null) => Value::Null,
        Some(Scalar::Bool(value)) => Value::Bool(value),
        Some(Scalar::Integer(value)) => number(&value.to_string()),
        Some(Scalar::Float(value)) => number(&float(value)?),
        Some(Scalar::Timestamp(text) | Scalar::String(text)) => Value::from(text),
    })
}

fn number(text: &str) -> Value {
    serde_json::from_str(text).expect("a printed number is a JSON number")
}

/// A number as Go's `encoding/json` prints it: by exponent below 1e-6 and from 1e21.
pub(crate) fn float(value: f64) -> Result<String, NoJson> {
    if !value.is_finite() {
        return Err(NoJson::NotFinite);
    }
    let size = value.abs();
    if size != 0.0 && !(1e-6..1e21).contains(&size) {
        let text = format!("{value:e}");
        let signed = if text.contains("e-") {
            text
        } else {
            text.replace('e', "e+")
        };
        return Ok(signed);
    }
    Ok(value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceMap;
    use crate::yaml::read_all;

    fn json(text: &str) -> Result<String, NoJson> {
        let source = SourceMap::default().add("a.yaml", text);
        let doc = read_all(&source).remove(0).unwrap();
        to_json(doc.root().unwrap(), Reader::Kubernetes).map(|value| value.to_string())
    }

    #[test]
    fn values_are_those_of_the_api_server() {
        let same = |text: &str, expected: &str| assert_eq!(json(text).unwrap(), expected);
        same(
            "on: [yes, 'no', 0x10, 1.50, 1e3, ~, \"\"]",
            r#"{"true":[true,"no",16,1.5,1000,null,""]}"#,
        );
        same(
            "a: &a {x: 1, z: 2}\nb: {<<: *a, z: 3}",
            r#"{"a":{"x":1,"z":2},"b":{"z":3,"x":1}}"#,
        );
        same(
            "[1e21, 1e-7, 18446744073709551615, 123456789012345678901234567890]",
            "[1e+21,1e-7,18446744073709551615,1.2345678901234568e+29]",
        );
        same("1: a\n1.5: b", r#"{"1":"a","1.5":"b"}"#);
    }

    #[test]
    fn what_is_no_json_is_refused() {
        assert_eq!(json("a: .inf"), Err(NoJson::NotFinite));
        assert_eq!(json("? [a]\n: b"), Err(NoJson::Key));
        assert_eq!(
            json(&format!("{}1", "- ".repeat(1_200))),
            Err(NoJson::TooDeep)
        );
    }
}
