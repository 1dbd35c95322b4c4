//! The list for programs (`design/cli.md`, `images --format json`).

use serde_json::{Map, Value, json};

use super::lines::canonical;
use super::{List, images};
use crate::report::json::findings;
use crate::report::{Report, object};
use crate::resolve::inventory::Named;
use crate::source::{SourceMap, Span};

pub(super) fn json(list: &List<'_>, sources: &SourceMap) -> String {
    let listed: Vec<Value> = images(list)
        .into_iter()
        .map(|places| {
            let first = &places[0];
            let entry = places.iter().find_map(|place| place.entry);
            let mut image = json!({
                "image": first.image,
                "rewritten": canonical(&first.rewritten, list.normalize),
                "grade": first.grade.name(),
                "override": entry.map(|(index, span)| {
                    let source = sources.get(span.source);
                    let line = source.line_col(span.start).line;
                    json!({"file": source.path, "line": line, "index": index})
                }),
                "uses": places.iter().map(|place| used(place, sources)).collect::<Vec<_>>(),
            });
            if let Some(digest) = &first.digest {
                image["digest"] = digest.as_str().into();
            }
            image
        })
        .collect();
    let report = Report {
        findings: list.findings,
        sources,
        rules: &[],
        prefix: "",
        least: None,
        colour: false,
        more: Map::new(),
    };
    let whole = json!({
        "version": 1,
        "images": listed,
        "findings": findings(&report),
        "unseen": list.unseen,
    });
    let mut text = serde_json::to_string_pretty(&whole).expect("a JSON value is JSON");
    text.push('\n');
    text
}

fn used(place: &Named, sources: &SourceMap) -> Value {
    let Span { source, start, .. } = place.span;
    let source = sources.get(source);
    let at = source.line_col(start);
    let mut used = json!({"file": source.path, "line": at.line, "column": at.column});
    if !place.object.kind.is_empty() {
        used["object"] = object(&place.object);
    }
    used["path"] = place.path.to_string().into();
    used
}
