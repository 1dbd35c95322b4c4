//! `parent-waits-for-child`: a release waits for one that waits for it.

use std::collections::{BTreeMap, BTreeSet};

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Label, Level};
use crate::model::release::HelmRelease;
use crate::model::{field, kinds};
use crate::resolve::releases::AnyRelease;
use crate::yaml::Node;

pub(crate) const RULE: Rule = Rule {
    code: "parent-waits-for-child",
    ids: &["HZ20"],
    level: Level::Error,
    summary: "a release waits for one that waits for it",
    explain: "\
Since helm-controller 1.5 a release is ready when everything it applies is, HelmReleases among it. A
child that its chart renders and that depends on the parent, or on something that waits for the parent,
never becomes ready, and so the parent never does.

Example:

    # rendered by HelmRelease ns/parent
    kind: HelmRelease
    metadata: {name: child, namespace: ns}
    spec: {dependsOn: [{name: parent}]}

Fix: drop the edge, or set `disableWait: true` on the parent's `install` and `upgrade`.

Quiet: `disableWait` on both actions; the strategy `legacy`, which does not look at HelmReleases;
objects that no chart renders. HelmReleases that Packages make count as the others do.

Source: `spec/hazards.md` HZ20; cozystack#2602.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let mut edges: BTreeMap<(String, String), Vec<(String, String)>> = BTreeMap::new();
    for subject in context
        .everything()
        .filter(|subject| kinds::is_release(&subject.id))
    {
        if let Some(root) = subject.root() {
            let release = HelmRelease::read(root);
            let name = (release.id.namespace, release.id.name);
            edges.entry(name).or_default().extend(release.depends_on);
        }
    }
    for release in context.made.releases.iter().filter_map(AnyRelease::made) {
        let name = (release.namespace.clone(), release.name.clone());
        let own = edges.entry(name).or_default();
        own.extend(release.depends_on.iter().cloned());
    }
    for child in context
        .charted()
        .filter(|subject| kinds::is_release(&subject.id))
    {
        let (Some(parent), Some(root)) = (&child.rendered_by, child.root()) else {
            continue;
        };
        let release = context.release_of(child);
        let made = context.made_release_of(child);
        let legacy = made.is_some_and(|made| made.wait_strategy.as_deref() == Some("legacy"));
        if legacy || !release.and_then(Subject::root).is_none_or(waits) {
            continue;
        }
        let own = HelmRelease::read(root);
        if !reaches(&edges, own.depends_on.clone(), parent) {
            continue;
        }
        let (namespace, name) = parent;
        let message = format!(
            "{} is rendered by {namespace}/{name}, which waits for it, and depends on \
             {namespace}/{name}",
            child.id
        );
        let place = root
            .at(&["spec", "dependsOn"])
            .map_or_else(|| child.label(), |it| child.at(it));
        let finding = Finding::new(RULE.code, Level::Error, place, message)
            .help("drop the edge, or set `disableWait: true` on the parent");
        let place = release
            .map(Subject::label)
            .or_else(|| Some(Label::new(made?.span).object(&made?.id())));
        findings.push(match place {
            Some(place) => finding.related(place.message("the parent")),
            None => finding,
        });
    }
}

/// Whether a release waits for HelmReleases among what it applies.
fn waits(root: Node<'_>) -> bool {
    let off = |action| field::is_true(root, &["spec", action, "disableWait"]);
    let legacy = field::string(root, &["spec", "waitStrategy", "name"]) == Some("legacy");
    !(legacy || off("install") && off("upgrade"))
}

fn reaches(
    edges: &BTreeMap<(String, String), Vec<(String, String)>>,
    from: Vec<(String, String)>,
    to: &(String, String),
) -> bool {
    let mut waiting = from;
    let mut seen = BTreeSet::new();
    while let Some(name) = waiting.pop() {
        if name == *to {
            return true;
        }
        if seen.insert(name.clone()) {
            waiting.extend(edges.get(&name).cloned().unwrap_or_default());
        }
    }
    false
}
