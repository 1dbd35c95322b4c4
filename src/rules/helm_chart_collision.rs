//! `helm-chart-collision`: two HelmReleases make one HelmChart.

use super::{Context, Rule};
use crate::finding::{Finding, Level};
use crate::resolve::claims::spelled;

pub(crate) const RULE: Rule = Rule {
    code: "helm-chart-collision",
    ids: &["RN007", "HZ14"],
    level: Level::Error,
    summary: "two HelmReleases make one HelmChart object",
    explain: "\
With `spec.chart`, helm-controller applies a HelmChart called `NAMESPACE-NAME` in the namespace of the
chart's source. Namespace and name run together: `a-b` and `c`, `a` and `b-c` are both `a-b-c`. With
sources in one namespace the two share one HelmChart and swap its chart at every reconcile.

Fix: another name for one of them, or `chartRef`, which makes no HelmChart.

Quiet: sources in separate namespaces, `chartRef`, and builds that no Flux Kustomizations apply to one
cluster.

Source: helm-controller v1.5.0 `GetHelmChartName`.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let charts = context.claims.alike(|claim, _| {
        let release = &claim.release;
        let chart = release.chart.as_ref()?;
        let own = &release.id.namespace;
        Some((
            chart.namespace.clone().unwrap_or_else(|| own.clone()),
            format!("{own}-{}", release.id.name),
        ))
    });
    for ((namespace, name), claims) in charts {
        let (last, others) = claims.split_last().expect("a set is not empty");
        let shown: Vec<String> = claims.iter().map(|claim| claim.shown()).collect();
        let message = format!(
            "HelmReleases {} both make HelmChart `{namespace}/{name}`: each reconcile of one puts \
             its chart in the other's place",
            spelled(&shown)
        );
        let mut finding = Finding::new(RULE.code, RULE.level, last.label(), message)
            .help("rename one of them, or give it a `chartRef`, which makes no HelmChart");
        for other in others {
            finding = finding.related(other.label().message("the same HelmChart"));
        }
        finding.ids = RULE.ids.to_vec();
        findings.push(finding);
    }
}
