//! Facts about recoveries and settings: what is so, what to do about it.

use super::super::case::{Case, Stored};
use super::super::code::Code;

/// The sentence and the remedy; the latter may be empty.
pub(super) fn recovery(code: Code, case: &Case<'_>, name: &str) -> (String, String) {
    let release = case.release;
    let newest = match case.stored_by_object() {
        Stored::Records(records) => records.newest().version,
        _ => 0,
    };
    let processed = release.processed.as_deref().unwrap_or_default();
    let (message, help) = match code {
        Code::TakesOnlyRevision => (
            format!(
                "a recovery of {name} would take its only revision, {newest}; a delete then \
                 finds nothing to uninstall"
            ),
            "keep a copy of the Secret until the release is installed again",
        ),
        Code::RecoveryDue if newest == 0 => (
            format!("{name} has no deployed revision, and none is left to reclaim"),
            "",
        ),
        Code::RecoveryDue => (
            format!(
                "{name} has no deployed revision: flux-plunger, where it runs, will reclaim \
                 revision {newest}"
            ),
            "",
        ),
        Code::RecoverySkipsRemote => (
            format!(
                "{name} has no deployed revision, and flux-plunger never recovers releases in \
                 other clusters"
            ),
            "",
        ),
        Code::GuardBlocks => (
            format!(
                "flux-plunger has reclaimed revision {processed} of {name} already and does so \
                 only once: nobody will act"
            ),
            "delete the newest record by hand, or remove the annotation for another attempt",
        ),
        Code::RecoveryRepeats => (
            format!(
                "revision {newest} of {name} came again after it was reclaimed: flux-plunger \
                 reclaims it again"
            ),
            "find out what makes the release fail the same way",
        ),
        Code::WrongLookup => (
            format!(
                "flux-plunger looks for `{}/{}`, which is not the key of {name} (`{}/{}`): it \
                 finds nothing, or another release's revision",
                release.id.namespace,
                release.id.name,
                release.key().storage_namespace,
                release.key().name
            ),
            "recover it by hand",
        ),
        Code::NobodyWatches => (
            format!(
                "no helm-controller of the snapshot takes the shard `{}` of {name}: nothing \
                 happens to it",
                release.shard.as_deref().unwrap_or_default()
            ),
            "run a helm-controller for the shard, or take the label off",
        ),
        Code::LeavesObjects => (
            format!(
                "the uninstall of {name} is set to leave objects behind: `deletionPropagation: \
                 orphan`"
            ),
            "",
        ),
        Code::SkipsHooks => (
            format!("the uninstall of {name} is set to run no hooks: `disableHooks: true`"),
            "",
        ),
        Code::ProcessedMalformed => (
            format!(
                "the processed version of {name} is no number and counts as absent: `{processed}`"
            ),
            "remove the annotation, or write the number of a revision",
        ),
        _ => (
            format!(
                "the fence on {name} is applied by somebody other than flux-plunger: taking it \
                 off is undone at once"
            ),
            "take it out of what is applied, then out of the cluster",
        ),
    };
    (message, help.to_owned())
}
