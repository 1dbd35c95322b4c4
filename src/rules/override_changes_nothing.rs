//! `override-changes-nothing`: an entry says nothing to change.

use super::{Context, Rule};
use crate::finding::{Finding, Label, Level};
use crate::model::overrides::Override;

pub(crate) const RULE: Rule = Rule {
    code: "override-changes-nothing",
    ids: &["InvalidImageOverrides"],
    level: Level::Warning,
    summary: "an entry says nothing to change",
    explain: "\
An entry with a name alone, or whose new name is its name, leaves every image as it is. Most often a
field was forgotten or left empty.

Fix: give it a `newName`, `newTag` or `digest`, or take it out.

Quiet: entries that change something.

Source: kustomize 5.7.1 `api/filters/imagetag/updater.go`.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for table in context.tables.distinct() {
        let sound = |entry: &&Override| !entry.faulty && !entry.name().is_empty();
        for entry in table.entries.iter().filter(sound) {
            let renames = || {
                let pattern = entry.pattern();
                !entry.new_name().is_empty()
                    && pattern.is_ok_and(|it| it.plain_text() != entry.new_name())
            };
            if !entry.new_tag().is_empty() || !entry.digest().is_empty() || renames() {
                continue;
            }
            findings.push(
                Finding::new(
                    RULE.code,
                    Level::Warning,
                    Label::new(entry.span),
                    format!(
                        "entry {} for `{}` changes nothing",
                        entry.index + 1,
                        entry.name()
                    ),
                )
                .help("give it a `newName`, `newTag` or `digest`, or take it out"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{messages, pod};
    use super::*;

    #[test]
    fn an_entry_without_a_change_is_told() {
        for entry in [
            "name: r.io/a",
            "{name: r.io/a, newName: r.io/a}",
            "{name: a, newTag: ''}",
        ] {
            assert_eq!(
                messages(RULE.code, &format!("- {entry}\n"), &pod(&[])).len(),
                1,
                "{entry}"
            );
        }
        for entry in [
            "{name: a, newName: b}",
            "{name: a, newName: a, newTag: '1'}",
        ] {
            assert!(
                messages(RULE.code, &format!("- {entry}\n"), &pod(&[])).is_empty(),
                "{entry}"
            );
        }
    }
}
