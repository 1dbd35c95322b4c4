//! Which items of two sequences are the same: lines of a text, elements of a list.
//!
//! # Why not the library alone
//!
//! `similar` finds the shortest edit, whose time grows with the square of the differences; its only
//! bound is a deadline, and an output must not depend on the speed of a machine. So long sequences
//! are first parted at items that are unique on both sides, and a part that is still too long counts
//! as replaced.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// The length, of both sides together, up to which the shortest edit is looked for.
const SHORT: usize = 4_000;

/// How two sequences differ: in order, without gaps, equal stretches as long as they can be.
pub(super) fn operations<T: Hash + Eq + Ord>(old: &[T], new: &[T]) -> Vec<DiffOp> {
    let mut found = Vec::new();
    part(old, new, 0..old.len(), 0..new.len(), &mut found);
    let mut merged: Vec<DiffOp> = Vec::new();
    for next in found {
        match (merged.last_mut(), next) {
            (Some(DiffOp::Equal { len, .. }), DiffOp::Equal { len: more, .. }) => *len += more,
            (_, next) => merged.push(next),
        }
    }
    merged
}

fn part<T: Hash + Eq + Ord>(
    old: &[T],
    new: &[T],
    mut before: Range<usize>,
    mut after: Range<usize>,
    found: &mut Vec<DiffOp>,
) {
    let (a, b) = (&old[before.clone()], &new[after.clone()]);
    let head = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let room = a.len().min(b.len()) - head;
    let tails = a.iter().rev().zip(b.iter().rev()).take(room);
    let tail = tails.take_while(|(a, b)| a == b).count();
    equal(before.start, after.start, head, found);
    before = before.start + head..before.end - tail;
    after = after.start + head..after.end - tail;
    between(old, new, &before, &after, found);
    equal(before.end, after.end, tail, found);
}

fn equal(old_index: usize, new_index: usize, len: usize, found: &mut Vec<DiffOp>) {
    if len > 0 {
        found.push(DiffOp::Equal {
            old_index,
            new_index,
            len,
        });
    }
}

/// What differs at both ends.
fn between<T: Hash + Eq + Ord>(
    old: &[T],
    new: &[T],
    before: &Range<usize>,
    after: &Range<usize>,
    found: &mut Vec<DiffOp>,
) {
    let (a, b) = (&old[before.clone()], &new[after.clone()]);
    if a.is_empty() || b.is_empty() {
        return replaced(before, after, found);
    }
    if a.len() + b.len() <= SHORT {
        let short = capture_diff_slices(Algorithm::Myers, a, b);
        found.extend(
            short
                .into_iter()
                .map(|it| shifted(it, before.start, after.start)),
        );
        return;
    }
    let anchors = anchors(a, b);
    if anchors.is_empty() {
        return replaced(before, after, found);
    }
    let (mut left, mut right) = (before.start, after.start);
    for (one, other) in anchors {
        let (one, other) = (before.start + one, after.start + other);
        if one < left || other < right {
            // The stretch before it was equal as far as this.
            continue;
        }
        part(old, new, left..one, right..other, found);
        let same = old[one..before.end]
            .iter()
            .zip(&new[other..after.end])
            .take_while(|(a, b)| a == b)
            .count();
        equal(one, other, same, found);
        (left, right) = (one + same, other + same);
    }
    part(old, new, left..before.end, right..after.end, found);
}

fn replaced(before: &Range<usize>, after: &Range<usize>, found: &mut Vec<DiffOp>) {
    let (old_index, new_index) = (before.start, after.start);
    let (old_len, new_len) = (before.len(), after.len());
    match (old_len, new_len) {
        (0, 0) => {}
        (0, _) => found.push(DiffOp::Insert {
            old_index,
            new_index,
            new_len,
        }),
        (_, 0) => found.push(DiffOp::Delete {
            old_index,
            old_len,
            new_index,
        }),
        _ => found.push(DiffOp::Replace {
            old_index,
            old_len,
            new_index,
            new_len,
        }),
    }
}

