//! `override-changes-nothing`: an entry says nothing to change.

use super::{Context, Rule};
use crate::finding::{Finding, Label, Level};
use crate::model::pattern::Pattern;

pub(crate) const RULE: Rule = Rule {
    code: "override-changes-nothing",
    ids: &[],
    level: Level::Warning,
    summary: "an entry says nothing to change",
    explain: "\
An entry with a name alone, or whose new name is its name, leaves every image as it is. Most often a
field was forgotten or left empty.

Fix: give it a `newName`, `newTag` or `digest`, or take it out.

Quiet: entries that change something.

Source: kustomize 5.7.1 `api/filters/imagetag/updater.go`.
",
    check: check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for table in context.tables.distinct() {
        for entry in table.entries.iter().filter(|entry| !entry.name().is_empty()) {
            let renames = !entry.new_name().is_empty()
                && Pattern::compile(entry.name())
                    .is_ok_and(|pattern| pattern.plain_text() != entry.new_name());
            if renames || !entry.new_tag().is_empty() || !entry.digest().is_empty() {
                continue;
            }
            findings.push(
                Finding::new(
                    RULE.code,
                    Level::Warning,
                    Label::new(entry.span),
                    format!("entry {} for `{}` changes nothing", entry.index + 1, entry.name()),
                )
                .help("give it a `newName`, `newTag` or `digest`, or take it out"),
            );
        }
    }
}
