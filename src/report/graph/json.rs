//! The graph for programs.

use serde_json::{Value, json};

use super::Drawing;
use crate::finding::Label;
use crate::resolve::dependencies::{End, Place};
use crate::source::SourceMap;

/// One object: `nodes`, `edges` (`from` waits for `to`), `cycles` and `collisions` as lists of ids.
pub(super) fn text(drawing: &Drawing<'_>, sources: &SourceMap) -> String {
    let graph = drawing.graph;
    let mut nodes: Vec<Value> = Vec::new();
    let mut edges: Vec<Value> = Vec::new();
    for (at, unit) in graph.units.iter().enumerate() {
        let owners: Vec<Value> = unit.owners.iter().map(|it| owner(it, sources)).collect();
        let mut node = node(&unit.place);
        node["declared"] = json!(unit.package.is_none());
        node["owners"] = json!(owners);
        if let Some(package) = unit.package {
            node["package"] = json!(package);
        }
        if unit.suspended {
            node["suspended"] = json!(true);
        }
        if let Some(key) = unit.key {
            node["release"] = json!({
                "cluster": key.cluster,
                "storageNamespace": key.storage_namespace,
                "releaseName": key.name,
            });
        }
        nodes.push(node);
        for edge in drawing.edges(at) {
            let to = match edge.end {
                End::Unit(at) => &graph.units[at].place,
                End::Missing(at) => &graph.missing[at],
            };
            let mut line = json!({ "from": id(&unit.place), "to": id(to) });
            if drawing.turns(at, edge) {
                line["cycle"] = json!(true);
            }
            edges.push(line);
        }
    }
    for place in &graph.missing {
        let mut node = node(place);
        node["missing"] = json!(true);
        nodes.push(node);
    }
    let ids = |groups: &[Vec<usize>]| -> Vec<Vec<String>> {
        let of = |group: &Vec<usize>| group.iter().map(|at| id(&graph.units[*at].place)).collect();
        groups.iter().map(of).collect()
    };
    let whole = json!({
        "version": 1,
        "nodes": nodes,
        "edges": edges,
        "cycles": ids(&drawing.circles),
        "collisions": ids(&drawing.collisions),
    });
    let mut text = serde_json::to_string_pretty(&whole).expect("text and numbers serialize");
    text.push('\n');
    text
}

fn id(place: &Place) -> String {
    format!("{}/{}/{}", place.kind.name(), place.namespace, place.name)
}

fn node(place: &Place) -> Value {
    json!({
        "id": id(place),
        "kind": place.kind.name(),
        "namespace": place.namespace,
        "name": place.name,
    })
}

fn owner(label: &Label, sources: &SourceMap) -> Value {
    let source = sources.get(label.span.source);
    let place = source.line_col(label.span.start);
    json!({ "file": source.path, "line": place.line, "column": place.column })
}
