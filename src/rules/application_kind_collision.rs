//! `application-kind-collision`: two definitions of one kind of applications.

use std::collections::BTreeMap;

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Level};
use crate::model::Spanned;
use crate::model::application::{Definition, is_definition};

pub(crate) const RULE: Rule = Rule {
    code: "application-kind-collision",
    ids: &[],
    level: Level::Error,
    summary: "two ApplicationDefinitions define one kind or one plural",
    explain: "\
ApplicationDefinitions are cluster-scoped and joined by kind. With one kind in two of them, every event
on either, a restart of the controller included, rewrites chart, values and labels of all releases of
the kind: applications that exist change their chart. The API serves the kind under both plurals, and
both list the same releases. With one plural for two kinds the API keeps the last one; the other kind
cannot be reached.

Fix: another kind and plural for one of them, or one definition.

Quiet: one definition that two variants of a Package ship, of which one is active; two documents of one
name are `duplicate-object`.

Source: cozystack-api and the application controller of the snapshot of 2026-08-21.
",
    check,
};

/// How a definition says its kind, or its plural.
type Field = fn(&Definition) -> Option<&Spanned<String>>;

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let definitions: Vec<(&Subject<'_>, Definition)> = context
        .everything()
        .filter(|subject| is_definition(&subject.id))
        .filter_map(|subject| Some((subject, Definition::read(subject.root()?))))
        .collect();
    let kind: Field = |definition| definition.kind.as_ref();
    let plural: Field = |definition| definition.plural.as_ref();
    let mut told: Vec<(&str, &str)> = Vec::new();
    for (what, field, then) in [
        (
            "kind",
            kind,
            "all applications of the kind change charts with every event on either",
        ),
        (
            "plural",
            plural,
            "the API keeps the last of them, and the other kind cannot be reached",
        ),
    ] {
        let mut seen: BTreeMap<&str, (&Subject<'_>, &Spanned<String>)> = BTreeMap::new();
        for (subject, definition) in &definitions {
            let Some(value) = field(definition) else {
                continue;
            };
            let (first, place) = *seen.entry(&value.value).or_insert((*subject, value));
            let pair = (first.id.name.as_str(), subject.id.name.as_str());
            if pair.0 == pair.1 || told.contains(&pair) {
                continue;
            }
            told.push(pair);
            let mut label = subject.label();
            label.span = value.span;
            let mut other = first.label().message("the other definition");
            other.span = place.span;
            let message = format!(
                "ApplicationDefinitions `{}` and `{}` both have the {what} `{}`: {then}",
                pair.0, pair.1, value.value
            );
            findings.push(
                Finding::new(RULE.code, RULE.level, label, message)
                    .related(other)
                    .help(format!("give one of them another {what}")),
            );
        }
    }
}
