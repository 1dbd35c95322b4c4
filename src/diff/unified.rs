//! A unified diff of the objects as YAML: keys sorted, an object a file.
//!
//! Every object is shown by itself, whatever many of them share, so that tools which read such diffs
//! miss nothing.

use std::fmt::Write as _;

use similar::{DiffTag, group_diff_ops};

use super::lines::operations;
use super::secrets::{Changed, MASK};
use super::show::{Mark, canonical};
use super::{Diff, Entry};
use crate::diff::compare::changes;
use crate::finding::ObjectId;

/// How many lines stand around those that differ.
const CONTEXT: usize = 3;

/// The whole diff; nothing where there is none.
pub(super) fn print(diff: &Diff) -> String {
    let mut text = String::new();
    for entry in &diff.entries {
        one(entry, &mut text).expect("a string takes everything");
    }
    text
}

fn one(entry: &Entry, text: &mut String) -> std::fmt::Result {
    let yaml = |side: &Option<_>| side.as_ref().map(canonical).unwrap_or_default();
    let (old, new) = (yaml(&entry.old), yaml(&entry.new));
    let before: Vec<&str> = old.split_inclusive('\n').collect();
    let after: Vec<&str> = new.split_inclusive('\n').collect();
    let from = path(entry.was.as_ref().unwrap_or(&entry.id));
    let to = path(&entry.id);
    if let Some((from, to)) = &entry.moved {
        writeln!(text, "# moved from {from} to {to}")?;
    }
    let side = |there: bool, letter: char, path: &str| {
        if there {
            format!("{letter}/{path}")
        } else {
            "/dev/null".to_owned()
        }
    };
    writeln!(text, "--- {}", side(entry.old.is_some(), 'a', &from))?;
    writeln!(text, "+++ {}", side(entry.new.is_some(), 'b', &to))?;
    // What is told in groups elsewhere counts here as well.
    let changed = match (&entry.old, &entry.new) {
        (Some(old), Some(new)) => Changed::of(&changes(old, new)),
        _ => Changed::default(),
    };
    for hunk in group_diff_ops(operations(&before, &after), CONTEXT) {
        let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else {
            continue;
        };
        let ours = first.old_range().start..last.old_range().end;
        let theirs = first.new_range().start..last.new_range().end;
        writeln!(text, "@@ -{} +{} @@", range(&ours), range(&theirs))?;
        for operation in &hunk {
            let (tag, ours, theirs) = operation.as_tag_tuple();
            let mut put = |mark: Mark, line: &str| {
                let shown = changed.reveal(line, mark.word());
                text.push(mark.sign());
                text.push_str(&quoted(&shown));
            };
            if tag == DiffTag::Equal {
                before[ours].iter().for_each(|line| put(Mark::Same, line));
                continue;
            }
            before[ours].iter().for_each(|line| put(Mark::Gone, line));
            after[theirs].iter().for_each(|line| put(Mark::Come, line));
        }
    }
    Ok(())
}

/// An object as a path: namespace, kind and name, each written so that it is one part.
fn path(id: &ObjectId) -> String {
    let part = |text: &str| text.replace(|c: char| c.is_control() || "/\\".contains(c), "_");
    let mut parts = Vec::new();
    if !id.namespace.is_empty() {
        parts.push(part(&id.namespace));
    }
    parts.push(part(&id.kind));
    parts.push(part(&id.name));
    parts.join("/")
}

/// A range of lines as a hunk names it.
fn range(lines: &std::ops::Range<usize>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => format!("{}", lines.start + 1),
        count => format!("{},{count}", lines.start + 1),
    }
}

/// A line of YAML whose whole value is a mask, with the mask in quotes: bare it would be an alias.
fn quoted(line: &str) -> String {
    let body = line.trim_end_matches('\n');
    let Some(at) = body.find(&format!(" {MASK}")) else {
        return line.to_owned();
    };
    let value = &body[at + 1..];
    let whole = matches!(value, "***" | "*** (before)" | "*** (after)");
    if whole && body[..at].ends_with([':', '-']) {
        format!("{} \"{value}\"{}", &body[..at], &line[body.len()..])
    } else {
        line.to_owned()
    }
}
