//! A tree as Go decodes it when a build writes its result or unrolls a list, and what stops that.
//!
//! Source: go.yaml.in/yaml/v3 v3.0.4 `decode.go`, Go `encoding/json`; `spec/image-semantics.md`
//! rules 50, 84, 87.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::{GeneralPurpose, GeneralPurposeConfig};

use super::refusals::Refusal;
use super::tree::{CellId, Shape, Tree, is_merge_key};
use crate::yaml::json::float;
use crate::yaml::scalar::{Reader, Scalar, resolve_strict};
use crate::yaml::timestamp::rfc3339;

/// A decoded value.
#[derive(Clone, Debug)]
pub(crate) enum Decoded {
    /// A scalar as JSON text, without quotes.
    Scalar {
        /// Where it came from.
        cell: CellId,
        /// Its text in JSON.
        json: String,
        /// Whether JSON quotes it.
        string: bool,
    },
    /// A list.
    Sequence(CellId, Vec<Decoded>),
    /// A mapping.
    Mapping {
        /// Where it came from.
        cell: CellId,
        /// Key cells, key texts and values.
        entries: Vec<(CellId, String, Decoded)>,
        /// The first key that is no string.
        odd_key: Option<CellId>,
    },
}

impl Decoded {
    /// Refuses what Go's JSON cannot hold: keys that are no strings, infinite numbers.
    pub(crate) fn check(&self, tree: &Tree<'_>) -> Result<(), Refusal> {
        match self {
            Decoded::Scalar { cell, json, string } => {
                if !string && matches!(json.as_str(), "NaN" | "+Inf" | "-Inf") {
                    let says = format!("json: unsupported value: {json}");
                    let help = "JSON has no such number; quote it if it is meant as text";
                    return Err(Refusal::new(tree, *cell, &says, help));
                }
                Ok(())
            }
            Decoded::Sequence(_, items) => items.iter().try_for_each(|item| item.check(tree)),
            Decoded::Mapping {
                odd_key: Some(key), ..
            } => {
                let says = "json: unsupported type: map[interface {}]interface {}";
                let help = "keys below the root must be strings: quote the key";
                Err(Refusal::new(tree, *key, says, help))
            }
            Decoded::Mapping { .. } => self.check_root(tree),
        }
    }

    /// The same, but keys of the root may be anything: Go makes strings of them.
    pub(crate) fn check_root(&self, tree: &Tree<'_>) -> Result<(), Refusal> {
        match self {
            Decoded::Mapping { entries, .. } => entries
                .iter()
                .try_for_each(|(_, _, value)| value.check(tree)),
            other => other.check(tree),
        }
    }
}

/// Decodes a tree without aliases.
pub(crate) fn decode(tree: &Tree<'_>, id: CellId) -> Result<Decoded, Refusal> {
    match tree.shape(id) {
        Shape::Scalar | Shape::Alias(_) => scalar(tree, id),
        Shape::Sequence => {
            let items = tree.items(id).map(|item| decode(tree, item));
            Ok(Decoded::Sequence(id, items.collect::<Result<_, _>>()?))
        }
        Shape::Mapping => mapping(tree, id),
    }
}

fn mapping(tree: &Tree<'_>, id: CellId) -> Result<Decoded, Refusal> {
    let mut seen = BTreeSet::new();
    let mut entries = Vec::new();
    let mut odd_key = None;
    let mut merged = None;
    for (key, value) in tree.entries(id) {
        let collection = tree.shape(key) != Shape::Scalar;
        let null = tree.is_null(key);
        // The merge step sets a null key beside itself (rule 87).
        if !seen.insert((collection, tree.text(key))) || null && !tree.text(key).is_empty() {
            let says = format!("mapping key {:?} already defined", tree.text(key));
            return Err(Refusal::new(tree, key, &says, "keep one of them"));
        }
        if collection {
            let help = "keys must be texts";
            return Err(Refusal::new(tree, key, "yaml: invalid map key", help));
        }
        if is_merge_key(tree.node(key)) {
            merged = Some(value);
            continue;
        }
        // Go looks at the tag, though a text of any other tag is a string to it.
        let tagged = matches!(tree.node(key).tag(), Some(tag) if !matches!(tag, "!" | "!!str"));
        if tagged || !matches!(tree.scalar(key), Some(Scalar::String(_))) {
            odd_key = odd_key.or(Some(key));
        }
        let name = match scalar(tree, key)? {
            Decoded::Scalar { json, .. } => json,
            _ => String::new(),
        };
        entries.push((key, name, decode(tree, value)?));
    }
    if let Some(merged) = merged {
        merge(tree, merged, &mut entries)?;
    }
    Ok(Decoded::Mapping {
        cell: id,
        entries,
        odd_key,
    })
}

