//! From a tree to the syntax of the `regex` crate, which then matches what Go matches.
//!
//! Letter case needs care: Go folds by Unicode 15.0 and the crate by a later version, in which some
//! old characters have gained another case. Those, and all that Go does not know, are kept apart.

use std::fmt::Write as _;

use regex::{Regex, RegexBuilder};

use super::syntax::{Class, Item, Kind, Node, Times};
use super::unicode::{KNOWN, Property};

/// Code points without another case in Unicode 15.0 that have one in a later version.
const NO_CASE: &str = r"[\x{19B}\x{264}\x{390}\x{3B0}\x{1FD3}\x{1FE3}\x{FB05}\x{FB06}]";

/// Iota in all its cases. Go has no table of cases for `LC`, which matters to U+0345 alone.
const IOTA: &str = r"\x{345}\x{399}\x{3B9}\x{1FBE}";

/// The matcher for a tree; none if it outgrows what the `regex` crate can number.
pub(super) fn regex(root: &Node) -> Option<Regex> {
    let mut text = String::new();
    write_node(root, &mut text);
    RegexBuilder::new(&text)
        .size_limit(usize::MAX)
        .nest_limit(u32::MAX)
        .build()
        .ok()
}

fn write_node(node: &Node, out: &mut String) {
    match &node.kind {
        Kind::Empty => {}
        Kind::Literal { text, fold } => text.iter().for_each(|&letter| {
            write_literal(letter, *fold, out);
        }),
        Kind::Class(class) => write_class(class, out),
        Kind::AnyNotNewline => out.push_str(r"[^\n]"),
        Kind::Any => out.push_str(r"(?s:.)"),
        Kind::BeginLine => out.push_str("(?m:^)"),
        Kind::EndLine => out.push_str("(?m:$)"),
        Kind::BeginText => out.push_str(r"\A"),
        Kind::EndText => out.push_str(r"\z"),
        Kind::WordBoundary => out.push_str(r"(?-u:\b)"),
        Kind::NoWordBoundary => out.push_str(r"(?-u:\B)"),
        Kind::Capture(child) => write_node(child, out),
        Kind::Repeat(child, times) => {
            out.push_str("(?:");
            write_node(child, out);
            out.push(')');
            write_times(*times, out);
        }
        Kind::Concat(children) => children.iter().for_each(|child| write_node(child, out)),
        Kind::Alternate(children) | Kind::Set(children) => {
            out.push_str("(?:");
            for (index, child) in children.iter().enumerate() {
                if index > 0 {
                    out.push('|');
                }
                write_node(child, out);
            }
            out.push(')');
        }
    }
}

fn write_times(times: Times, out: &mut String) {
    let written = match times {
        Times::Star => out.write_str("*"),
        Times::Plus => out.write_str("+"),
        Times::Quest => out.write_str("?"),
        Times::Counted { min, max: None } => write!(out, "{{{min},}}"),
        Times::Counted {
            min,
            max: Some(max),
        } => write!(out, "{{{min},{max}}}"),
    };
    written.expect("writing to a String cannot stop");
}

fn write_literal(letter: char, fold: bool, out: &mut String) {
    let code = u32::from(letter);
    if fold {
        let items = vec![Item::Range(code, code)];
        write_class(
            &Class {
                items,
                negated: false,
                fold,
            },
            out,
        );
    } else {
        write!(out, r"\x{{{code:X}}}").expect("writing to a String cannot stop");
    }
}

fn write_class(class: &Class, out: &mut String) {
    let text = class_text(class);
    let is_ascii = |item: &Item| match item {
        Item::Range(_, high) => *high < 0x80,
        Item::Ascii(_, negated) => !negated,
        Item::Unicode(..) => false,
    };
    if !class.fold {
        out.push_str(&text);
    } else if !class.negated && class.items.iter().all(is_ascii) {
        write!(out, "(?i:{text})").expect("writing to a String cannot stop");
    } else {
        let cased = |item: &Item| matches!(item, Item::Unicode(Property::Category("LC"), _));
        let iota = if class.items.iter().any(cased) {
            IOTA
        } else {
            ""
        };
        let apart = format!("[[^{KNOWN}]{NO_CASE}{iota}]");
        write!(out, "(?:(?i:[{text}--{apart}])|[{text}&&{apart}])")
            .expect("writing to a String cannot stop");
    }
}

fn class_text(class: &Class) -> String {
    let mut text = String::from(if class.negated { "[^" } else { "[" });
    let mut empty = true;
    for item in &class.items {
        let item = item_text(item);
        empty &= item.is_empty();
        text.push_str(&item);
    }
    if empty {
        // Only surrogates, which no text has.
        text.push_str("a&&b");
    }
    text.push(']');
    text
}

fn item_text(item: &Item) -> String {
    match *item {
        Item::Range(low, high) => {
            let low = if (0xD800..=0xDFFF).contains(&low) {
                0xE000
            } else {
                low
            };
            let high = if (0xD800..=0xDFFF).contains(&high) {
                0xD7FF
            } else {
                high
            };
            if low <= high {
                format!(r"\x{{{low:X}}}-\x{{{high:X}}}")
            } else {
                String::new()
            }
        }
        Item::Ascii(ranges, negated) => {
            let mut text = String::from(if negated { "[^" } else { "[" });
            for (low, high) in ranges {
                write!(text, r"\x{low:02X}-\x{high:02X}").expect("writing to a String cannot stop");
            }
            text.push(']');
            text
        }
        Item::Unicode(property, true) => format!("[^{}]", property.class()),
        Item::Unicode(property, false) => property.class(),
    }
}
