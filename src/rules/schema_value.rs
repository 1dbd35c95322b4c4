//! `schema-value`: a value is not one that its field takes.

use super::{Context, Rule};
use crate::finding::{Finding, Level};
use crate::resolve::schema::Fault;

pub(crate) const RULE: Rule = Rule {
    code: "schema-value",
    ids: &[],
    level: Level::Error,
    summary: "a value is not one that its field takes",
    explain: "\
The type is right and the value is not: it is none of an enumeration, does not match the pattern, is
too long or too short, out of bounds, not of the format, or repeats an element of a list whose
elements are told apart.

    spec:
      interval: 1d      # the pattern knows ms, s, m and h

Fix: write a value that the definition takes; the message says which.

Quiet: texts with `${...}`, which Flux substitutes after a build;
CEL rules (`x-kubernetes-validations`), which are not evaluated; formats that forebay does not
know; kinds without a definition at hand.

Source: kube-openapi `pkg/validation/validate`; apiextensions-apiserver `pkg/apiserver/schema/listtype`,
Kubernetes 1.35. Patterns are read as Go reads them.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for violation in context.failing(Fault::Value) {
        findings.push(violation.finding(RULE.code, Level::Error, "the API server refuses"));
    }
}