fn shifted(op: DiffOp, old: usize, new: usize) -> DiffOp {
    let (_, before, after) = op.as_tag_tuple();
    match op {
        DiffOp::Equal { len, .. } => DiffOp::Equal {
            old_index: before.start + old,
            new_index: after.start + new,
            len,
        },
        DiffOp::Delete { old_len, .. } => DiffOp::Delete {
            old_index: before.start + old,
            old_len,
            new_index: after.start + new,
        },
        DiffOp::Insert { new_len, .. } => DiffOp::Insert {
            old_index: before.start + old,
            new_index: after.start + new,
            new_len,
        },
        DiffOp::Replace {
            old_len, new_len, ..
        } => DiffOp::Replace {
            old_index: before.start + old,
            old_len,
            new_index: after.start + new,
            new_len,
        },
    }
}

/// Pairs of equal items that stand once on each side, as many as can be taken in the order of both.
fn anchors<T: Hash + Eq>(old: &[T], new: &[T]) -> Vec<(usize, usize)> {
    let once = |items: &[T]| -> Vec<Option<usize>> {
        let mut seen: HashMap<&T, (usize, bool)> = HashMap::with_capacity(items.len());
        for (at, item) in items.iter().enumerate() {
            seen.entry(item)
                .and_modify(|(_, more)| *more = true)
                .or_insert((at, false));
        }
        let lone = |(at, item)| seen.get(item).is_some_and(|&(_, more)| !more).then_some(at);
        items.iter().enumerate().map(lone).collect()
    };
    let (ours, theirs) = (once(old), once(new));
    let places: HashMap<&T, usize> = theirs.iter().flatten().map(|&at| (&new[at], at)).collect();
    let pairs: Vec<(usize, usize)> = ours
        .iter()
        .flatten()
        .filter_map(|&at| Some((at, *places.get(&old[at])?)))
        .collect();
    rising(&pairs)
}

/// The longest run of pairs that rises on both sides.
fn rising(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // `ends[n]` is the pair that a run of n+1 pairs ends with, the smallest there is.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = vec![None; pairs.len()];
    for (at, &(_, other)) in pairs.iter().enumerate() {
        let place = ends.partition_point(|&end| pairs[end].1 < other);
        before[at] = place.checked_sub(1).map(|it| ends[it]);
        if place == ends.len() {
            ends.push(at);
        } else {
            ends[place] = at;
        }
    }
    let mut run = Vec::with_capacity(ends.len());
    let mut next = ends.last().copied();
    while let Some(at) = next {
        run.push(pairs[at]);
        next = before[at];
    }
    run.reverse();
    run
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The new sequence as the operations make it of the old one.
    fn replayed(old: &[u32], new: &[u32]) -> Vec<u32> {
        let (mut at, mut made) = (0, Vec::new());
        for op in operations(old, new) {
            let (tag, before, after) = op.as_tag_tuple();
            assert_eq!((before.start, after.start), (at, made.len()), "no gaps");
            match tag {
                similar::DiffTag::Equal => made.extend(&old[before.clone()]),
                _ => made.extend(&new[after]),
            }
            at = before.end;
        }
        assert_eq!(at, old.len());
        made
    }

    #[test]
    fn long_sequences_are_parted_and_stay_right() {
        let old: Vec<u32> = (0..60_000).collect();
        let mut new = old.clone();
        new[100] = 99_999;
        new.remove(30_000);
        new.insert(59_000, 7);
        assert_eq!(replayed(&old, &new), new);
        let equal: usize = operations(&old, &new)
            .iter()
            .filter(|op| matches!(op, DiffOp::Equal { .. }))
            .map(|op| op.old_range().len())
            .sum();
        assert_eq!(equal, 59_998);
        let reversed: Vec<u32> = old.iter().rev().copied().collect();
        assert_eq!(replayed(&old, &reversed), reversed);
        let other: Vec<u32> = (70_000..130_000).collect();
        assert_eq!(operations(&old, &other).len(), 1);
    }

    #[test]
    fn random_sequences_are_replayed() {
        let mut seed = 7_u64;
        let mut next = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            u32::try_from((seed >> 33) % below).expect("small")
        };
        for round in 0..200 {
            let length = if round < 190 { 30 } else { 3_000 };
            let old: Vec<u32> = (0..length).map(|_| next(length)).collect();
            let new: Vec<u32> = (0..length).map(|_| next(length)).collect();
            assert_eq!(replayed(&old, &new), new);
        }
    }
}
