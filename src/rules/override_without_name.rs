//! `override-without-name`: an entry has no name.

use super::{Context, Rule};
use crate::finding::{Finding, Label, Level};

pub(crate) const RULE: Rule = Rule {
    code: "override-without-name",
    ids: &["InvalidImageOverrides"],
    level: Level::Error,
    summary: "an entry has no name",
    explain: "\
The name says which image is meant. To kustomize an absent or empty name matches the images that have
none: an empty `image`, or one that is only a tag. That is never meant.

Fix: write the repository that the entry is for.

Quiet: entries with a name.

Source: the image-override tables of Cozystack.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for table in context.tables.distinct() {
        for entry in table.entries.iter().filter(|entry| entry.name().is_empty()) {
            findings.push(
                Finding::new(
                    RULE.code,
                    context.value_level(),
                    Label::new(entry.span),
                    format!(
                        "entry {} has no `name`, expected a repository",
                        entry.index + 1
                    ),
                )
                .help("write the repository that the entry is for"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{messages, pod};
    use super::*;

    #[test]
    fn absent_null_and_empty_names_are_told() {
        let table =
            "- newTag: '1'\n- {name: , newTag: '1'}\n- {name: '', newTag: '1'}\n- {name: a}\n";
        assert_eq!(messages(RULE.code, table, &pod(&[])).len(), 3);
        let other = "- {name: 5, newTag: '1'}\n";
        assert!(
            messages(RULE.code, other, &pod(&[])).is_empty(),
            "refused as no string"
        );
    }
}
