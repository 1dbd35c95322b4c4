//! `schema-field-missing`: a required field is not there.

use super::{Context, Rule};
use crate::finding::{Finding, Level};
use crate::resolve::schema::Fault;

pub(crate) const RULE: Rule = Rule {
    code: "schema-field-missing",
    ids: &[],
    level: Level::Error,
    summary: "a required field is not there",
    explain: "\
A definition lists the fields that an object must have. The API server refuses one without them,
after it has dropped nulls and set defaults: `interval:` with nothing behind it counts as absent.

    kind: HelmRelease
    spec:
      chartRef: {kind: OCIRepository, name: app}   # no interval

Fix: add the field. The finding stands at the key of the mapping that misses it.

Quiet: fields with a default; kinds without a definition among the inputs, in `--schemas` or in the
Flux set. From an OpenAPI document it is a warning only: Go code sets defaults that the document does
not tell.

Source: kube-openapi `pkg/validation/validate`, Kubernetes 1.35.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for violation in context.failing(Fault::Required) {
        findings.push(if violation.exact {
            violation.finding(RULE.code, Level::Error, "the API server refuses")
        } else {
            violation.finding(RULE.code, Level::Warning, "the API server may refuse")
        });
    }
}
