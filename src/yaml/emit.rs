//! New YAML texts, laid out as Kubernetes' own YAML is: keys sorted, lists not indented under their
//! key, strings quoted where any reader would take them for something else.
//!
//! Source: sigs.k8s.io/yaml v1.6 over `goyaml.v2` `encode.go`, `sorter.go`;
//! `spec/package-rendering.md` section 11.
//!
//! # Why no library
//!
//! serde-saphyr knows neither this order of keys nor the numbers of `serde_json` with arbitrary
//! precision, which reach a foreign serializer as a mapping of one private key.

use std::cmp::Ordering;

use serde::Serialize;
use serde_json::Value;

use super::scalar::{Reader, Scalar, is_yaml_1_1_word, plain};
use super::write::{double_quoted, is_plain, is_printable, single_quoted};

/// One document of a value, with a line end behind its last line.
///
/// # Errors
///
/// When the value does not serialize: a map whose keys are no strings.
pub(crate) fn to_yaml(value: &impl Serialize) -> Result<String, serde_json::Error> {
    let value = serde_json::to_value(value)?;
    let mut text = String::new();
    match &value {
        Value::Object(map) if !map.is_empty() => mapping(&mut text, map, 0),
        Value::Array(items) if !items.is_empty() => sequence(&mut text, items, 0),
        other => scalar(&mut text, other, 0),
    }
    Ok(text)
}

/// The entries, the first on the line that is open.
fn mapping(text: &mut String, map: &serde_json::Map<String, Value>, indentation: usize) {
    let mut entries: Vec<_> = map.iter().collect();
    entries.sort_by(|(a, _), (b, _)| natural(a, b));
    for (at, (key, value)) in entries.into_iter().enumerate() {
        if at > 0 {
            indent(text, indentation);
        }
        text.push_str(&quoted(key));
        text.push(':');
        match value {
            Value::Object(map) if !map.is_empty() => {
                text.push('\n');
                indent(text, indentation + 2);
                mapping(text, map, indentation + 2);
            }
            Value::Array(items) if !items.is_empty() => {
                text.push('\n');
                indent(text, indentation);
                sequence(text, items, indentation);
            }
            other => {
                text.push(' ');
                scalar(text, other, indentation + 2);
            }
        }
    }
}

/// The items, the first on the line that is open.
fn sequence(text: &mut String, items: &[Value], indentation: usize) {
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            indent(text, indentation);
        }
        text.push_str("- ");
        match item {
            Value::Object(map) if !map.is_empty() => mapping(text, map, indentation + 2),
            Value::Array(items) if !items.is_empty() => sequence(text, items, indentation + 2),
            other => scalar(text, other, indentation + 2),
        }
    }
}

/// Anything on one line, or a block of lines indented by `indentation`.
fn scalar(text: &mut String, value: &Value, indentation: usize) {
    match value {
        Value::String(string) if is_block(string) => {
            let lines = string.trim_end_matches('\n');
            text.push_str(match string.len() - lines.len() {
                0 => "|-\n",
                1 => "|\n",
                _ => "|+\n",
            });
            for line in string.strip_suffix('\n').unwrap_or(string).split('\n') {
                if !line.is_empty() {
                    indent(text, indentation.max(2));
                    text.push_str(line);
                }
                text.push('\n');
            }
            return;
        }
        Value::String(string) => text.push_str(&quoted(string)),
        Value::Array(_) => text.push_str("[]"),
        Value::Object(_) => text.push_str("{}"),
        other => text.push_str(&other.to_string()),
    }
    text.push('\n');
}

fn indent(text: &mut String, indentation: usize) {
    text.extend(std::iter::repeat_n(' ', indentation));
}

/// Whether a string of several lines can be a literal block.
fn is_block(string: &str) -> bool {
    string.trim_end_matches('\n').contains('\n')
        && !string.starts_with([' ', '\n'])
        && string
            .chars()
            .all(|found| found == '\n' || is_printable(found))
        && !string.split('\n').any(|line| line.ends_with(' '))
}

/// A string on one line: plain where that is safe, in double quotes where it looks like another
/// type, else in single quotes.
fn quoted(string: &str) -> String {
    let typed = |reader| !matches!(plain(string, reader), Scalar::String(_));
    if is_plain(string, false, false) {
        string.to_owned()
    } else if typed(Reader::Kubernetes)
        || typed(Reader::Kustomize)
        || is_yaml_1_1_word(string)
        || !string.chars().all(is_printable)
    {
        double_quoted(string)
    } else {
        single_quoted(string)
    }
}

/// The order of keys: runs of digits by their number, letters behind everything else, and by code
/// point among themselves.
pub(crate) fn natural(a: &str, b: &str) -> Ordering {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let Some(at) = a.iter().zip(&b).position(|(a, b)| a != b) else {
        return a.len().cmp(&b.len());
    };
    let behind_digit = at > 0 && a[at - 1].is_numeric();
    match (a[at].is_alphabetic(), b[at].is_alphabetic()) {
        (true, true) => return a[at].cmp(&b[at]),
        (true, false) => {
            return if behind_digit {
                Ordering::Less
            } else {
                Ordering::Greater
            };
        }
        (false, true) => {
            return if behind_digit {
                Ordering::Greater
            } else {
                Ordering::Less
            };
        }
        (false, false) => {}
    }
    // A zero that differs counts as a digit of the number only where one stands before it.
    let inside = (a[at] == '0' || b[at] == '0')
        && a[..at]
            .iter()
            .rev()
            .take_while(|digit| digit.is_ascii_digit())
            .any(|&digit| digit != '0');
    let number = |text: &[char]| {
        let digits = text[at..].iter().map_while(|digit| digit.to_digit(10));
        let start = (u64::from(inside), 0_usize);
        digits.fold(start, |(number, length), digit| {
            (
                number.wrapping_mul(10).wrapping_add(digit.into()),
                length + 1,
            )
        })
    };
    number(&a).cmp(&number(&b)).then_with(|| a[at].cmp(&b[at]))
}

#[cfg(test)]
mod tests;
