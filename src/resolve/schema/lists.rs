//! Lists whose elements are told apart: sets, and lists that are maps by some fields.
//!
//! Source: apiextensions-apiserver `pkg/apiserver/schema/listtype/validation.go`.

use std::collections::BTreeMap;

use super::structure::ListType;
use crate::yaml::Node;
use crate::yaml::json::to_json;
use crate::yaml::scalar::Reader;

/// The elements that repeat an earlier one, each with the earlier one's place and, of a map, the
/// fields that agree. An element that repeats one a third time is not told again.
pub(super) fn repeated<'d>(
    list: &ListType,
    items: &[Node<'d>],
) -> Vec<(Node<'d>, usize, &'static str)> {
    let mut seen: BTreeMap<String, (usize, bool)> = BTreeMap::new();
    let mut found = Vec::new();
    for (at, item) in items.iter().enumerate() {
        let key = match list {
            ListType::Atomic => return found,
            ListType::Set => text(*item),
            ListType::Map(_) if !item.is_mapping() && !item.is_null() => return found,
            ListType::Map(keys) => {
                let fields = keys.iter().map(|key| item.at(&[key]).map(text));
                format!("{:?}", fields.collect::<Vec<_>>())
            }
        };
        match seen.get_mut(&key) {
            None => {
                seen.insert(key, (at, false));
            }
            Some((first, told)) if !*told => {
                *told = true;
                let how = if *list == ListType::Set {
                    "equals"
                } else {
                    "has the key of"
                };
                found.push((*item, *first, how));
            }
            Some(_) => {}
        }
    }
    found
}

fn text(node: Node<'_>) -> String {
    to_json(node, Reader::Kubernetes).map_or_else(
        |_| format!("{:?}", node.id()),
        |mut value| {
            value.sort_all_objects();
            value.to_string()
        },
    )
}
