//! `override-name-too-wide`: a name takes images that it does not spell.

use super::{Context, Rule};
use crate::finding::{Finding, Label, Level};
use std::collections::BTreeMap;

use super::Applied;
use crate::model::pattern::Pattern;

pub(crate) const RULE: Rule = Rule {
    code: "override-name-too-wide",
    ids: &[],
    level: Level::Warning,
    summary: "a name takes images that it does not spell",
    explain: "\
The name is a regular expression, pasted unescaped: a dot is any character, `+`, `*` and `?` repeat
what stands before them, brackets are a choice. `registry.io/app` takes `registry-io/app` too, and with
a `newName` the two images become one. Nearly every table has such dots and nearly always they do no
harm, so forebay looks at the images that are there, and names those that an entry takes although
they are spelt otherwise.

Fix: escape the dots (`registry\\.io/app`); where the operators are meant, write an entry for each
image, so that the table says what it takes.

Quiet: as long as every image taken is spelt as the name is; names that take nearly everything, which
are `override-matches-empty` and `override-unanchored`.

Source: kustomize 5.7.1 `internal/image/image.go`; `spec/image-semantics.md` rules 9 to 15.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for table in context.tables.distinct() {
        for entry in &table.entries {
            let Some(name) = &entry.name else { continue };
            let Ok(pattern) = entry.pattern() else {
                continue;
            };
            // Names that take nearly everything have rules of their own.
            let told = pattern.matches_empty() || pattern.unanchored_alternation();
            if told || pattern.literal().is_some() {
                continue;
            }
            let plain = pattern.plain_text();
            let mut wide: BTreeMap<&str, Label> = BTreeMap::new();
            for visit in context.of(table).flat_map(Applied::visits) {
                // A build lets an entry meet its own result again, which is no image that was there.
                let first = visit.steps().find(|hit| hit.entry == entry.index);
                if let Some(hit) = first {
                    let rest = hit.before.strip_prefix(plain.as_str());
                    if rest.is_none_or(|rest| !rest.is_empty() && !rest.starts_with([':', '@'])) {
                        wide.entry(hit.before)
                            .or_insert_with(|| Label::new(visit.span));
                    }
                }
            }
            if wide.is_empty() {
                continue;
            }
            let named: Vec<String> = wide
                .keys()
                .take(3)
                .map(|image| format!("`{image}`"))
                .collect();
            let more = match wide.len().saturating_sub(3) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let mut finding = Finding::new(
                RULE.code,
                Level::Warning,
                Label::new(name.span),
                format!(
                    "the name `{}` also takes {}{more}, which it does not spell",
                    name.value,
                    named.join(", ")
                ),
            )
            .help(
                if pattern.operators().iter().any(|operator| !operator.dot) {
                    "if that is not meant, write an entry for each image".to_owned()
                } else {
                    format!(
                        "to take only `{plain}`, write `{}`",
                        Pattern::escape(&plain)
                    )
                },
            );
            finding.related = wide.into_values().take(3).collect();
            findings.push(finding);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{findings, pod};
    use super::*;

    #[test]
    fn a_dot_that_takes_more_than_itself_is_told_with_what_it_took() {
        let images = ["registry.example.org/app:1", "registry-example-org/app:1"];
        let table = "- {name: registry.example.org/app, newTag: '2'}\n";
        let found = findings(RULE.code, table, &pod(&images));
        assert_eq!(found.len(), 1);
        assert!(
            found[0].message.contains("`registry-example-org/app:1`"),
            "{found:?}"
        );
        assert!(
            !found[0].message.contains("`registry.example.org/app:1`"),
            "{found:?}"
        );
        assert!(
            found[0]
                .help
                .as_deref()
                .is_some_and(|help| help.contains(r"example\.org/app`"))
        );
    }

    #[test]
    fn quiet_where_the_name_takes_only_itself_or_another_rule_speaks() {
        let images = pod(&["registry.example.org/app:1@sha256:ab", "nginx"]);
        for name in ["registry.example.org/app", "*", "nginx|redis", "a(b"] {
            let table = format!("- {{name: '{name}', newTag: '2'}}\n");
            let table = if name == "a(b" {
                "[]".to_owned()
            } else {
                table
            };
            assert!(findings(RULE.code, &table, &images).is_empty(), "{name}");
        }
    }
}
