//! `wait-for-suspended-release`: a Kustomization waits for a HelmRelease that stands still.

use std::collections::BTreeMap;

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Level};
use crate::model::{field, kinds};
use crate::resolve::builds::DocPlace;
use crate::yaml::Node;

pub(crate) const RULE: Rule = Rule {
    code: "wait-for-suspended-release",
    ids: &["HZ21"],
    level: Level::Warning,
    summary: "a Kustomization waits for a HelmRelease that stands still",
    explain: "\
With `wait: true`, or a health check that names it, a Kustomization waits until a HelmRelease is ready.
One that is suspended is not reconciled and reports nothing for its new generation, so the wait times
out, and everything that depends on the Kustomization waits with it.

Example: `spec: {wait: true}`, and a HelmRelease with `suspend: true` under the path.

Fix: resume the release, or take it out of the wait: `healthChecks` that name what counts.

Quiet: a Kustomization that is suspended itself; objects that a patch may change; a release that a
`--snapshot` shows ready at its present generation.

Source: `spec/hazards.md` HZ21; kustomize-controller#1100, kustomize-controller#709.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let mut kustomizations = context.kustomizations().peekable();
    if kustomizations.peek().is_none() {
        return;
    }
    let objects: BTreeMap<DocPlace, &Subject<'_>> = context
        .objects
        .iter()
        .map(|subject| (subject.place, subject))
        .collect();
    for owner in kustomizations {
        let Some(root) = owner.root() else { continue };
        if field::is_true(root, &["spec", "suspend"]) || owner.facts.patched {
            continue;
        }
        let waits = field::is_true(root, &["spec", "wait"]);
        if let Some(node) = root.at(&["spec", "wait"]).filter(|_| waits) {
            let applied = context
                .builds
                .applied
                .iter()
                .find(|it| it.place == owner.place);
            for built in applied.into_iter().flat_map(|applied| &applied.built) {
                if let Some(release) = objects.get(&built.place).filter(|_| !built.patched) {
                    findings.extend(told(context, owner, node, release));
                }
            }
        }
        // With `wait` the list of checks is ignored.
        for check in field::list(root, &["spec", "healthChecks"]) {
            if waits || field::string(check, &["kind"]) != Some("HelmRelease") {
                continue;
            }
            let name = field::string(check, &["name"]);
            let namespace = field::string(check, &["namespace"]);
            let named = |release: &&Subject<'_>| {
                Some(release.id.name.as_str()) == name
                    && namespace.is_none_or(|namespace| release.namespaces().contains(&namespace))
                    && !release.facts.patched
            };
            if let Some(release) = context.releases().find(named) {
                findings.extend(told(context, owner, check, release));
            }
        }
    }
}

fn told(
    context: &Context<'_>,
    owner: &Subject<'_>,
    node: Node<'_>,
    release: &Subject<'_>,
) -> Option<Finding> {
    let root = release.root().filter(|_| kinds::is_release(&release.id))?;
    let suspension = root.at(&["spec", "suspend"])?;
    if !field::is_true(root, &["spec", "suspend"]) || is_ready(context, release) {
        return None;
    }
    let message = format!("{} waits for the suspended {}", owner.id, release.id);
    Some(
        Finding::new(RULE.code, Level::Warning, owner.at(node), message)
            .help("resume it, or take it out of the wait")
            .related(release.at(suspension).message("suspended here")),
    )
}

/// Whether the cluster holds the release, and reports it ready as it stands there.
fn is_ready(context: &Context<'_>, release: &Subject<'_>) -> bool {
    let held = |namespace: &&str| {
        let place = ((*namespace).to_owned(), release.id.name.clone());
        let objects = context.cluster.as_ref().map(|cluster| &cluster.objects);
        let held = objects.and_then(|objects| objects.get(&place));
        held.is_some_and(|held| held.ready)
    };
    release.namespaces().iter().any(held)
}
