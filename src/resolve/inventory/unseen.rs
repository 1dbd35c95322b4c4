//! Which releases were not looked into: what their charts make the cluster pull stands in no input.
//!
//! Source: `spec/bundle.md`, "The image list": what was not looked into is said.

use std::collections::BTreeSet;

use crate::finding::{Finding, Level, ObjectId};
use crate::load::{ChartContent, ChartSource, Loaded};
use crate::resolve::releases::AnyRelease;

/// The rule of releases that were not looked into.
pub(crate) const NOT_SEEN: &str = "chart-not-seen";

/// The releases, `namespace/name`, of whose charts neither what they render (`rendered`, and what was
/// given as such) nor the content is among the inputs, and a finding for each.
pub(crate) fn unseen(
    releases: &[AnyRelease<'_>],
    loaded: &Loaded,
    charts: &[(ChartSource, ChartContent)],
    rendered: &BTreeSet<(String, String)>,
) -> (BTreeSet<String>, Vec<Finding>) {
    let given: BTreeSet<(&str, &str)> = loaded
        .inputs
        .iter()
        .filter_map(|input| input.rendered_by.as_ref())
        .map(|release| (release.namespace.as_str(), release.name.as_str()))
        .collect();
    let (mut unseen, mut findings) = (BTreeSet::new(), Vec::new());
    for release in releases {
        let id: &ObjectId = &release.id;
        let known = given.contains(&(id.namespace.as_str(), id.name.as_str()))
            || rendered.contains(&(id.namespace.clone(), id.name.clone()))
            || source_of(release).is_some_and(|source| charts.iter().any(|(it, _)| *it == source))
            || in_tree(release, loaded);
        if known || !unseen.insert(format!("{}/{}", id.namespace, id.name)) {
            continue;
        }
        let message = format!(
            "the chart of {}/{} was not looked into: its images are not in the list",
            id.namespace, id.name
        );
        findings.push(
            Finding::new(NOT_SEEN, Level::Warning, release.label.clone(), message)
                .help("give its chart with `--charts`, or what it renders with `--rendered`"),
        );
    }
    (unseen, findings)
}

/// The source that a release takes its chart from.
fn source_of(release: &AnyRelease<'_>) -> Option<ChartSource> {
    let spec = &release.value()["spec"];
    let source = match &spec["chartRef"] {
        reference if reference.is_object() => reference,
        _ => &spec["chart"]["spec"]["sourceRef"],
    };
    let text = |key: &str| source[key].as_str().filter(|text| !text.is_empty());
    Some(ChartSource {
        kind: text("kind")?.to_owned(),
        namespace: text("namespace")
            .unwrap_or(&release.id.namespace)
            .to_owned(),
        name: text("name")?.to_owned(),
    })
}

/// Whether the chart is a directory of its repository that is among the inputs.
fn in_tree(release: &AnyRelease<'_>, loaded: &Loaded) -> bool {
    let spec = &release.value()["spec"]["chart"]["spec"];
    let Some(chart) = spec["chart"].as_str().filter(|_| {
        matches!(
            spec["sourceRef"]["kind"].as_str(),
            Some("GitRepository" | "Bucket")
        )
    }) else {
        return false;
    };
    let chart = chart.trim_start_matches("./").trim_end_matches('/');
    !chart.is_empty()
        && loaded
            .skipped
            .trees
            .iter()
            .any(|tree| tree.ends_with(chart))
}
