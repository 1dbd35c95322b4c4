//! `override-duplicate-name`: two entries have one name.

use super::{Context, Rule};
use crate::finding::{Finding, Label, Level};
use std::collections::BTreeMap;

pub(crate) const RULE: Rule = Rule {
    code: "override-duplicate-name",
    ids: &["InvalidImageOverrides"],
    level: Level::Error,
    summary: "two entries have one name",
    explain: "\
Both run, in order, and the later one wins where they say different things. Cozystack refuses such a
table: two tags for one image can hardly both be meant.

Fix: make one entry of them.

Quiet: names that differ in any character, since they are patterns.

Source: the image-override tables of Cozystack.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for table in context.tables.distinct() {
        let mut seen = BTreeMap::new();
        for name in table.entries.iter().filter_map(|entry| entry.name.as_ref()) {
            let Some(first) = seen.insert(name.value.as_str(), name.span) else {
                continue;
            };
            findings.push(
                Finding::new(
                    RULE.code,
                    context.value_level(),
                    Label::new(name.span),
                    format!(
                        "the name `{}` stands in two entries, expected one",
                        name.value
                    ),
                )
                .help("make one entry of them")
                .related(Label::new(first).message("the first one")),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{messages, pod};
    use super::*;

    #[test]
    fn a_name_twice_is_told_and_a_spelling_is_not() {
        let table =
            "- {name: a, newTag: '1'}\n- {name: a, newTag: '2'}\n- {name: A, newTag: '1'}\n";
        assert_eq!(messages(RULE.code, table, &pod(&[])).len(), 1);
    }
}
