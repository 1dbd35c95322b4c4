//! `schema-null`: a null stands where only a create takes one.

use super::{Context, Rule};
use crate::finding::{Finding, Level};
use crate::resolve::schema::Fault;

pub(crate) const RULE: Rule = Rule {
    code: "schema-null",
    ids: &["HZ10"],
    level: Level::Warning,
    summary: "a null stands where only a create takes one",
    explain: "\
In a custom resource a key without a value is dropped when the object is created, and refused when it
is applied server-side, as Flux applies: `must be of type string: \"null\"`.

    spec:
      timeout:      # nothing behind it

Fix: delete the key, or give it a value.

Quiet: fields that are `nullable`; places without a type; a release that applies client-side
throughout; Kubernetes' own kinds, where a null counts as absent.

Source: apiextensions-apiserver `pkg/apiserver/schema/defaulting`; structured-merge-diff v6 `typed`;
tried with the API server 1.36.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let follows = "a create drops the field, a server-side apply refuses";
    let nulls = context.failing(Fault::Null);
    for violation in nulls.filter(|it| !it.client_side) {
        findings.push(
            violation
                .finding(RULE.code, Level::Warning, follows)
                .id("HZ10"),
        );
    }
}
