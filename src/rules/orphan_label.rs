//! `orphan-label`: a label makes a Package delete a HelmRelease.

use super::{Context, Rule};
use crate::finding::{Finding, Level};
use crate::resolve::packages::Estate;
use std::collections::BTreeSet;

pub(crate) const RULE: Rule = Rule {
    code: "orphan-label",
    ids: &[],
    level: Level::Error,
    summary: "a HelmRelease carries the label of a Package that does not claim it",
    explain: "\
After each reconcile that succeeds, the operator deletes every HelmRelease, in any namespace and under
any name, that carries `cozystack.io/package` with the Package's name and that the Package does not
want. Only the label counts, not the owner reference. A HelmRelease copied from a cluster, label
included, is uninstalled that way; so is a pre-rendered one whose component the Package switches off.

Example:
  metadata:
    name: mine
    namespace: apps
    labels: {cozystack.io/package: cozystack.cert-manager}

Fix: take the label off what is written by hand.

Quiet: HelmReleases that the Package claims, and Packages that are not among the inputs or whose source
or variant is missing: those never get as far.

Source: the operator of the snapshot of 2026-08-21, `cleanupOrphanedHelmReleases`.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let wanted: BTreeSet<(&str, &str, &str)> = context
        .made
        .rendered
        .claims
        .iter()
        .map(|claim| {
            let (package, id) = (&claim.package.name, &claim.id);
            (package.as_str(), id.namespace.as_str(), id.name.as_str())
        })
        .collect();
    for claim in &context.claims.releases {
        let Some(label) = &claim.release.package else {
            continue;
        };
        let (name, id) = (label.value.as_str(), &claim.release.id);
        if !is_reconciled(context.made.estate, name)
            || wanted.contains(&(name, &id.namespace, &id.name))
        {
            continue;
        }
        let mut place = claim.label();
        place.span = label.span;
        let message = format!(
            "HelmRelease `{}` carries the label of `Package/{name}`, which does not claim it: the \
             operator deletes it as an orphan at that Package's next successful reconcile",
            claim.shown()
        );
        let mut finding = Finding::new(RULE.code, RULE.level, place, message)
            .help("take the label `cozystack.io/package` off");
        if let Some(package) = context.made.estate.packages.get(name) {
            let label = crate::finding::Label::new(package.span).object(&package.id);
            finding = finding.related(label.message("the Package"));
        }
        findings.push(finding);
    }
}

/// Whether a Package of that name has a source and a variant.
fn is_reconciled(estate: &Estate, name: &str) -> bool {
    let variant = estate.packages.get(name).and_then(|package| {
        let source = estate.sources.get(name)?;
        source.variant(package.variant_name())
    });
    variant.is_some()
}
