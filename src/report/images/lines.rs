//! The rewritten references that are surely pulled, each spelling once, one a line; with the digests
//! that registries were asked for.

use std::collections::BTreeSet;

use super::List;
use crate::model::reference::Reference;
use crate::resolve::inventory::{Grade, Named};

pub(super) fn lines(list: &List<'_>) -> String {
    let certain = list.named.iter().filter(|it| it.grade == Grade::Certain);
    let lines: BTreeSet<String> = certain.map(|named| pinned(named, list.normalize)).collect();
    lines.into_iter().map(|line| line + "\n").collect()
}

/// The reference, and the digest that it stands for where that is known.
fn pinned(named: &Named, normalize: bool) -> String {
    let text = canonical(&named.rewritten, normalize);
    match &named.digest {
        Some(digest) if !text.contains('@') => format!("{text}@{digest}"),
        _ => text,
    }
}

/// The text, or what it means in full where that is asked for.
pub(super) fn canonical(text: &str, normalize: bool) -> String {
    match Reference::parse(text) {
        Ok(reference) if normalize => reference.with_default_tag().to_string(),
        _ => text.to_owned(),
    }
}
