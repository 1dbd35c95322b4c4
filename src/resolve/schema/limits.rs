//! Bounds and forms of single values: what is wrong with one, in words.

use super::format::Format;
use super::structure::{Limits, Range};
use super::wording::{bounded, counted, listed};
use crate::yaml::Node;
use crate::yaml::json::to_json;
use crate::yaml::scalar::{Reader, Scalar, as_float, resolve};

/// The largest whole number that a JSON reader keeps exactly as a float.
const LARGEST_EXACT: f64 = 9_007_199_254_740_991.0;

/// Whether a number counts as whole to the API server.
pub(super) fn is_whole(number: &Scalar<'_>) -> bool {
    match number {
        Scalar::Integer(value) => i64::try_from(*value).is_ok(),
        Scalar::Float(value) => value.fract() == 0.0 && value.abs() <= LARGEST_EXACT,
        _ => false,
    }
}

/// What is wrong with a value of the right type; texts are not `shown` where they may be secret.
pub(super) fn faults(limits: &Limits, node: Node<'_>, shown: bool) -> Vec<String> {
    let mut faults = Vec::new();
    if !limits.choices.is_empty()
        && to_json(node, Reader::Kubernetes).is_ok_and(|value| !limits.choices.contains(&value))
    {
        let names: Vec<String> = limits
            .choices
            .iter()
            .map(|choice| {
                choice
                    .as_str()
                    .map_or_else(|| choice.to_string(), str::to_owned)
            })
            .collect();
        let expected = listed(names.iter().map(String::as_str), "or");
        faults.push(format!("{}, expected {expected}", is(node, shown)));
    }
    match resolve(node, Reader::Kubernetes) {
        Some(Scalar::String(text) | Scalar::Timestamp(text)) => {
            of_text(limits, text, shown, &mut faults);
        }
        Some(Scalar::Integer(value)) => of_number(limits, as_float(value), node, &mut faults),
        Some(Scalar::Float(value)) => of_number(limits, value, node, &mut faults),
        _ => {}
    }
    faults
}

fn is(node: Node<'_>, shown: bool) -> String {
    match node.text().filter(|_| shown) {
        Some(text) => format!("is `{}`", bounded(text)),
        None => "is another value".to_owned(),
    }
}

fn of_text(limits: &Limits, text: &str, shown: bool, faults: &mut Vec<String>) {
    let said = if shown {
        format!("is `{}`", bounded(text))
    } else {
        "is a text".to_owned()
    };
    let length = u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
    faults.extend(count(limits.length, length, "character"));
    if let Some(pattern) = limits.pattern.as_ref().filter(|it| !it.is_match(text)) {
        faults.push(format!("{said}, expected a match of `{}`", pattern.text));
    }
    if let Some(format) = limits.format.filter(|format| !format.takes(text)) {
        faults.push(format!("{said}, expected {}", format.words()));
    }
}

fn of_number(limits: &Limits, value: f64, node: Node<'_>, faults: &mut Vec<String>) {
    let said = format!("is {}", bounded(node.text().unwrap_or_default()));
    match limits.minimum {
        Some((least, false)) if value < least => {
            faults.push(format!("{said}, expected at least {least}"));
        }
        Some((least, true)) if value <= least => {
            faults.push(format!("{said}, expected more than {least}"));
        }
        _ => {}
    }
    match limits.maximum {
        Some((most, false)) if value > most => {
            faults.push(format!("{said}, expected at most {most}"));
        }
        Some((most, true)) if value >= most => {
            faults.push(format!("{said}, expected less than {most}"));
        }
        _ => {}
    }
    if let Some(factor) = limits.multiple_of.filter(|factor| *factor > 0.0)
        && (value / factor).fract() != 0.0
    {
        faults.push(format!("{said}, expected a multiple of {factor}"));
    }
    let wide = value < f64::from(i32::MIN) || value > f64::from(i32::MAX);
    if limits.format == Some(Format::Int32) && wide {
        faults.push(format!("{said}, expected {}", Format::Int32.words()));
    }
}

/// What is wrong with a count.
pub(super) fn count(range: Range, found: u64, noun: &str) -> Option<String> {
    let has = format!("has {}", counted(found, noun));
    match range {
        Range {
            least: Some(least), ..
        } if found < least => Some(format!("{has}, expected at least {least}")),
        Range {
            most: Some(most), ..
        } if found > most => Some(format!("{has}, expected at most {most}")),
        _ => None,
    }
}
