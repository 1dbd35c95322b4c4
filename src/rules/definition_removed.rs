//! `definition-removed`: a CRD goes, and with it every object of its kind.

use super::{Context, Rule};
use crate::finding::{Finding, Level};
use crate::model::{field, kinds};

pub(crate) const RULE: Rule = Rule {
    code: "definition-removed",
    ids: &["HZ16"],
    level: Level::Error,
    summary: "a CRD goes, and with it every object of its kind",
    explain: "\
A CRD that leaves what a release renders, because it moved to `crds/`, a switch was turned or the chart
was changed, is deleted by Helm's upgrade, and all custom resources with it. A pruning Kustomization does
the same. Applying the CRD again while it terminates answers 200 and saves nothing.

Example: `check new --against old`, where the chart's CRD stands in `old` only.

Fix: put `helm.sh/resource-policy: keep` on the live CRD one release earlier (an upgrade looks at the live
object), then move it. Under a Kustomization: `kustomize.toolkit.fluxcd.io/prune: disabled`.

Quiet: an old manifest with either; a CRD that stands elsewhere in the new state; a release that is not
rendered on the new side; a Kustomization that does not prune.

Source: `spec/hazards.md` HZ16, run against kube-apiserver 1.36; helm/helm#8163, helm/helm#7279,
kubernetes-sigs/lws#880.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for old in context.removed() {
        let Some(root) = old.root().filter(|_| kinds::is_definition(&old.id)) else {
            continue;
        };
        let kind = field::string(root, &["spec", "names", "kind"]).unwrap_or("custom resource");
        let message = if let Some((namespace, name)) = &old.rendered_by {
            let kept = field::annotation(root, "helm.sh/resource-policy") == Some("keep");
            let rendered = context
                .charted()
                .any(|new| new.rendered_by == old.rendered_by);
            if kept || !rendered {
                continue;
            }
            format!(
                "CRD {} leaves the templates of {namespace}/{name}: Helm deletes it, and every {kind} \
                 with it",
                old.id.name
            )
        } else {
            if field::kept_from_pruning(root) || context.keeps(old) {
                continue;
            }
            let name = &old.id.name;
            format!("CRD {name} leaves Git: it is pruned, and every {kind} with it")
        };
        let help = if old.rendered_by.is_some() {
            "put `helm.sh/resource-policy: keep` on the live CRD one release earlier"
        } else {
            "put `kustomize.toolkit.fluxcd.io/prune: disabled` on it in a commit before"
        };
        findings.push(Finding::new(RULE.code, Level::Error, old.label(), message).help(help));
    }
}
