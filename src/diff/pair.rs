//! What became of each object: which old and which new one are the same.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use rayon::prelude::*;
use serde_json::Value;

use super::objects::{Located, Sides};
use super::show::canonical;

/// An old object and a new one, at least one of the two.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<'s> {
    /// The old one.
    pub(super) old: Option<&'s Located>,
    /// The new one.
    pub(super) new: Option<&'s Located>,
    /// Whether the two have different identities and the same content.
    pub(super) renamed: bool,
}

/// The objects that differ, or stand in another file where `files` count, in the order of their
/// identities; and how many are the same.
pub(super) fn pairs(sides: &Sides, files: bool) -> (Vec<Pair<'_>>, usize) {
    let mut all = Vec::new();
    let (mut old, mut new) = (sides.old.iter().peekable(), sides.new.iter().peekable());
    loop {
        let order = match (old.peek(), new.peek()) {
            (None, None) => break,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(one), Some(other)) => one.order(other),
        };
        all.push(Pair {
            old: if order == Ordering::Greater {
                None
            } else {
                old.next()
            },
            new: if order == Ordering::Less {
                None
            } else {
                new.next()
            },
            renamed: false,
        });
    }
    let total = all.len();
    let differ = |pair: &Pair<'_>| match (pair.old, pair.new) {
        (Some(old), Some(new)) => {
            files && old.file != new.file
                || !old.same_text(new) && sides.texts.value(old) != sides.texts.value(new)
        }
        _ => true,
    };
    let found: Vec<Pair<'_>> = all.into_par_iter().filter(differ).collect();
    let same = total - found.len();
    (renames(sides, found), same)
}

/// Joins an object that went and one that came where they are the same but for their names, and no
/// third one is.
fn renames<'s>(sides: &'s Sides, pairs: Vec<Pair<'s>>) -> Vec<Pair<'s>> {
    let lone = |pick: fn(&Pair<'s>) -> (Option<&'s Located>, Option<&'s Located>)| {
        let mut found: Vec<(&'s Located, Arc<Value>, u64)> = pairs
            .par_iter()
            .filter_map(|pair| match pick(pair) {
                (Some(one), None) => {
                    let (content, hash) = nameless(&sides.texts.value(one))?;
                    Some((one, Arc::new(content), hash))
                }
                _ => None,
            })
            .collect();
        let mut counts: HashMap<u64, usize> = HashMap::new();
        for (_, _, hash) in &found {
            *counts.entry(*hash).or_default() += 1;
        }
        found.retain(|(_, _, hash)| counts.get(hash) == Some(&1));
        found
    };
    let only = |one: fn(&Pair<'s>) -> bool| pairs.iter().any(one);
    if !only(|pair| pair.old.is_none()) || !only(|pair| pair.new.is_none()) {
        return pairs;
    }
    let gone = lone(|pair| (pair.old, pair.new));
    let come = lone(|pair| (pair.new, pair.old));
    let by_hash: HashMap<u64, usize> = gone.iter().map(|it| it.2).zip(0..).collect();
    let mut partner: HashMap<*const Located, &Located> = HashMap::new();
    for (new, content, hash) in &come {
        if let Some(&at) = by_hash.get(hash)
            && gone[at].1 == *content
        {
            partner.insert(std::ptr::from_ref(*new), gone[at].0);
            partner.insert(std::ptr::from_ref(gone[at].0), new);
        }
    }
    let joined = |mut pair: Pair<'s>| match (pair.old, pair.new) {
        (Some(old), None) if partner.contains_key(&std::ptr::from_ref(old)) => None,
        (None, Some(new)) => {
            if let Some(old) = partner.get(&std::ptr::from_ref(new)) {
                pair.old = Some(old);
                pair.renamed = true;
            }
            Some(pair)
        }
        _ => Some(pair),
    };
    pairs.into_iter().filter_map(joined).collect()
}

/// The object without its name and namespace, and a hash of that; `None` where nothing is left that
/// could tell it from another of its kind.
fn nameless(value: &Value) -> Option<(Value, u64)> {
    let mut value = value.clone();
    let map = value.as_object_mut()?;
    let metadata = map.get_mut("metadata").and_then(Value::as_object_mut);
    let mut left = 0;
    if let Some(metadata) = metadata {
        metadata.shift_remove("name");
        metadata.shift_remove("namespace");
        left = metadata.len();
    }
    let others = map
        .keys()
        .filter(|key| !matches!(key.as_str(), "apiVersion" | "kind" | "metadata"));
    if left + others.count() == 0 {
        return None;
    }
    let mut hasher = DefaultHasher::new();
    canonical(&value).hash(&mut hasher);
    Some((value, hasher.finish()))
}
