//! The rewritten references that are surely pulled, each spelling once, one a line.

use std::collections::BTreeSet;

use super::List;
use crate::model::reference::Reference;
use crate::resolve::inventory::Grade;

pub(super) fn lines(list: &List<'_>) -> String {
    let certain = list.named.iter().filter(|it| it.grade == Grade::Certain);
    let lines: BTreeSet<String> = certain
        .map(|named| canonical(&named.rewritten, list.normalize))
        .collect();
    lines.into_iter().map(|line| line + "\n").collect()
}

/// The text, or what it means in full where that is asked for.
pub(super) fn canonical(text: &str, normalize: bool) -> String {
    match Reference::parse(text) {
        Ok(reference) if normalize => reference.with_default_tag().to_string(),
        _ => text.to_owned(),
    }
}
