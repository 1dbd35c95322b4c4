//! `override-matches-empty`: a name matches the empty text, and so nearly everything.

use super::{Context, Rule};
use crate::finding::{Finding, Label, Level};

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
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for table in context.tables.distinct() {
        for entry in &table.entries {
            let (Some(name), Ok(pattern)) = (&entry.name, entry.pattern()) else {
                continue;
            };
            if pattern.matches_empty() {
                findings.push(
                    Finding::new(
                        RULE.code,
                        Level::Warning,
                        Label::new(name.span),
                        format!(
                            "the name `{}` matches the empty text, and so every image",
                            name.value
                        ),
                    )
                    .help("write the repository that is meant; the name is a regular expression"),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{messages, pod};
    use super::*;

    #[test]
    fn a_name_that_takes_everything_is_told() {
        for (name, told) in [("*", 1), (".*", 1), ("nginx|", 1), ("nginx", 0), ("a|b", 0)] {
            let table = format!("- {{name: '{name}', newTag: '1'}}\n");
            assert_eq!(messages(RULE.code, &table, &pod(&[])).len(), told, "{name}");
        }
    }
}
