//! `chart-name-changed`: a change of the chart's name reinstalls a release.

use super::{Context, Rule};
use crate::finding::{Finding, Level};

pub(crate) const RULE: Rule = Rule {
    code: "chart-name-changed",
    ids: &["RN013", "HZ13"],
    level: Level::Error,
    summary: "a chart of another name uninstalls a release first",
    explain: "\
helm-controller compares the name in `Chart.yaml` with that of the last release. Where it differs it
uninstalls the release, with the definitions in its templates and all their objects, and installs the
other chart. The name can be told from `spec.chart` of a HelmRepository alone: a path or an artifact has
it inside.

Fix: a HelmRelease of its own for the other chart, so that the two can stand side by side; from
helm-controller 1.6 `upgrade.chartNameChangeStrategy: InPlaceUpdate`.

Quiet: another version or source of the chart, `chart` turned into `chartRef`, and `InPlaceUpdate`.

Source: helm-controller v1.5.0 `internal/action/reset.go`; fluxcd/helm-controller#864, #870, #1095.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let Some(before) = &context.before else {
        return;
    };
    for (old, claim) in context.claims.pairs(before) {
        let release = &claim.release;
        // Where the key changes too, the release is another one anyway.
        if old.key() != claim.key() {
            continue;
        }
        let (Some(was), Some(is)) = (&old.release.chart, &release.chart) else {
            continue;
        };
        let names = (was.chart_name(), is.chart_name());
        let (Some(from), Some(to)) = names else {
            continue;
        };
        if from == to || release.in_place {
            continue;
        }
        let mut label = claim.label();
        label.span = is.chart.span;
        let mut earlier = old.label().message("as it was");
        earlier.span = was.chart.span;
        let message = format!(
            "the chart of HelmRelease `{}` changes from `{from}` to `{to}`: helm-controller \
             uninstalls the release, then installs the other chart",
            claim.shown()
        );
        let mut finding = Finding::new(RULE.code, RULE.level, label, message)
            .related(earlier)
            .help("give the other chart a HelmRelease of its own");
        finding.ids = RULE.ids.to_vec();
        findings.push(finding);
    }
}
