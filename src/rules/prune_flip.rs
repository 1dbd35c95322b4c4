//! `prune-flip`: a change makes a Kustomization delete what it applied.

use std::cell::LazyCell;
use std::collections::BTreeSet;

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Level};
use crate::model::{field, kinds};
use crate::resolve::builds::{Applied, key};
use crate::yaml::Node;

pub(crate) const RULE: Rule = Rule {
    code: "prune-flip",
    ids: &["HZ43"],
    level: Level::Warning,
    summary: "a change makes a Kustomization delete what it applied",
    explain: "\
`prune` that is turned on deletes everything that the inventory still lists and Git no longer holds. A
path that moves leaves the old objects out, and they are pruned. A Kustomization that is removed deletes
what it applied, HelmReleases included, unless `deletionPolicy: Orphan` says otherwise.

Example: `check new --against old`, where the new one says

    spec: {prune: true, path: ./apps/new}      # path was ./apps/old

Fix: `prune: false` while the path moves, `deletionPolicy: Orphan` in a commit before the removal, or
`kustomize.toolkit.fluxcd.io/prune: disabled` on the objects.

Quiet: objects that a Kustomization applies after the change too, or that are kept from pruning; a
Kustomization that does not prune, that is kept from pruning itself, or that a patch may change; a path
that is not read.

Source: `spec/hazards.md` HZ43; kustomize-controller v1.8.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    if context.old.is_none() {
        return;
    }
    let still = LazyCell::new(|| {
        let built = context.builds.applied.iter().flat_map(|it| &it.built);
        built.map(|built| key(&built.id)).collect()
    });
    let is_own = |it: &Subject<'_>| kinds::is_flux_kustomization(&it.id) && !it.facts.patched;
    for (old, new) in context.changed().into_iter().filter(|(_, new)| is_own(new)) {
        if let (Some(before), Some(after)) = (old.root(), new.root()) {
            let gone = || gone(context, old, &still);
            findings.extend(changed(new, before, after, gone));
        }
    }
    for old in context.removed().into_iter().filter(|old| is_own(old)) {
        let Some(root) = old.root() else { continue };
        let deletes = match field::string(root, &["spec", "deletionPolicy"]) {
            None | Some("MirrorPrune") => prunes(root),
            Some("Orphan") => false,
            Some(_) => true,
        };
        if !deletes || field::kept_from_pruning(root) || context.keeps(old) {
            continue;
        }
        let gone = gone(context, old, &still);
        if gone > 0 {
            let message = format!("{}: removed: {} would go", old.id, count(gone));
            findings.push(
                Finding::new(RULE.code, Level::Warning, old.label(), message)
                    .help("`deletionPolicy: Orphan` in a commit before"),
            );
        }
    }
}

fn prunes(root: Node<'_>) -> bool {
    field::is_true(root, &["spec", "prune"])
}

/// What is to say of a Kustomization that stays; `gone` counts what it leaves behind.
fn changed(
    new: &Subject<'_>,
    before: Node<'_>,
    after: Node<'_>,
    gone: impl Fn() -> usize,
) -> Option<Finding> {
    if !prunes(after) {
        return None;
    }
    if !prunes(before) {
        let message = format!(
            "{}: prune turned on: what its inventory lists and Git no longer holds would go",
            new.id
        );
        let label = new.at(after.at(&["spec", "prune"])?);
        let finding = Finding::new(RULE.code, Level::Warning, label, message);
        return Some(finding.help("look at the inventory first"));
    }
    let path = |root| {
        let path = field::string(root, &["spec", "path"]).unwrap_or_default();
        path.trim_start_matches("./").trim_end_matches('/')
    };
    let gone = (path(before) != path(after))
        .then(gone)
        .filter(|gone| *gone > 0)?;
    let message = format!("{}: path moved: {} would go", new.id, count(gone));
    let place = after.at(&["spec", "path"]);
    let place = place.map_or_else(|| new.label(), |node| new.at(node));
    let finding = Finding::new(RULE.code, Level::Warning, place, message);
    Some(finding.help("`prune: false` for the move"))
}

fn count(objects: usize) -> String {
    match objects {
        1 => "1 object".to_owned(),
        more => format!("{more} objects"),
    }
}

/// How many objects an old Kustomization applied that nothing applies after the change.
fn gone(
    context: &Context<'_>,
    old: &Subject<'_>,
    still: &BTreeSet<(String, String, String, String)>,
) -> usize {
    let of = |applied: &&Applied| applied.place == old.place;
    let Some(applied) = context.old_builds.applied.iter().find(of) else {
        return 0;
    };
    let kept: BTreeSet<_> = context
        .old
        .iter()
        .flatten()
        .filter(|it| it.root().is_some_and(field::kept_from_pruning))
        .map(|it| it.place)
        .collect();
    let built = applied.built.iter();
    built
        .filter(|it| !still.contains(&key(&it.id)) && !kept.contains(&it.place))
        .count()
}
