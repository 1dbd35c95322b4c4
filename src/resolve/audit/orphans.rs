//! Storage that no HelmRelease claims: the trace of uninstalls that were skipped, or plain helm.
//!
//! Source: `spec/uninstall-fence.md`, sections 5 (UF209) and 11 (UF210). Without any HelmRelease in
//! the snapshot, or in one that ends early, nothing is called unclaimed.

use std::collections::BTreeSet;

use smol_str::SmolStr;

use super::case::Keys;
use super::code::Code;
use crate::finding::{Finding, Label, ObjectId};
use crate::model::release::{LOCAL, ReleaseKey};
use crate::model::snapshot::Snapshot;
use crate::model::snapshot::storage::Status;
use crate::source::Span;

/// A release or a Secret that nobody claims.
#[derive(Debug)]
pub(crate) struct Orphan<'s> {
    /// What it is.
    pub(crate) kind: OrphanKind<'s>,
    /// The namespace.
    pub(crate) namespace: &'s str,
    /// The name of the release, or of the Secret.
    pub(crate) name: &'s str,
    /// The fact.
    pub(crate) finding: Finding,
}

/// What nobody claims.
#[derive(Debug)]
pub(crate) enum OrphanKind<'s> {
    /// A release, with the state of its newest revision.
    Release(&'s Status),
    /// A Secret that Helm cannot find.
    Secret,
}

/// What nobody claims, releases first, by namespace and name.
pub(super) fn orphans<'s>(snapshot: &'s Snapshot, keys: &Keys<'_>) -> Vec<Orphan<'s>> {
    let mut orphans = Vec::new();
    if !snapshot.releases.is_empty() && !snapshot.cut_short {
        let mut claimed: BTreeSet<(&str, &str)> = BTreeSet::new();
        for release in &snapshot.releases {
            let namespace = release.storage_namespace.as_deref();
            let name = release.history.as_ref().map(|newest| &*newest.name);
            if let (Some(namespace), Some(name)) = (namespace, name) {
                claimed.insert((namespace, name));
            }
        }
        for (namespace, name, records) in snapshot.storage.releases() {
            let key = ReleaseKey {
                cluster: LOCAL.to_owned(),
                storage_namespace: namespace.to_owned(),
                name: name.to_owned(),
            };
            if claimed.contains(&(namespace, name)) || keys.contains_key(&key) {
                continue;
            }
            let newest = records.newest();
            let what = if newest.uninstalled() {
                "only its records are left"
            } else {
                "an uninstall was skipped, or plain helm made it"
            };
            let message = format!(
                "no HelmRelease claims the release `{namespace}/{name}`, whose newest revision {} \
                 is {}: {what}",
                newest.version, newest.status
            );
            let help = format!(
                "if nobody needs it, `helm uninstall {name} -n {namespace}`; `helm get manifest` \
                 shows by the labels `helm.toolkit.fluxcd.io/name` and `/namespace` whether Flux \
                 made it"
            );
            orphans.push(Orphan {
                kind: OrphanKind::Release(&newest.status),
                namespace,
                name,
                finding: fact(
                    Code::Unclaimed,
                    records.span,
                    namespace,
                    None,
                    message,
                    help,
                ),
            });
        }
    }
    for (namespace, name, span) in snapshot.storage.unlabelled() {
        let message = format!(
            "the Secret `{namespace}/{name}` is a record of Helm's without the labels `owner` and \
             `name`: Helm does not find it"
        );
        let help = "label it as the other records are, or remove it where it is no one's";
        let secret = Some(name);
        orphans.push(Orphan {
            kind: OrphanKind::Secret,
            namespace,
            name,
            finding: fact(
                Code::Unlabelled,
                span,
                namespace,
                secret,
                message,
                help.to_owned(),
            ),
        });
    }
    orphans
}

fn fact(
    code: Code,
    span: Span,
    namespace: &str,
    secret: Option<&str>,
    message: String,
    help: String,
) -> Finding {
    let mut place = Label::new(span);
    if let Some(name) = secret {
        place = place.object(&ObjectId {
            api_version: SmolStr::new_static("v1"),
            kind: SmolStr::new_static("Secret"),
            namespace: namespace.to_owned(),
            name: name.to_owned(),
        });
    }
    Finding::new(code.rule(), code.level(), place, message)
        .id(code.id())
        .help(help)
}
