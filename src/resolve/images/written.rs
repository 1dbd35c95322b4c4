//! A tree as Go decodes it when a build writes its result or unrolls a list, and what stops that.
//!
//! Source: go.yaml.in/yaml/v3 v3.0.4 `decode.go`, Go `encoding/json`; `spec/image-semantics.md`
//! rules 50, 84, 87.

use std::collections::BTreeSet;

use super::refusals::Refusal;
use super::tree::{CellId, Shape, Tree, is_merge_key};
use crate::yaml::scalar::{Reader, Scalar, plain};

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
        if !matches!(tree.scalar(key), Some(Scalar::String(_))) {
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
        && let Some(tag @ ("!!null" | "!!bool" | "!!int" | "!!float")) = tree.node(id).tag()
    {
        let fits = match plain(text, Reader::Kustomize) {
            Scalar::Null => tag == "!!null",
            Scalar::Bool(_) => tag == "!!bool",
            Scalar::Integer(_) => tag == "!!int" || tag == "!!float",
            Scalar::Float(_) => tag == "!!float",
            Scalar::Timestamp(_) | Scalar::String(_) => false,
        };
        if !fits {
            let says = format!("yaml: cannot decode !!str `{text}` as a {tag}");
            return Err(Refusal::new(
                tree,
                id,
                &says,
                "take the tag off or mend the value",
            ));
        }
    }
    let (json, string) = match tree.scalar(id) {
        Some(Scalar::Null) | None => ("null".to_owned(), false),
        Some(Scalar::Bool(value)) => (value.to_string(), false),
        Some(Scalar::Integer(value)) => (value.to_string(), false),
        Some(Scalar::Float(value)) => (go_float(value), false),
        Some(Scalar::Timestamp(text)) => (go_timestamp(text), true),
        Some(Scalar::String(text)) => (text.to_owned(), true),
    };
    Ok(Decoded::Scalar {
        cell: id,
        json,
        string,
    })
}

/// A number as Go's `encoding/json` writes it; `NaN`, `+Inf`, `-Inf` for what it cannot.
pub(crate) fn go_float(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    let size = value.abs();
    if size != 0.0 && !(1e-6..1e21).contains(&size) {
        let text = format!("{value:e}");
        let (mantissa, exponent) = text.split_once('e').expect("`e` is in that format");
        return match exponent.strip_prefix('-') {
            Some(digits) => format!("{mantissa}e-{digits}"),
            None => format!("{mantissa}e+{exponent}"),
        };
    }
    value.to_string()
}

/// A YAML timestamp as Go's `time.Time` prints itself in JSON (RFC 3339 with nanoseconds).
pub(crate) fn go_timestamp(text: &str) -> String {
    let (date, time) = match text.find(['T', 't', ' ']) {
        Some(at) => (&text[..at], text[at + 1..].trim()),
        None => (text, ""),
    };
    let padded = |part: &str| format!("{part:0>2}");
    let date: Vec<String> = date.split('-').map(padded).collect();
    let zone_at = time.find(['Z', '+', '-']).unwrap_or(time.len());
    let (clock, zone) = time.split_at(zone_at);
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, ""));
    let mut clock: Vec<String> = clock
        .split(':')
        .filter(|part| !part.is_empty())
        .map(padded)
        .collect();
    clock.resize(3, "00".to_owned());
    let fraction = fraction.trim_end_matches('0');
    let dot = if fraction.is_empty() { "" } else { "." };
    let zone = if matches!(zone, "" | "+00:00" | "-00:00") {
        "Z"
    } else {
        zone
    };
    format!(
        "{}T{}{dot}{fraction}{zone}",
        date.join("-"),
        clock.join(":")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_times_are_written_as_go_writes_them() {
        assert_eq!(go_float(1.5), "1.5");
        assert_eq!(
            go_float(123_456_789_012_345_678_901_234_567_890.0),
            "1.2345678901234568e+29"
        );
        assert_eq!(go_float(1e-7), "1e-7");
        assert_eq!(go_timestamp("2001-01-01"), "2001-01-01T00:00:00Z");
        assert_eq!(go_timestamp("2001-1-2 3:4:5.60"), "2001-01-02T03:04:05.6Z");
    }
}
