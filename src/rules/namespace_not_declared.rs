//! `namespace-not-declared`: a release goes to a namespace that nothing makes.

use super::{Context, Rule};
use crate::finding::{Finding, Level};
use crate::model::release::LOCAL;
use std::collections::BTreeSet;

pub(crate) const RULE: Rule = Rule {
    code: "namespace-not-declared",
    ids: &["RN014"],
    level: Level::Warning,
    summary: "a release goes to a namespace that nothing declares",
    explain: "\
Helm writes its records into the storage namespace and its objects into the release namespace; where
one is not there the install ends in failure. `install.createNamespace` makes the release namespace,
never the storage namespace.

Fix: declare the Namespace, or leave `storageNamespace` out.

Quiet: inputs that declare no Namespace at all, other clusters, the namespaces of every cluster
(`default`, `kube-system`, `kube-public`, `kube-node-lease`), the HelmRelease's own namespace, and a
release namespace that some `install.createNamespace` or a Package makes.

Source: helm-controller v1.5.0 `internal/action/install.go`.
",
    check,
};

/// What every cluster has.
const ALWAYS: [&str; 4] = ["default", "kube-system", "kube-public", "kube-node-lease"];

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let declared = &context.claims.namespaces;
    if declared.is_empty() {
        return;
    }
    let made: BTreeSet<&str> = context
        .claims
        .releases
        .iter()
        .map(|claim| &claim.release)
        .filter(|release| release.creates_namespace && release.cluster == LOCAL)
        .filter_map(|release| Some(release.target_namespace.as_ref()?.value.as_str()))
        .collect();
    for (claim, _) in context.claims.decided() {
        let release = &claim.release;
        if release.cluster != LOCAL {
            continue;
        }
        let fields = [
            ("storageNamespace", &release.storage_namespace),
            ("targetNamespace", &release.target_namespace),
        ];
        for (field, namespace) in fields {
            let Some(namespace) = namespace else {
                continue;
            };
            let name = namespace.value.as_str();
            if declared.contains(name)
                || context.claims.made_namespaces.contains(name)
                || made.contains(name)
                || ALWAYS.contains(&name)
                || name == release.id.namespace
            {
                continue;
            }
            let mut label = claim.label();
            label.span = namespace.span;
            let message = format!(
                "`{field}` of HelmRelease `{}` is `{name}`, and nothing among the inputs makes \
                 that namespace",
                claim.shown()
            );
            findings.push(
                Finding::new(RULE.code, RULE.level, label, message)
                    .help(format!("declare Namespace `{name}`"))
                    .id("RN014"),
            );
        }
    }
}
