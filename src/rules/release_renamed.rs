//! `release-renamed`: a new HelmRelease takes over the release of one that goes.

use super::{Context, Rule};
use crate::finding::{Finding, Level};
use crate::resolve::claims::Claim;

pub(crate) const RULE: Rule = Rule {
    code: "release-renamed",
    ids: &["RN012", "HZ13"],
    level: Level::Error,
    summary: "a renamed HelmRelease has its release uninstalled under it",
    explain: "\
Where an object is renamed or moved while explicit fields keep its key, the new object adopts the
release with an upgrade. Then the old object is pruned, and its finalizer uninstalls the release that
the new one has just adopted; the new one installs it again. Data is lost on the way, in either order.

Fix: suspend the old object in a commit of its own first: deleting a suspended HelmRelease leaves its
release alone. Or keep the name.

Quiet: a warning where the old object was suspended, or the new one is; nothing where the key changes
too, for then the old release goes and a new one comes, as written.

Source: helm-controller v1.5.0 `internal/controller`, `reconcileDelete`.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let Some(before) = &context.before else {
        return;
    };
    let stays = context.claims.by_object();
    let was = before.by_object();
    let goes = before.by_key();
    let gone = |claim: &&&Claim<'_>| {
        let id = &claim.release.id;
        !stays.contains_key(&(id.namespace.as_str(), id.name.as_str()))
    };
    for (claim, key) in context.claims.decided() {
        let id = &claim.release.id;
        if was.contains_key(&(id.namespace.as_str(), id.name.as_str())) {
            continue;
        }
        for old in goes.get(&key).into_iter().flatten().filter(gone) {
            let suspended = old.release.suspended || claim.release.suspended;
            let then = if old.release.suspended {
                "the old one was suspended, so its deletion leaves the release alone"
            } else if suspended {
                "the new one is suspended, and pruning the old one uninstalls the release"
            } else {
                "pruning the old one uninstalls the release that the new one has adopted"
            };
            let message = format!(
                "HelmRelease `{}` was renamed to `{}` while both store as `{key}`: {then}",
                old.shown(),
                claim.shown()
            );
            let level = if suspended {
                Level::Warning
            } else {
                RULE.level
            };
            let mut finding = Finding::new(RULE.code, level, claim.label(), message)
                .related(old.label().message("as it was"))
                .help(if old.release.suspended {
                    "see that the suspension has reached the cluster before this change does"
                } else {
                    "suspend the old object in a commit of its own first, or keep the name"
                });
            finding.ids = RULE.ids.to_vec();
            findings.push(finding);
        }
    }
}
