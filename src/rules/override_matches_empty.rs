//! `override-matches-empty`: a name matches the empty text, and so nearly everything.

use super::{Context, Rule};
use crate::finding::{Finding, Label, Level};
use crate::model::pattern::Pattern;

pub(crate) const RULE: Rule = Rule {
    code: "override-matches-empty",
    ids: &[],
    level: Level::Warning,
    summary: "a name matches the empty text, and so nearly everything",
    explain: "\
kustomize pastes the name between `^` and what may follow a repository. `*` alone becomes `^*`, which
matches the empty text anywhere, and so every image there is. `nginx|` does the same.

Fix: write the repository that is meant.

Quiet: names that match some text only.

Source: kustomize 5.7.1 `internal/image/image.go`; Go `regexp/syntax`.
",
    check: check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for table in context.tables.distinct() {
        for name in table.entries.iter().filter_map(|entry| entry.name.as_ref()) {
            let Ok(pattern) = Pattern::compile(&name.value) else { continue };
            if pattern.matches_empty() {
                findings.push(
                    Finding::new(
                        RULE.code,
                        Level::Warning,
                        Label::new(name.span),
                        format!("the name `{}` matches the empty text, and so every image", name.value),
                    )
                    .help("write the repository that is meant; the name is a regular expression"),
                );
            }
        }
    }
}
