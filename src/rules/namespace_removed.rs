//! `namespace-removed`: a Namespace leaves Git, and everything in it goes.

use std::collections::BTreeSet;

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Level, ObjectId};
use crate::model::field;
use crate::resolve::builds::{Applied, Builds, key};

pub(crate) const RULE: Rule = Rule {
    code: "namespace-removed",
    ids: &["HZ15"],
    level: Level::Error,
    summary: "a Namespace leaves Git, and everything in it goes",
    explain: "\
A pruning Kustomization deletes a Namespace that leaves it, with all that is inside, Git's or not.
HelmReleases in it lose their storage and accounts while the Namespace terminates, so the uninstall
fails half-way and cluster-scoped objects stay. A Namespace that moves from one Kustomization to another
may be deleted too: the old one prunes it after the new one applied it.

Example: `check new --against old`, where Namespace `tenant-a` stands in `old` only.

Fix: delete the HelmReleases first, in a commit of their own. For a move, annotate the Namespace with
`kustomize.toolkit.fluxcd.io/prune: disabled` first.

Quiet: that annotation on the old object; a Kustomization that does not prune, or that goes with
`deletionPolicy: Orphan`; the same Namespace elsewhere, under the same Kustomization.

Source: `spec/hazards.md` HZ15; flux2#4793, flux2#1462.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let is_namespace =
        |subject: &&Subject<'_>| subject.id.kind == "Namespace" && subject.id.group().is_empty();
    let old = context.old.iter().flatten();
    for old in old.filter(is_namespace) {
        let Some(root) = old.root() else { continue };
        if field::kept_from_pruning(root) || context.keeps(old) {
            continue;
        }
        let stands = context
            .objects
            .iter()
            .any(|subject| subject.key() == old.key());
        let message = if stands {
            let (before, after) = (
                owners(context.old_builds, &old.id),
                owners(context.builds, &old.id),
            );
            if before.is_empty() || after.is_empty() || !before.is_disjoint(&after) {
                continue;
            }
            format!(
                "{} moves to another Kustomization; the old one may prune it, with everything in it",
                old.id
            )
        } else {
            let inside = context
                .old_releases()
                .filter(|release| release.id.namespace == old.id.name);
            match inside.count() {
                0 => format!("{} leaves Git and is pruned with everything in it", old.id),
                1 => format!(
                    "{} leaves Git and is pruned with everything in it; 1 HelmRelease inside may \
                     lose its uninstall",
                    old.id
                ),
                more => format!(
                    "{} leaves Git and is pruned with everything in it; {more} HelmReleases inside \
                     may lose their uninstall",
                    old.id
                ),
            }
        };
        findings.push(
            Finding::new(RULE.code, Level::Error, old.label(), message)
                .help("delete the releases first; `kustomize.toolkit.fluxcd.io/prune: disabled`"),
        );
    }
}

/// The Kustomizations that apply an object.
fn owners(builds: &Builds, id: &ObjectId) -> BTreeSet<ObjectId> {
    let holds = |applied: &&Applied| applied.built.iter().any(|built| key(&built.id) == key(id));
    let owners = builds.applied.iter().filter(holds);
    owners.map(|applied| applied.id.clone()).collect()
}
