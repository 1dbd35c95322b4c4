//! `application-prefix`: names of applications run together.

use std::collections::BTreeMap;

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Level};
use crate::model::application::{Definition, is_definition};

pub(crate) const RULE: Rule = Rule {
    code: "application-prefix",
    ids: &[],
    level: Level::Warning,
    summary: "the releases of two kinds of applications can have one name",
    explain: "\
An application's release is called after the prefix of its definition and its own name. Where one prefix
is the beginning of another, or empty, applications of two kinds can come to one release: `kubernetes-`
with `nodes-blue` and `kubernetes-nodes-` with `blue`. Nothing reserves such names; the second
application is refused with `already exists`.

Fix: a prefix that is no other's beginning. In the platform's own definitions it is known.

Quiet: prefixes that merely share a beginning.

Source: `spec/collisions.md`, B3; the definitions of the snapshot of 2026-08-21.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let definitions: Vec<(&Subject<'_>, Definition)> = context
        .everything()
        .filter(|subject| is_definition(&subject.id))
        .filter_map(|subject| Some((subject, Definition::read(subject.root()?))))
        .collect();
    let mut by_prefix: BTreeMap<&str, &Subject<'_>> = BTreeMap::new();
    for (subject, definition) in &definitions {
        by_prefix.entry(definition.prefix()).or_insert(subject);
    }
    for (subject, definition) in &definitions {
        let prefix = definition.prefix();
        let mut label = subject.label();
        if let Some(written) = &definition.prefix {
            label.span = written.span;
        }
        if prefix.is_empty() {
            let message = format!(
                "ApplicationDefinition `{}` has no prefix: its releases are called like the \
                 applications, and can be those of any other kind",
                subject.id.name
            );
            findings.push(Finding::new(RULE.code, RULE.level, label, message));
            continue;
        }
        let beginnings = (1..=prefix.len()).filter_map(|end| prefix.get(..end));
        let other = beginnings
            .filter_map(|beginning| by_prefix.get_key_value(beginning))
            .find(|(_, other)| other.id.name != subject.id.name);
        if let Some((beginning, other)) = other {
            let message = format!(
                "prefix `{prefix}` of ApplicationDefinition `{}` begins with `{beginning}`, the \
                 prefix of `{}`: applications of the two can come to one release",
                subject.id.name, other.id.name
            );
            let related = other.label().message("the other definition");
            findings.push(Finding::new(RULE.code, RULE.level, label, message).related(related));
        }
    }
}
