//! What a violation says: types, values and counts in words.

use super::structure::Type;
use crate::model::overrides::distance;
use crate::yaml::Node;
use crate::yaml::scalar::{Reader, Scalar, resolve};

/// How many characters of a value are shown.
const SHOWN: usize = 60;

/// How many choices are listed.
const LISTED: usize = 12;

/// What a type takes.
pub(super) fn expected(kind: Type) -> &'static str {
    match kind {
        Type::Any => "a value",
        Type::Object => "a mapping",
        Type::Array => "a list",
        Type::String => "a string",
        Type::Integer => "a whole number",
        Type::Number => "a number",
        Type::Boolean => "true or false",
        Type::IntOrString => "a whole number or a string",
        Type::NumberOrString => "a number or a string",
    }
}

/// What a value is; of a text only that it is one where it must not be `shown`.
pub(super) fn found(node: Node<'_>, shown: bool) -> String {
    if node.is_mapping() {
        return "a mapping".to_owned();
    }
    if node.is_sequence() {
        return "a list".to_owned();
    }
    let written = bounded(node.text().unwrap_or_default());
    match resolve(node, Reader::Kubernetes) {
        Some(Scalar::Null) => "null".to_owned(),
        Some(Scalar::Bool(value)) if written == value.to_string() => format!("the boolean {value}"),
        Some(Scalar::Bool(value)) => format!("`{written}`, which is the boolean {value}"),
        Some(Scalar::Integer(_) | Scalar::Float(_)) if shown => format!("the number {written}"),
        Some(Scalar::Integer(_) | Scalar::Float(_)) => "a number".to_owned(),
        _ if shown => format!("the string `{written}`"),
        _ => "a string".to_owned(),
    }
}

/// A text of a bounded length.
pub(super) fn bounded(text: &str) -> String {
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown.replace('\n', "\\n")
}

/// Names for a sentence, the last one joined by `and` or `or`.
pub(super) fn listed<'n>(names: impl ExactSizeIterator<Item = &'n str>, joint: &str) -> String {
    let count = names.len();
    let names: Vec<String> = names
        .take(LISTED)
        .map(|name| format!("`{}`", bounded(name)))
        .collect();
    let more = count.saturating_sub(LISTED);
    match names.as_slice() {
        [] => "nothing".to_owned(),
        [one] => one.clone(),
        [first @ .., last] if more == 0 => format!("{} {joint} {last}", first.join(", ")),
        names => format!("{} {joint} {more} more", names.join(", ")),
    }
}

/// The known name that an unknown one was most likely meant to be.
pub(super) fn alike<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let lower = name.to_lowercase();
    let near = known
        .map(|known| (distance(&lower, &known.to_lowercase()), known))
        .min()?;
    (near.0 <= 2 && near.0 < name.len()).then_some(near.1)
}

/// A count with its noun: `1 character`, `2 characters`.
pub(super) fn counted(count: u64, noun: &str) -> String {
    match (count, noun) {
        (1, "entry") => "1 entry".to_owned(),
        (1, _) => format!("1 {noun}"),
        (_, "entry") => format!("{count} entries"),
        _ => format!("{count} {noun}s"),
    }
}
