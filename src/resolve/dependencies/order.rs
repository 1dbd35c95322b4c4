//! Objects in an order in which what is waited for comes first.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::{Graph, Place};
use crate::resolve::cycles::circles;

/// The order of objects of which each holds these places, mostly one or none: what is waited for
/// first, as it stood where nothing decides, and as it stood within a circle. Takes time in
/// proportion to objects and edges.
pub(crate) fn order(graph: &Graph<'_>, objects: &[Vec<Place>]) -> Vec<usize> {
    let mut holder: BTreeMap<usize, usize> = BTreeMap::new();
    for (object, places) in objects.iter().enumerate() {
        for unit in places.iter().filter_map(|place| graph.find(place)) {
            holder.entry(unit).or_insert(object);
        }
    }
    let targets = graph.targets();
    let mut waits: Vec<Vec<usize>> = vec![Vec::new(); objects.len()];
    for (unit, object) in &holder {
        let before = targets[*unit].iter().filter_map(|to| holder.get(to));
        waits[*object].extend(before.filter(|before| *before != object));
    }
    // Of a circle no order is right; its edges do not count.
    let mut circle: Vec<Option<usize>> = vec![None; objects.len()];
    for (at, group) in circles(&waits).into_iter().enumerate() {
        for object in group {
            circle[object] = Some(at);
        }
    }
    let mut followers: Vec<Vec<usize>> = vec![Vec::new(); objects.len()];
    let mut open = vec![0_usize; objects.len()];
    for (object, before) in waits.iter().enumerate() {
        for &first in before {
            if circle[object].is_none() || circle[object] != circle[first] {
                followers[first].push(object);
                open[object] += 1;
            }
        }
    }
    let free = (0..objects.len()).filter(|object| open[*object] == 0);
    let mut ready: BinaryHeap<Reverse<usize>> = free.map(Reverse).collect();
    let mut order = Vec::with_capacity(objects.len());
    while let Some(Reverse(object)) = ready.pop() {
        order.push(object);
        for &follower in &followers[object] {
            open[follower] -= 1;
            if open[follower] == 0 {
                ready.push(Reverse(follower));
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::super::{Edge, End, Kind, Unit};
    use super::*;
    use crate::source::Span;

    fn place(name: &str) -> Place {
        Place {
            kind: Kind::Release,
            namespace: "n".to_owned(),
            name: name.to_owned(),
        }
    }

    /// Units named by their number, with these edges.
    fn graph(edges: &[&[usize]]) -> Graph<'static> {
        let mut graph = Graph::default();
        for (at, edges) in edges.iter().enumerate() {
            let edge = |to: &usize| Edge {
                end: End::Unit(*to),
                span: Span::default(),
                qualified: true,
            };
            graph.places.insert(place(&at.to_string()), at);
            graph.units.push(Unit {
                place: place(&at.to_string()),
                owners: Vec::new(),
                package: None,
                settled: true,
                suspended: false,
                key: None,
                edges: edges.iter().map(edge).collect(),
            });
        }
        graph
    }

    fn one_each(count: usize) -> Vec<Vec<Place>> {
        (0..count).map(|at| vec![place(&at.to_string())]).collect()
    }

    #[test]
    fn what_is_waited_for_comes_first_and_ties_stay() {
        let graph = graph(&[&[2], &[], &[3], &[]]);
        assert_eq!(order(&graph, &one_each(4)), [1, 3, 2, 0]);
        let mut objects = one_each(4);
        objects.insert(0, Vec::new());
        assert_eq!(order(&graph, &objects), [0, 2, 4, 3, 1]);
    }

    #[test]
    fn circles_stay_as_they_stood_and_lists_are_one_object() {
        let graph = graph(&[&[1, 3], &[0], &[0], &[]]);
        assert_eq!(order(&graph, &one_each(4)), [1, 3, 0, 2]);
        let lists = [vec![place("0"), place("1")], vec![place("2"), place("3")]];
        assert_eq!(order(&graph, &lists), [0, 1]);
    }

    #[test]
    fn a_long_chain_takes_no_stack() {
        let edges: Vec<Vec<usize>> = (0..50_000)
            .map(|at| (at + 1..50_000).take(1).collect())
            .collect();
        let edges: Vec<&[usize]> = edges.iter().map(Vec::as_slice).collect();
        let order = order(&graph(&edges), &one_each(50_000));
        assert_eq!((order[0], order[49_999]), (49_999, 0));
    }
}
