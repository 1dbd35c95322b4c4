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
The name is a regular expression: an unescaped dot is any character. `registry.io/app` also takes
`registry-io/app`. forebay looks at the images that are there and names those that an entry takes
although they are spelt otherwise.

Fix: escape the dots (`registry\\.io/app`), or the operators that are meant as text.

Quiet: as long as every image taken is spelt as the name is.

Source: kustomize 5.7.1 `internal/image/image.go`.
",
    check: check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for table in context.tables.distinct() {
        for entry in &table.entries {
            let Some(name) = &entry.name else { continue };
            let Ok(pattern) = Pattern::compile(&name.value) else { continue };
            if pattern.literal().is_some() {
                continue;
            }
            let plain = pattern.plain_text();
            let mut wide: BTreeMap<&str, Label> = BTreeMap::new();
            for visit in context.of(table).flat_map(Applied::visits) {
                for hit in visit.hits.iter().filter(|hit| hit.entry == entry.index) {
                    let rest = hit.before.strip_prefix(plain.as_str());
                    if rest.is_none_or(|rest| !rest.is_empty() && !rest.starts_with([':', '@'])) {
                        wide.entry(&hit.before).or_insert_with(|| Label::new(visit.span));
                    }
                }
            }
            if wide.is_empty() {
                continue;
            }
            let named: Vec<String> =
                wide.keys().take(3).map(|image| format!("`{image}`")).collect();
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
            .help(format!("to take only `{plain}`, write `{}`", Pattern::escape(&plain)));
            finding.related = wide.into_values().take(3).collect();
            findings.push(finding);
        }
    }
}
