//! Graphviz.

use std::fmt::Write as _;

use super::{Drawing, name};
use crate::resolve::dependencies::Kind;

/// The graph. An arrow leads to what is waited for.
pub(super) fn text(drawing: &Drawing<'_>) -> String {
    let graph = drawing.graph;
    let mut out = "digraph releases {\n  rankdir=LR;\n  node [shape=box];\n".to_owned();
    let mut line = |text: std::fmt::Arguments<'_>| {
        out.write_fmt(text).expect("a string takes everything");
    };
    for (at, unit) in graph.units.iter().enumerate() {
        let mut label = escaped(&name(&unit.place));
        if let Some(package) = unit.package {
            label = format!("{label}\\n{}", escaped(package));
        }
        let shape = match unit.place.kind {
            Kind::Release => "",
            Kind::Kustomization => ", shape=ellipse",
        };
        let look = match drawing.mark(at) {
            Some("collision") => ", color=red, penwidth=4",
            Some("cycle") => ", color=red, penwidth=2",
            Some(_) => ", style=dotted",
            None => "",
        };
        line(format_args!("  n{at} [label=\"{label}\"{shape}{look}];\n"));
    }
    for (at, place) in graph.missing.iter().enumerate() {
        let at = graph.units.len() + at;
        let label = escaped(&name(place));
        line(format_args!(
            "  n{at} [label=\"{label}\\nnot here\", style=dashed];\n"
        ));
    }
    for unit in 0..graph.units.len() {
        for edge in drawing.edges(unit) {
            let to = drawing.number(edge.end);
            let look = if drawing.turns(unit, edge) {
                " [color=red]"
            } else {
                ""
            };
            line(format_args!("  n{unit} -> n{to}{look};\n"));
        }
    }
    for group in &drawing.collisions {
        for pair in group.windows(2) {
            line(format_args!(
                "  n{} -> n{} [dir=none, style=dotted, color=red, constraint=false, \
                 label=\"one release\"];\n",
                pair[0], pair[1]
            ));
        }
    }
    line(format_args!("}}\n"));
    out
}

/// A text inside quotes.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for found in text.chars() {
        match found {
            '"' | '\\' => {
                out.push('\\');
                out.push(found);
            }
            found if found.is_control() => out.push(' '),
            found => out.push(found),
        }
    }
    out
}
