//! `recovery-of-another-release`: flux-plunger would delete another HelmRelease's record.

use super::{Context, Rule};
use crate::finding::{Finding, Level};
use crate::model::release::{LOCAL, ReleaseKey};

pub(crate) const RULE: Rule = Rule {
    code: "recovery-of-another-release",
    ids: &["RN009"],
    level: Level::Warning,
    summary: "a recovery of one HelmRelease finds another's record",
    explain: "\
flux-plunger looks for the record of a stuck HelmRelease by the object's name in the object's namespace,
not by its release's name and storage namespace. Where HelmRelease `db` stores as `pg-db` and another
one stores as `db`, a recovery of `db` deletes the newest revision of the other.

Fix: call releases as their HelmReleases are called, or let no release have another HelmRelease's name.

Quiet: HelmReleases whose release has their own name and namespace, and names that no other release of
the namespace has; builds that no Flux Kustomizations apply to one cluster.

Source: flux-plunger of the Cozystack snapshot of 2026-08-21.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let stored = context.claims.by_key();
    for (claim, key) in context.claims.decided() {
        let id = &claim.release.id;
        let looked_up = ReleaseKey {
            cluster: LOCAL.to_owned(),
            storage_namespace: id.namespace.clone(),
            name: id.name.clone(),
        };
        if looked_up == key {
            continue;
        }
        let mut others = stored.get(&looked_up).into_iter().flatten();
        let Some(other) = others.find(|other| other.meets(claim)) else {
            continue;
        };
        let message = format!(
            "HelmRelease `{}` stores as `{key}`, and `{looked_up}` is the release of HelmRelease \
             `{}`: a recovery of the first by flux-plunger deletes the newest revision of the other",
            claim.shown(),
            other.shown()
        );
        let mut label = other.label().message("its release has the other's name");
        label.span = other.release.name_span();
        findings.push(
            Finding::new(RULE.code, RULE.level, claim.label(), message)
                .related(label)
                .help("rename one of the two releases before they are installed")
                .id("RN009"),
        );
    }
}
