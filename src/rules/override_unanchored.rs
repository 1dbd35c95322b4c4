//! `override-unanchored`: a name with `|` is anchored on one side only.

use super::{Context, Rule};
use crate::finding::{Finding, Label, Level};

pub(crate) const RULE: Rule = Rule {
    code: "override-unanchored",
    ids: &[],
    level: Level::Warning,
    summary: "a name with `|` is anchored on one side only",
    explain: "\
kustomize puts `^` before the name and `$` behind it without a group. In `a|b` the start belongs to
`a` and the end to `b`: everything that begins with `a` matches, and everything that ends in `b`; of
three alternatives the middle one matches anywhere.

Fix: write two entries, or a group: `(a|b)`.

Quiet: a `|` inside a group.

Source: kustomize 5.7.1 `internal/image/image.go`.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for table in context.tables.distinct() {
        for entry in &table.entries {
            let (Some(name), Ok(pattern)) = (&entry.name, entry.pattern()) else {
                continue;
            };
            let parts = alternatives(&name.value);
            let (Some(first), Some(last)) = (parts.first(), parts.last()) else {
                continue;
            };
            if !pattern.unanchored_alternation() || parts.len() == 1 {
                continue;
            }
            let held: String = parts[1..parts.len() - 1]
                .iter()
                .flat_map(|part| [", holds `", *part, "`"])
                .collect();
            let message = format!(
                "the name `{}` takes everything that begins with `{first}`{held} or ends in `{last}`",
                name.value
            );
            findings.push(
                Finding::new(RULE.code, Level::Warning, Label::new(name.span), message).help(
                    format!("write an entry for each, or a group: `({})`", name.value),
                ),
            );
        }
    }
}

/// The parts of an expression between the bars that stand in no group, class or quote.
fn alternatives(name: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut from, mut depth, mut class) = (0, 0_usize, None);
    let mut chars = name.char_indices();
    while let Some((at, found)) = chars.next() {
        match found {
            '\\' if class.is_none() && name[at..].starts_with(r"\Q") => {
                let end = name[at..]
                    .find(r"\E")
                    .map_or(name.len(), |length| at + length + 2);
                chars = name.char_indices();
                chars
                    .by_ref()
                    .take_while(|(next, _)| next + 1 < end)
                    .for_each(drop);
            }
            '\\' => drop(chars.next()),
            // A bracket right behind the opening one, or behind its `^`, is of the class.
            ']' if class.is_some_and(|open| !matches!(&name[open + 1..at], "" | "^")) => {
                class = None;
            }
            '[' if class.is_none() => class = Some(at),
            '(' if class.is_none() => depth += 1,
            ')' if class.is_none() => depth = depth.saturating_sub(1),
            '|' if class.is_none() && depth == 0 => {
                parts.push(&name[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&name[from..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{messages, pod};
    use super::*;

    #[test]
    fn a_bar_outside_a_group_is_told() {
        for (name, told) in [
            ("a|b", 1),
            ("(a|b)", 0),
            ("(?:a|b)", 0),
            (r"a\\|b", 0),
            ("[a|b]", 0),
        ] {
            let table = format!("- {{name: \"{name}\", newTag: '1'}}\n");
            assert_eq!(messages(RULE.code, &table, &pod(&[])).len(), told, "{name}");
        }
    }

    #[test]
    fn bars_in_groups_classes_and_quotes_part_nothing() {
        for (name, parts) in [
            ("a|b|c", vec!["a", "b", "c"]),
            ("|a", vec!["", "a"]),
            ("(a|b)|c", vec!["(a|b)", "c"]),
            (r"a\|b", vec![r"a\|b"]),
            ("[]|]b|c", vec!["[]|]b", "c"]),
            ("[^]|]b", vec!["[^]|]b"]),
            (r"\Qa|b\E|c", vec![r"\Qa|b\E", "c"]),
            (r"\Qa|b", vec![r"\Qa|b"]),
        ] {
            assert_eq!(alternatives(name), parts, "{name}");
        }
    }

    #[test]
    fn the_middle_of_three_is_held_anywhere() {
        let found = messages(RULE.code, "- {name: a|b|c, newTag: '1'}\n", &pod(&[]));
        assert!(
            found[0].ends_with("begins with `a`, holds `b` or ends in `c`"),
            "{found:?}"
        );
    }
}
