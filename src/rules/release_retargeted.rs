//! `release-retargeted`: a change moves a HelmRelease to another Helm release.

use super::{Context, Rule};
use crate::finding::{Finding, Level};
use crate::model::release::HelmRelease;

pub(crate) const RULE: Rule = Rule {
    code: "release-retargeted",
    ids: &["RN010", "HZ13"],
    level: Level::Error,
    summary: "a change of names uninstalls a release and installs another",
    explain: "\
Nothing of a release's identity is immutable, and nothing of it can be renamed. helm-controller compares
release name, release namespace and storage namespace with those of the last release it made; where one
differs it uninstalls that release and installs anew. Claims from templates go, hooks run. Adding a
`targetNamespace`, the object's own included, changes the name that is composed of it.

Example:
  metadata: {name: db, namespace: apps}
  spec: {targetNamespace: apps}   # was absent: the release `db` becomes `apps-db`

Fix: pin the old values: `releaseName`, `targetNamespace`, `storageNamespace`. Where the move is meant,
take it as the uninstall that it is.

Quiet: a default made explicit, and another cluster (`release-cluster-changed`).

Source: helm-controller v1.5.0 `internal/action/reset.go`; fluxcd/helm-controller#471, #1450.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let Some(before) = &context.before else {
        return;
    };
    for (old, claim) in context.claims.pairs(before) {
        let release = &claim.release;
        if old.key().is_none() || old.release.cluster != release.cluster {
            continue;
        }
        let changes = changes(&old.release, release);
        if changes.is_empty() {
            continue;
        }
        let message = format!(
            "HelmRelease `{}` becomes another release: {}; helm-controller uninstalls the old one, \
             then installs the new one",
            claim.shown(),
            changes.join(", ")
        );
        let pins = pins(&old.release);
        let mut finding = Finding::new(RULE.code, RULE.level, claim.label(), message)
            .related(old.label().message("as it was"))
            .help(format!("to keep the release, write {}", pins.join(", ")));
        finding.ids = RULE.ids.to_vec();
        findings.push(finding);
    }
}

/// Each part of the identity that differs, with both values.
fn changes(old: &HelmRelease, new: &HelmRelease) -> Vec<String> {
    let (from, to) = (old.key(), new.key());
    let parts = [
        ("releaseName", from.name.as_str(), to.name.as_str()),
        (
            "releaseNamespace",
            old.release_namespace(),
            new.release_namespace(),
        ),
        (
            "storageNamespace",
            from.storage_namespace.as_str(),
            to.storage_namespace.as_str(),
        ),
    ];
    parts
        .into_iter()
        .filter(|(_, from, to)| from != to)
        .map(|(part, from, to)| format!("`{part}` changes from `{from}` to `{to}`"))
        .collect()
}

/// The fields that give the old identity.
fn pins(old: &HelmRelease) -> Vec<String> {
    let mut pins = vec![format!("`releaseName: {}`", old.key().name)];
    if let Some(target) = &old.target_namespace {
        pins.push(format!("`targetNamespace: {}`", target.value));
    }
    if let Some(storage) = &old.storage_namespace {
        pins.push(format!("`storageNamespace: {}`", storage.value));
    }
    pins
}
