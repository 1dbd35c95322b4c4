//! A diff for programs: a JSON patch for each object.
//!
//! A patch of masked values tells what changed and makes no object; `masked` says so.

use serde_json::{Map, Value, json};

use super::images::Move;
use super::patch::patch;
use super::secrets::is_masked;
use super::{Diff, Entry, Fate};
use crate::finding::ObjectId;
use crate::model::image::split;

/// The whole diff as one object, also where nothing differs.
pub(super) fn print(diff: &Diff) -> String {
    let mut summary = Map::new();
    for fate in Fate::ALL {
        summary.insert(fate.word().to_owned(), json!(diff.count(fate)));
    }
    summary.insert("same".to_owned(), json!(diff.same));
    summary.insert("hidden".to_owned(), json!(diff.hidden.0));
    let whole = json!({
        "version": 1,
        "images": diff.images.iter().map(image).collect::<Vec<_>>(),
        "objects": diff.entries.iter().map(object).collect::<Vec<_>>(),
        "summary": summary,
    });
    format!("{whole:#}\n")
}

fn image(moved: &Move) -> Value {
    let part = |pick: fn(&str) -> String| {
        let side = |image: &Option<String>| image.as_deref().map(pick).filter(|it| !it.is_empty());
        match (side(&moved.from), side(&moved.to)) {
            (None, None) => "none",
            (Some(_), None) => "lost",
            (None, Some(_)) => "added",
            (Some(one), Some(other)) if one == other => "kept",
            _ => "changed",
        }
    };
    json!({
        "from": moved.from,
        "to": moved.to,
        "objects": moved.workloads,
        "tag": part(|image| split(image).tag.to_owned()),
        "digest": part(|image| split(image).digest.to_owned()),
    })
}

fn object(entry: &Entry) -> Value {
    let mut found = Map::new();
    found.insert("change".to_owned(), json!(entry.fate.word()));
    found.insert("object".to_owned(), identity(&entry.id));
    if let Some(was) = &entry.was {
        found.insert("was".to_owned(), identity(was));
    }
    if let Some((from, to)) = &entry.moved {
        found.insert("file".to_owned(), json!({"old": from, "new": to}));
    }
    let steps = match (&entry.old, &entry.new) {
        (Some(old), Some(new)) => patch(old, new),
        (None, Some(new)) => vec![json!({"op": "add", "path": "", "value": new})],
        _ => vec![json!({"op": "remove", "path": ""})],
    };
    let masked = steps.iter().any(|step| holds_mask(&step["value"]));
    found.insert("masked".to_owned(), json!(masked));
    found.insert("patch".to_owned(), Value::Array(steps));
    Value::Object(found)
}

fn holds_mask(value: &Value) -> bool {
    match value {
        Value::String(text) => is_masked(text),
        Value::Array(items) => items.iter().any(holds_mask),
        Value::Object(map) => map.values().any(holds_mask),
        _ => false,
    }
}

/// What an object is, without what is unknown.
fn identity(id: &ObjectId) -> Value {
    let fields = [
        ("apiVersion", id.api_version.as_str()),
        ("kind", &id.kind),
        ("namespace", &id.namespace),
        ("name", &id.name),
    ];
    let known = fields.into_iter().filter(|(_, value)| !value.is_empty());
    known
        .map(|(key, value)| (key.to_owned(), json!(value)))
        .collect()
}
