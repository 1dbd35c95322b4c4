//! `override-without-name`: an entry has no name.

use super::{Context, Rule};
use crate::finding::{Finding, Label, Level};

pub(crate) const RULE: Rule = Rule {
    code: "override-without-name",
    ids: &[],
    level: Level::Error,
    summary: "an entry has no name",
    explain: "\
The name says which image is meant. To kustomize an absent or empty name matches the images that have
none: an empty `image`, or one that is only a tag. That is never meant.

Fix: write the repository that the entry is for.

Quiet: entries with a name.

Source: the image-override tables of Cozystack.
",
    check: check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for table in context.tables.distinct() {
        for entry in table.entries.iter().filter(|entry| entry.name().is_empty()) {
            findings.push(
                Finding::new(
                    RULE.code,
                    context.value_level(),
                    Label::new(entry.span),
                    format!("entry {} has no `name`, expected a repository", entry.index + 1),
                )
                .help("write the repository that the entry is for"),
            );
        }
    }
}
