//! What waits for what, for people and programs: a format a file.
//!
//! Nodes are numbered in the order of the graph, missing ends behind the others; what is drawn
//! depends on nothing else.

mod dot;
mod json;
mod mermaid;

use std::collections::BTreeSet;

use crate::resolve::dependencies::{Edge, End, Graph, Kind, Place};
use crate::source::SourceMap;

/// The formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum GraphFormat {
    /// A flowchart for Markdown.
    Mermaid,
    /// Graphviz.
    Dot,
    /// For programs.
    Json,
}

/// A graph with what all formats mark.
struct Drawing<'g> {
    graph: &'g Graph<'g>,
    /// The circle that each unit is in, by its number.
    circle: Vec<Option<usize>>,
    circles: Vec<Vec<usize>>,
    collisions: Vec<Vec<usize>>,
    /// The units whose storage key another works on too.
    colliding: BTreeSet<usize>,
}

/// The graph as text; places are named by `sources`.
pub(crate) fn graph(graph: &Graph<'_>, sources: &SourceMap, format: GraphFormat) -> String {
    let circles = graph.circles();
    let mut circle = vec![None; graph.units.len()];
    for (at, group) in circles.iter().enumerate() {
        for unit in group {
            circle[*unit] = Some(at);
        }
    }
    let collisions = graph.collisions();
    let drawing = Drawing {
        graph,
        circle,
        circles,
        colliding: collisions.iter().flatten().copied().collect(),
        collisions,
    };
    match format {
        GraphFormat::Mermaid => mermaid::text(&drawing),
        GraphFormat::Dot => dot::text(&drawing),
        GraphFormat::Json => json::text(&drawing, sources),
    }
}

impl Drawing<'_> {
    /// The number of a node.
    fn number(&self, end: End) -> usize {
        match end {
            End::Unit(at) => at,
            End::Missing(at) => self.graph.units.len() + at,
        }
    }

    /// The edges of a unit, each end once.
    fn edges(&self, unit: usize) -> Vec<Edge> {
        let mut seen = BTreeSet::new();
        let edges = self.graph.units[unit].edges.iter();
        edges
            .filter(|edge| seen.insert(edge.end))
            .copied()
            .collect()
    }

    /// Whether an edge is part of a circle.
    fn turns(&self, unit: usize, edge: Edge) -> bool {
        match edge.end {
            End::Unit(to) => self.circle[unit].is_some() && self.circle[unit] == self.circle[to],
            End::Missing(_) => false,
        }
    }

    /// What a unit is marked as, the gravest first.
    fn mark(&self, unit: usize) -> Option<&'static str> {
        let it = &self.graph.units[unit];
        if self.colliding.contains(&unit) || it.owners.len() > 1 {
            Some("collision")
        } else if self.circle[unit].is_some() {
            Some("cycle")
        } else if it.suspended {
            Some("suspended")
        } else {
            None
        }
    }
}

/// A place as people name it; a Kustomization says what it is.
fn name(place: &Place) -> String {
    match place.kind {
        Kind::Release => format!("{}/{}", place.namespace, place.name),
        Kind::Kustomization => format!("Kustomization {}/{}", place.namespace, place.name),
    }
}
