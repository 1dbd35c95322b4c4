//! `override-name-not-a-pattern`: a name is no regular expression to Go.

use super::{Context, Rule};
use crate::finding::{Finding, Label, Level};
use std::ops::Range;

use crate::model::Spanned;
use crate::model::pattern::Pattern;
use crate::source::Span;
use crate::yaml::split::offset;

pub(crate) const RULE: Rule = Rule {
    code: "override-name-not-a-pattern",
    ids: &["InvalidImageOverrides"],
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
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for table in context.tables.distinct() {
        for entry in &table.entries {
            let (Some(name), Err(error)) = (&entry.name, entry.pattern()) else {
                continue;
            };
            findings.push(
                Finding::new(
                    RULE.code,
                    context.value_level(),
                    Label::new(place(name, error.range())),
                    format!(
                        "the name `{}` is no regular expression to Go: {error}",
                        name.value
                    ),
                )
                .help(format!(
                    "if it is meant as text, write `{}`",
                    Pattern::escape(&name.value)
                )),
            );
        }
    }
}

/// The part of the name that Go blames, where it stands in the text byte for byte: a name that is
/// quoted begins one byte behind its place.
fn place(name: &Spanned<String>, part: Option<Range<usize>>) -> Span {
    let width = name.span.range().len();
    let lead = match width.checked_sub(name.value.len()) {
        Some(0) => 0,
        Some(2) => 1,
        _ => return name.span,
    };
    let Some(part) = part.filter(|part| part.end <= name.value.len()) else {
        return name.span;
    };
    Span {
        start: name.span.start + offset(lead + part.start),
        end: name.span.start + offset(lead + part.end),
        ..name.span
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{findings, messages, pod};
    use super::*;

    #[test]
    fn what_go_refuses_is_told_with_the_escaped_form() {
        let table = "- {name: r.io/c++, newTag: '1'}\n- {name: 'r.io/a(', newTag: '1'}\n";
        assert_eq!(messages(RULE.code, table, "{}").len(), 2);
        let found = findings(RULE.code, table, "{}");
        assert!(
            found[0]
                .help
                .as_deref()
                .is_some_and(|help| help.contains(r"r\.io/c\+\+"))
        );
        assert!(messages(RULE.code, "- {name: r.io/a, newTag: '1'}\n", &pod(&["a"])).is_empty());
    }
}