/// Adds what a merge key that the build left alone brings: own keys win, then earlier sources.
fn merge(
    tree: &Tree<'_>,
    value: CellId,
    entries: &mut Vec<(CellId, String, Decoded)>,
) -> Result<(), Refusal> {
    match (tree.shape(value), decode(tree, value)?) {
        (Shape::Mapping, Decoded::Mapping { entries: more, .. }) => {
            for (key, name, value) in more {
                if !entries.iter().any(|(_, own, _)| *own == name) {
                    entries.push((key, name, value));
                }
            }
            Ok(())
        }
        (Shape::Sequence, _) => tree
            .items(value)
            .try_for_each(|item| match tree.shape(item) {
                Shape::Mapping => merge(tree, item, entries),
                _ => Err(not_a_map(tree, item)),
            }),
        _ => Err(not_a_map(tree, value)),
    }
}

fn not_a_map(tree: &Tree<'_>, cell: CellId) -> Refusal {
    let says = "map merge requires map or sequence of maps as the value";
    Refusal::new(
        tree,
        cell,
        says,
        "merge an alias of a mapping, or write the keys out",
    )
}

fn scalar(tree: &Tree<'_>, id: CellId) -> Result<Decoded, Refusal> {
    let text = tree.text(id);
    if tree.has_own_text(id)
        && let Some(tag) = tree.node(id).tag()
        && let Some(Err(found)) = resolve_strict(tree.node(id), Reader::Kustomize)
    {
        let says = format!("yaml: cannot decode {found} `{text}` as a {tag}");
        let help = "take the tag off or mend the value";
        return Err(Refusal::new(tree, id, &says, help));
    }
    if tree.has_own_text(id) && tree.node(id).tag() == Some("!!binary") {
        let Some(bytes) = binary(text) else {
            let says = "yaml: !!binary value contains invalid base64 data";
            let help = "take the tag off, or write base64";
            return Err(Refusal::new(tree, id, says, help));
        };
        return Ok(Decoded::Scalar {
            cell: id,
            json: String::from_utf8_lossy(&bytes).into_owned(),
            string: true,
        });
    }
    let (json, string) = match tree.scalar(id) {
        Some(Scalar::Null) | None => ("null".to_owned(), false),
        Some(Scalar::Bool(value)) => (value.to_string(), false),
        Some(Scalar::Integer(value)) => (value.to_string(), false),
        Some(Scalar::Float(value)) => (number(value), false),
        Some(Scalar::Timestamp(text)) => (timestamp(text), true),
        Some(Scalar::String(text)) => (text.to_owned(), true),
    };
    Ok(Decoded::Scalar {
        cell: id,
        json,
        string,
    })
}

/// What a text under `!!binary` stands for; `None` where it is not base64 to Go, which passes line
/// ends over and does not look at bits behind the last byte.
pub(super) fn binary(text: &str) -> Option<Vec<u8>> {
    let config = GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true);
    let engine = GeneralPurpose::new(&base64::alphabet::STANDARD, config);
    engine.decode(text.replace(['\r', '\n'], "")).ok()
}

/// A number as Go's `encoding/json` writes it; `NaN`, `+Inf`, `-Inf` for what it cannot.
fn number(value: f64) -> String {
    float(value).unwrap_or_else(|_| {
        let name = match value {
            _ if value.is_nan() => "NaN",
            _ if value > 0.0 => "+Inf",
            _ => "-Inf",
        };
        name.to_owned()
    })
}

/// What a text that reads as a time becomes.
pub(crate) fn timestamp(text: &str) -> String {
    rfc3339(text).expect("the reader took it for a time")
}

#[cfg(test)]
mod tests;
