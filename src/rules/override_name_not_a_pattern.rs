//! `override-name-not-a-pattern`: a name is no regular expression to Go.

use super::{Context, Rule};
use crate::finding::{Finding, Label, Level};
use crate::model::pattern::Pattern;

pub(crate) const RULE: Rule = Rule {
    code: "override-name-not-a-pattern",
    ids: &[],
    level: Level::Error,
    summary: "a name is no regular expression to Go",
    explain: "\
The name is a regular expression in Go's syntax. kustomize does not look whether it compiles: at the
first image it stops with a nil pointer, and Flux with it.

Example: `registry.io/g++` ends in a repetition of a repetition.

Fix: escape what is meant as text: `registry\\.io/g\\+\\+`.

Quiet: names that compile.

Source: kustomize 5.7.1 `internal/image/image.go`; Go `regexp/syntax`.
",
    check: check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for table in context.tables.distinct() {
        for name in table.entries.iter().filter_map(|entry| entry.name.as_ref()) {
            let Err(error) = Pattern::compile(&name.value) else { continue };
            findings.push(
                Finding::new(
                    RULE.code,
                    context.value_level(),
                    Label::new(name.span),
                    format!("the name `{}` is no regular expression to Go: {error}", name.value),
                )
                .help(format!("if it is meant as text, write `{}`", Pattern::escape(&name.value))),
            );
        }
    }
}
