//! An expression in the form that the `regex` crate reads as Go means it.
//!
//! Everything is written out: literals as code points, classes as ranges, case folding on the very
//! part that it applies to. Greed is dropped, since only whether a text matches is asked.

use std::fmt::Write as _;

use super::PatternError;
use super::ast::{Ast, Class, Item};

/// How much memory a compiled expression may take. Go bounds the expression, not the program; this
/// is far above what its bounds let through.
const MOST_MEMORY: usize = 1 << 30;

/// How deep the `regex` crate may nest: each of our nodes opens at most two groups.
const MOST_NESTED: u32 = 4096;

/// Compiles a tree; `whole` is the expression that an error quotes.
pub(super) fn compile(tree: &Ast, whole: &str) -> Result<regex::bytes::Regex, PatternError> {
    let mut text = String::new();
    write(tree, &mut text);
    regex::bytes::RegexBuilder::new(&text)
        .size_limit(MOST_MEMORY)
        .nest_limit(MOST_NESTED)
        .build()
        .map_err(|_| PatternError { what: "expression too large", part: whole.to_owned() })
}

fn write(tree: &Ast, out: &mut String) {
    match tree {
        Ast::Empty => {}
        Ast::Literal { found, fold: false } => code_point(u32::from(*found), out),
        Ast::Literal { found, fold: true } => {
            out.push_str("(?i:");
            code_point(u32::from(*found), out);
            out.push(')');
        }
        Ast::Never => out.push_str(r"[^\x{0}-\x{10FFFF}]"),
        Ast::AnyButNewline => out.push_str(r"[^\n]"),
        Ast::Any => out.push_str("(?s:.)"),
        Ast::Class(found) => class(found, out),
        Ast::BeginText => out.push_str(r"\A"),
        Ast::EndText => out.push_str(r"\z"),
        Ast::BeginLine => out.push_str("(?m:^)"),
        Ast::EndLine => out.push_str("(?m:$)"),
        Ast::WordBoundary => out.push_str(r"(?-u:\b)"),
        Ast::NoWordBoundary => out.push_str(r"(?-u:\B)"),
        Ast::Capture(part) => group(part, out),
        Ast::Repeat { part, min, max, .. } => {
            group(part, out);
            match max {
                Some(max) => write!(out, "{{{min},{max}}}"),
                None => write!(out, "{{{min},}}"),
            }
            .expect("a string takes everything");
        }
        Ast::Concat(parts) => {
            for part in parts {
                match part {
                    Ast::Alternate(_) => group(part, out),
                    _ => write(part, out),
                }
            }
        }
        Ast::Alternate(parts) => {
            for (at, part) in parts.iter().enumerate() {
                if at > 0 {
                    out.push('|');
                }
                write(part, out);
            }
        }
    }
}

fn group(part: &Ast, out: &mut String) {
    out.push_str("(?:");
    write(part, out);
    out.push(')');
}

fn code_point(code: u32, out: &mut String) {
    write!(out, "\\x{{{code:X}}}").expect("a string takes everything");
}

fn class(class: &Class, out: &mut String) {
    if class.fold {
        out.push_str("(?i:");
    }
    out.push_str(if class.negated { "[^" } else { "[" });
    for item in &class.items {
        match item {
            Item::Range(low, high) => range(*low, *high, out),
            Item::Ascii { negated, ranges } => {
                out.push_str(if *negated { "[^" } else { "[" });
                for &(low, high) in *ranges {
                    range(u32::from(low), u32::from(high), out);
                }
                out.push(']');
            }
            Item::Unicode { negated, name } => {
                let letter = if *negated { 'P' } else { 'p' };
                write!(out, "\\{letter}{{{name}}}").expect("a string takes everything");
            }
        }
    }
    if class.items.iter().all(|item| matches!(item, Item::Range(low, high) if surrogates(*low, *high)))
    {
        // Nothing is left: a class of nothing.
        out.push_str(r"a&&b");
    }
    out.push(']');
    if class.fold {
        out.push(')');
    }
}

fn surrogates(low: u32, high: u32) -> bool {
    (0xD800..=0xDFFF).contains(&low) && (0xD800..=0xDFFF).contains(&high)
}

/// A range without the surrogates in it, which no text holds.
fn range(low: u32, high: u32, out: &mut String) {
    for (low, high) in [(low, high.min(0xD7FF)), (low.max(0xE000), high)] {
        if low <= high {
            code_point(low, out);
            out.push('-');
            code_point(high, out);
        }
    }
}
