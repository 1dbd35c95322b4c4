//! Mermaid: what GitHub, GitLab and Gitea draw in Markdown.

use std::fmt::Write as _;

use super::{Drawing, name};
use crate::resolve::dependencies::Kind;

/// How marked nodes look, on a light ground and on a dark one.
const CLASSES: &str = "  classDef missing stroke-dasharray:4 4,stroke:#888
  classDef suspended stroke-dasharray:2 2,stroke:#b58900
  classDef cycle stroke:#d33,stroke-width:2px
  classDef collision stroke:#d33,stroke-width:4px
";

/// The flowchart. An arrow leads to what is waited for.
pub(super) fn text(drawing: &Drawing<'_>) -> String {
    let graph = drawing.graph;
    let mut out = "flowchart LR\n".to_owned();
    let mut line = |text: std::fmt::Arguments<'_>| {
        out.write_fmt(text).expect("a string takes everything");
    };
    for (at, unit) in graph.units.iter().enumerate() {
        let mut label = escaped(&name(&unit.place));
        if let Some(package) = unit.package {
            label = format!("{label}<br/>{}", escaped(package));
        }
        let (open, close) = match unit.place.kind {
            Kind::Release => ("[", "]"),
            Kind::Kustomization => ("([", "])"),
        };
        let class = drawing
            .mark(at)
            .map_or_else(String::new, |mark| format!(":::{mark}"));
        line(format_args!("  n{at}{open}\"{label}\"{close}{class}\n"));
    }
    for (at, place) in graph.missing.iter().enumerate() {
        let at = graph.units.len() + at;
        let label = escaped(&name(place));
        line(format_args!(
            "  n{at}[\"{label}<br/>not here\"]:::missing\n"
        ));
    }
    for unit in 0..graph.units.len() {
        for edge in drawing.edges(unit) {
            let to = drawing.number(edge.end);
            let arrow = if drawing.turns(unit, edge) {
                "-- cycle -->"
            } else {
                "-->"
            };
            line(format_args!("  n{unit} {arrow} n{to}\n"));
        }
    }
    for group in &drawing.collisions {
        for pair in group.windows(2) {
            line(format_args!(
                "  n{} -. one release .- n{}\n",
                pair[0], pair[1]
            ));
        }
    }
    line(format_args!("{CLASSES}"));
    out
}

/// A text inside quotes.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for found in text.chars() {
        match found {
            '"' => out.push_str("#quot;"),
            '<' => out.push_str("#lt;"),
            '>' => out.push_str("#gt;"),
            '#' => out.push_str("#35;"),
            '&' => out.push_str("#amp;"),
            found if found.is_control() => out.push(' '),
            found => out.push(found),
        }
    }
    out
}
