//! `schema-type`: a value has a type that its field does not take.

use super::{Context, Rule};
use crate::finding::{Finding, Level};
use crate::resolve::schema::Fault;

pub(crate) const RULE: Rule = Rule {
    code: "schema-type",
    ids: &[],
    level: Level::Error,
    summary: "a value has a type that its field does not take",
    explain: "\
YAML decides what an unquoted value is: `1.20` is a number and `yes` a truth value, whatever the field
wants. The API server converts nothing.

    spec:
      releaseName: 2048     # a number; the field takes a string

Fix: quote it, or write the type that the field takes.

Quiet: texts with `${...}`, which Flux substitutes after a build;
values under `x-kubernetes-preserve-unknown-fields` without a type, such as a HelmRelease's
`values`; whole numbers written with a fraction of zero; kinds without a definition at hand.

Source: kube-openapi `pkg/validation/validate/type.go`, Kubernetes 1.35.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for violation in context.failing(Fault::Type) {
        findings.push(violation.finding(RULE.code, Level::Error, "the API server refuses"));
    }
}
