//! Groups of nodes that reach each other, without recursion and in linear time.

use std::collections::VecDeque;

/// The groups of more than one node, or of one that points at itself, each sorted, in the order of
/// their first node (Tarjan's algorithm).
pub(crate) fn circles(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const UNSEEN: usize = usize::MAX;
    let count = edges.len();
    let (mut order, mut low) = (vec![UNSEEN; count], vec![0; count]);
    let (mut open, mut stack, mut next) = (vec![false; count], Vec::new(), 0);
    let mut found = Vec::new();
    for root in 0..count {
        if order[root] != UNSEEN {
            continue;
        }
        let mut path = vec![(root, 0)];
        while let Some((node, at)) = path.last_mut() {
            let node = *node;
            if *at == 0 {
                (order[node], low[node], open[node]) = (next, next, true);
                stack.push(node);
                next += 1;
            }
            if let Some(&target) = edges[node].get(*at) {
                *at += 1;
                if order[target] == UNSEEN {
                    path.push((target, 0));
                } else if open[target] {
                    low[node] = low[node].min(order[target]);
                }
                continue;
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                low[*parent] = low[*parent].min(low[node]);
            }
            if low[node] == order[node] {
                let from = stack.iter().rposition(|&other| other == node);
                let mut group = stack.split_off(from.expect("a node is open until its group is"));
                for &member in &group {
                    open[member] = false;
                }
                if group.len() > 1 || edges[node].contains(&node) {
                    group.sort_unstable();
                    found.push(group);
                }
            }
        }
    }
    found.sort_unstable();
    found
}

/// A shortest way from the first node of a group back to itself, inside the group.
pub(crate) fn round_trip(edges: &[Vec<usize>], group: &[usize]) -> Vec<usize> {
    let Some(&start) = group.first() else {
        return Vec::new();
    };
    let place = |node: usize| group.binary_search(&node).ok();
    let mut came_from: Vec<Option<usize>> = vec![None; group.len()];
    let mut waiting = VecDeque::from([start]);
    while let Some(node) = waiting.pop_front() {
        for &target in &edges[node] {
            if target == start {
                let (mut way, mut at) = (vec![start], node);
                while at != start {
                    way.push(at);
                    at = place(at)
                        .and_then(|at| came_from[at])
                        .expect("reached from the start");
                }
                way.push(start);
                way.reverse();
                return way;
            }
            if let Some(place) = place(target).filter(|place| came_from[*place].is_none()) {
                came_from[place] = Some(node);
                waiting.push_back(target);
            }
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_are_found_once() {
        let edges = [vec![1], vec![2], vec![0, 3], vec![3], vec![0]];
        assert_eq!(circles(&edges), [vec![0, 1, 2], vec![3]]);
        assert_eq!(round_trip(&edges, &[0, 1, 2]), [0, 1, 2, 0]);
        assert_eq!(round_trip(&edges, &[3]), [3, 3]);
    }

    #[test]
    fn long_rings_need_no_stack() {
        let edges: Vec<Vec<usize>> = (0..100_000).map(|at| vec![(at + 1) % 100_000]).collect();
        assert_eq!(circles(&edges).len(), 1);
    }
}
