//! `schema-unknown-field`: a field is not in the schema.

use super::{Context, Rule};
use crate::finding::{Finding, Level};
use crate::resolve::schema::Fault;

pub(crate) const RULE: Rule = Rule {
    code: "schema-unknown-field",
    ids: &["HZ10"],
    level: Level::Error,
    summary: "a field is not in the schema",
    explain: "\
A field that the definition does not know is refused by a server-side apply (`field not declared in
schema`) and by `kubectl apply`, which asks for strict validation. Everything else drops it without a
word. Mostly it is a slip, or a field that stands one level too high or too low.

    spec:
      intervall: 5m     # did you mean `interval`?

Fix: correct the name, or move the field to where the schema has it.

A warning where the release that renders the object applies client-side throughout: Helm then only
warns as well.

Quiet: under `x-kubernetes-preserve-unknown-fields`; `status`, which an apply does not write; kinds
without a definition at hand. PackageSources and Packages have a rule of their own.

Source: apiextensions-apiserver `pkg/apiserver/schema/pruning/algorithm.go`; hazard HZ10.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for violation in context.failing(Fault::Unknown) {
        let (level, follows) = if violation.client_side {
            (Level::Warning, "a client-side apply drops it from")
        } else {
            (
                Level::Error,
                "strict validation and server-side apply refuse",
            )
        };
        findings.push(violation.finding(RULE.code, level, follows).id("HZ10"));
    }
}
