//! `override-unanchored`: a name with `|` is anchored on one side only.

use super::{Context, Rule};
use crate::finding::{Finding, Label, Level};
use crate::model::pattern::Pattern;

pub(crate) const RULE: Rule = Rule {
    code: "override-unanchored",
    ids: &[],
    level: Level::Warning,
    summary: "a name with `|` is anchored on one side only",
    explain: "\
kustomize puts `^` before the name and `$` behind it without a group. In `a|b` the start belongs to
`a` and the end to `b`: everything that begins with `a` matches, and everything that ends in `b`.

Fix: write two entries, or a group: `(a|b)`.

Quiet: a `|` inside a group.

Source: kustomize 5.7.1 `internal/image/image.go`.
",
    check: check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for table in context.tables.distinct() {
        for name in table.entries.iter().filter_map(|entry| entry.name.as_ref()) {
            let Ok(pattern) = Pattern::compile(&name.value) else { continue };
            if pattern.unanchored_alternation() {
                let (first, last) = name.value.split_once('|').unwrap_or((&name.value, ""));
                findings.push(
                    Finding::new(
                        RULE.code,
                        Level::Warning,
                        Label::new(name.span),
                        format!(
                            "the name `{}` takes everything that begins with `{first}` or ends in \
                             `{last}`",
                            name.value
                        ),
                    )
                    .help(format!("write two entries, or a group: `({})`", name.value)),
                );
            }
        }
    }
}
