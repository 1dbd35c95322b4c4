//! A change as lines of text: what every format for people prints.
//!
//! Values are written as YAML, long texts by the lines that differ. Nothing here knows of colour or
//! markup.

use serde_json::Value;
use similar::{DiffOp, DiffTag, group_diff_ops};

use super::compare::{Change, What};
use super::lines::operations;
use super::secrets::Changed;
use crate::yaml::emit::to_yaml;

/// How many lines stand around those that differ.
const CONTEXT: usize = 2;

/// How many characters of a line are shown to people.
const LONGEST: usize = 2_000;

/// How many lines of a value that came or went are shown to people: enough for any manifest.
const MOST: usize = 20_000;

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// It stands on both sides.
    Same,
    /// It went.
    Gone,
    /// It came.
    Come,
    /// It is said about the others.
    Note,
}

impl Mark {
    /// The sign before the line.
    pub(super) fn sign(self) -> char {
        match self {
            Mark::Same => ' ',
            Mark::Gone => '-',
            Mark::Come => '+',
            Mark::Note => '…',
        }
    }

    /// What tells the two sides of a changed secret apart.
    pub(super) fn word(self) -> &'static str {
        match self {
            Mark::Gone => "before",
            _ => "after",
        }
    }
}

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// What it is.
    pub(super) mark: Mark,
    /// Its text, without a line end.
    pub(super) text: String,
}

/// A value as text, the same for equal values.
pub(super) fn canonical(value: &Value) -> String {
    to_yaml(value).expect("the keys of a JSON value are strings")
}

/// The lines that tell a change, secrets masked.
pub(super) fn lines(change: &Change, changed: &Changed) -> Vec<Line> {
    let mut lines = Vec::new();
    match &change.what {
        What::Added(value) => whole(value, Mark::Come, &mut lines),
        What::Removed(value) => whole(value, Mark::Gone, &mut lines),
        What::Replaced(Value::String(old), Value::String(new))
            if old.contains('\n') || new.contains('\n') =>
        {
            texts(old, new, &mut lines);
        }
        What::Replaced(old, new) => {
            whole(old, Mark::Gone, &mut lines);
            whole(new, Mark::Come, &mut lines);
        }
        What::Reordered(old, new) => {
            push(
                &mut lines,
                Mark::Note,
                "the same items in another order".to_owned(),
            );
            push(&mut lines, Mark::Gone, old.join(", "));
            push(&mut lines, Mark::Come, new.join(", "));
        }
    }
    for line in &mut lines {
        line.text = short(&changed.reveal(&line.text, line.mark.word()));
    }
    lines
}

/// The lines of a value that is all new or all gone.
pub(super) fn object(value: &Value, mark: Mark, changed: &Changed) -> Vec<Line> {
    let mut lines = Vec::new();
    whole(value, mark, &mut lines);
    for line in &mut lines {
        line.text = short(&changed.reveal(&line.text, mark.word()));
    }
    lines
}

fn push(lines: &mut Vec<Line>, mark: Mark, text: String) {
    lines.push(Line { mark, text });
}

fn whole(value: &Value, mark: Mark, lines: &mut Vec<Line>) {
    let text = canonical(value);
    let count = text.lines().count();
    lines.extend(text.lines().take(MOST).map(|line| Line {
        mark,
        text: line.to_owned(),
    }));
    if count > MOST {
        push(
            lines,
            Mark::Note,
            format!("and {} more lines", count - MOST),
        );
    }
}

/// The lines of two texts that differ, with some around them.
fn texts(old: &str, new: &str, lines: &mut Vec<Line>) {
    let before: Vec<&str> = old.split_inclusive('\n').collect();
    let after: Vec<&str> = new.split_inclusive('\n').collect();
    let hunks = group_diff_ops(operations(&before, &after), CONTEXT);
    let length = |operation: &DiffOp| match operation.as_tag_tuple() {
        (DiffTag::Equal, ours, _) => ours.len(),
        (_, ours, theirs) => ours.len() + theirs.len(),
    };
    let all: usize = hunks.iter().flatten().map(length).sum();
    let mut shown = 0;
    let mut put = |lines: &mut Vec<Line>, mark: Mark, texts: &[&str]| {
        for text in texts.iter().take(MOST - shown) {
            line(lines, mark, text);
        }
        shown = MOST.min(shown + texts.len());
    };
    for (at, hunk) in hunks.iter().enumerate() {
        if let Some(first) = hunk.first() {
            let start = first.old_range().start;
            if at > 0 || start > 0 {
                push(lines, Mark::Note, format!("line {}", start + 1));
            }
        }
        for operation in hunk {
            match operation.as_tag_tuple() {
                (DiffTag::Equal, ours, _) => put(lines, Mark::Same, &before[ours]),
                (_, ours, theirs) => {
                    put(lines, Mark::Gone, &before[ours]);
                    put(lines, Mark::Come, &after[theirs]);
                }
            }
        }
    }
    if all > MOST {
        push(lines, Mark::Note, format!("and {} more lines", all - MOST));
    }
    if old.ends_with('\n') != new.ends_with('\n') {
        let which = if old.ends_with('\n') { "new" } else { "old" };
        push(
            lines,
            Mark::Note,
            format!("the {which} text has no line end at its end"),
        );
    }
}

fn line(lines: &mut Vec<Line>, mark: Mark, text: &str) {
    let text = text.strip_suffix('\n').unwrap_or(text);
    // A control character must not reach a terminal; a tab may.
    let shown = text
        .chars()
        .flat_map(|c| {
            let plain = !c.is_control() || c == '\t';
            let escaped = (!plain).then(|| c.escape_default());
            escaped.into_iter().flatten().chain(plain.then_some(c))
        })
        .collect();
    push(lines, mark, shown);
}

/// A line that people can read.
fn short(text: &str) -> String {
    let Some((end, _)) = text.char_indices().nth(LONGEST) else {
        return text.to_owned();
    };
    let more = text[end..].chars().count();
    format!("{}… ({more} more characters)", &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::route::Route;
    use serde_json::json;

    fn shown(old: Value, new: Value) -> String {
        let change = Change {
            route: Route::default(),
            what: What::Replaced(old, new),
        };
        let line = |line: &Line| format!("{}{}\n", line.mark.sign(), line.text);
        lines(&change, &Changed::default())
            .iter()
            .map(line)
            .collect()
    }

    #[test]
    fn long_texts_show_the_lines_that_differ() {
        let old = (0..20).fold(String::new(), |text, at| text + &format!("line {at}\n"));
        let new = old.replace("line 10\n", "line ten\n");
        let expected = "…line 9\n line 8\n line 9\n-line 10\n+line ten\n line 11\n line 12\n";
        assert_eq!(shown(json!(old), json!(new)), expected);
    }

    #[test]
    fn types_and_line_ends_are_told_apart() {
        assert_eq!(shown(json!("1"), json!(1)), "-\"1\"\n+1\n");
        assert!(shown(json!("a\nb\n"), json!("a\nb")).contains("the new text has no line end"));
        assert!(shown(json!("a\n"), json!("b\u{1b}[0m\n")).contains("\\u{1b}"));
    }

    #[test]
    fn an_endless_line_is_cut_and_says_so() {
        assert!(shown(json!("x".repeat(5_000)), json!("y")).contains("(3000 more characters)"));
    }
}
