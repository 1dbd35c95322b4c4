//! Edges between HelmReleases that never resolve.
//!
//! Source: `spec/package-rendering.md`, section 4, "dependsOn".

use std::collections::BTreeSet;
use std::collections::btree_map::{BTreeMap, Entry};

use super::Estate;
use super::objects::{Release, release_id};
use super::readiness::Joined;
use super::reasons::{DANGLING_DEPENDS_ON, DEPENDS_ON_CYCLE, DEPENDS_ON_DISABLED};
use crate::finding::{Finding, Label, ObjectId};
use crate::resolve::cycles::{circles, round_trip};
use crate::source::Span;

/// A release by namespace and name.
type Place<'r> = (&'r str, &'r str);

/// Finds missing targets and circles.
pub(super) fn check(
    estate: &Estate,
    joined: &[Joined<'_>],
    releases: &[Release],
    findings: &mut Vec<Finding>,
) {
    let mut places: BTreeMap<Place<'_>, usize> = BTreeMap::new();
    let mut repeated: BTreeSet<Place<'_>> = BTreeSet::new();
    let mut nodes: Vec<(Place<'_>, Span, Vec<Place<'_>>)> = Vec::new();
    let mut made = 0;
    let mut add = |place, span, targets, of_package| match places.entry(place) {
        Entry::Occupied(_) => {
            repeated.insert(place);
        }
        Entry::Vacant(free) => {
            free.insert(nodes.len());
            nodes.push((place, span, targets));
            made += usize::from(of_package);
        }
    };
    for release in releases {
        let place = (release.namespace.as_str(), release.name.as_str());
        let targets = release
            .depends_on
            .iter()
            .map(|(of, name)| (of.as_str(), name.as_str()));
        add(place, release.span, targets.collect(), true);
    }
    for release in &estate.releases {
        let place = (release.id.namespace.as_str(), release.id.name.as_str());
        let targets = release
            .depends_on
            .iter()
            .map(|(of, name)| (of.as_str(), name.as_str()));
        add(place, release.span, targets.collect(), false);
    }
    let packages: BTreeMap<&str, &Joined<'_>> = joined
        .iter()
        .map(|one| (one.package.id.name.as_str(), one))
        .collect();
    for release in releases {
        let Some(one) = packages.get(release.package.as_str()) else {
            continue;
        };
        let mut said = BTreeSet::new();
        for (namespace, name) in &release.depends_on {
            let place = (namespace.as_str(), name.as_str());
            if !places.contains_key(&place) && said.insert(place) {
                findings.push(dangling(release, place, one));
            }
        }
    }
    let edges: Vec<Vec<usize>> = nodes
        .iter()
        .map(|(_, _, targets)| {
            targets
                .iter()
                .filter_map(|to| places.get(to).copied())
                .collect()
        })
        .collect();
    for group in circles(&edges) {
        // What two owners fight over is reported as that; its circles follow from it. A circle that
        // no Package has a part in is told by the rule on declared releases.
        let fought_over = group.iter().any(|at| repeated.contains(&nodes[*at].0));
        if !fought_over && group[0] < made {
            findings.push(circle(&nodes, &edges, &group));
        }
    }
}

fn dangling(release: &Release, place: Place<'_>, one: &Joined<'_>) -> Finding {
    let depends_on = one
        .enabled
        .iter()
        .find(|component| component.name.span == release.span)
        .and_then(|component| component.install.as_ref())
        .map_or(&[][..], |install| &install.depends_on);
    let named = depends_on.iter().find(|name| {
        one.installed
            .get(name.value.as_str())
            .is_some_and(|component| {
                (
                    component.namespace(),
                    component.release_name().value.as_str(),
                ) == place
            })
    });
    let waits = format!(
        "HelmRelease `{}/{}` waits for `{}/{}`, which nothing makes: it is written and never \
         installed",
        release.namespace, release.name, place.0, place.1
    );
    let package = one.label().message("installed here");
    if let Some(name) = named.filter(|name| one.package.disables(&name.value)) {
        let message = format!(
            "component `{}` depends on `{}`, which Package `{}` switches off: {waits}",
            release.component, name.value, release.package
        );
        let label = Label::new(name.span).object(&one.package.id);
        let off = one
            .package
            .component(&name.value)
            .and_then(|set| set.enabled.as_ref());
        let off = off.map_or(package, |off| {
            Label::new(off.span).message("switched off here")
        });
        return DEPENDS_ON_DISABLED.finding(label, message).related(off);
    }
    let span = named.map_or(release.span, |name| name.span);
    DANGLING_DEPENDS_ON
        .finding(Label::new(span).object(&one.package.id), waits)
        .related(package)
}

/// At most this many releases of a circle are spelled out.
const SPELLED: usize = 12;

fn circle(
    nodes: &[(Place<'_>, Span, Vec<Place<'_>>)],
    edges: &[Vec<usize>],
    group: &[usize],
) -> Finding {
    let name = |at: &usize| format!("`{}/{}`", nodes[*at].0.0, nodes[*at].0.1);
    let trip = round_trip(edges, group);
    let shown: Vec<String> = trip.iter().take(SPELLED).map(name).collect();
    let more = if trip.len() > SPELLED { " → …" } else { "" };
    let way = shown.join(" → ") + more;
    let message = if let [alone] = group {
        format!(
            "HelmRelease {} waits for itself and is never installed",
            name(alone)
        )
    } else {
        format!(
            "{} HelmReleases wait for each other for ever: {way}",
            group.len()
        )
    };
    let id = |at: usize| -> ObjectId { release_id(nodes[at].0.0, nodes[at].0.1) };
    let first = group[0];
    let mut finding =
        DEPENDS_ON_CYCLE.finding(Label::new(nodes[first].1).object(&id(first)), message);
    for &at in group[1..].iter().take(SPELLED) {
        finding = finding.related(
            Label::new(nodes[at].1)
                .message("and this one")
                .object(&id(at)),
        );
    }
    finding
}
