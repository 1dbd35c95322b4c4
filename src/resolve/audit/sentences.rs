//! Facts in words: what is so, then what to do about it.
//!
//! Source: `spec/uninstall-fence.md`, sections 4, 8 and 11, "Texts worth getting right".

use super::Outcome;
use super::case::{Case, Stored};
use super::code::Code;
use super::owner::{fence_is_applied_by_others, others};
use super::skips::account;
use crate::finding::{Finding, Label};
use crate::model::moment::lasting;
use crate::model::snapshot::observed::{Observed, Remote};

/// A restore writes nothing where flux-plunger holds the release already.
const RESTORES: &str =
    "first look for running RestoreJobs: one that started meanwhile wrote nothing and relies on it";

/// A fact about a release.
pub(super) fn finding(code: Code, case: &Case<'_>, outcome: Outcome) -> Finding {
    let name = format!("`{}/{}`", case.release.id.namespace, case.release.id.name);
    let (message, help) = match code {
        _ if code < Code::Uninstalling => suspension(code, case, &name),
        _ if code < Code::RecordMissing => deletion(code, case, &name, outcome),
        _ if code < Code::TakesOnlyRevision => storage(code, case, &name),
        _ => other(code, case, &name),
    };
    let finding = bare(code, case.release, message);
    if help.is_empty() {
        finding
    } else {
        finding.help(help)
    }
}

fn bare(code: Code, release: &Observed, message: String) -> Finding {
    let place = Label::new(release.span).object(&release.id);
    Finding::new(code.rule(), code.level(), place, message).id(code.id())
}

fn suspension(code: Code, case: &Case<'_>, name: &str) -> (String, String) {
    let others = others(case.release);
    let leave = "leave it to its owner, who has to resume it before a delete that is to uninstall";
    match code {
        Code::Foreign => (
            format!(
                "{name} is suspended by {others}: a delete would skip the Helm uninstall, by its \
                 owner's decision"
            ),
            leave.to_owned(),
        ),
        Code::ForeignAfterRecovery => (
            format!(
                "{name} is suspended by {others}, and flux-plunger has recovered it before: it may \
                 be a migration's suspension or an earlier flux-plunger's leftover, and a delete \
                 would skip the Helm uninstall"
            ),
            "ask its owner; during a restore a resume is the one harmful act".to_owned(),
        ),
        Code::Ownerless => (
            format!(
                "{name} is suspended and nobody is recorded as the owner of `spec.suspend`: a \
                 delete would skip the Helm uninstall"
            ),
            leave.to_owned(),
        ),
        Code::Shared => (
            format!(
                "{name} is suspended by flux-plunger together with {others}: it is not \
                 flux-plunger's to lift, and a delete would skip the Helm uninstall"
            ),
            leave.to_owned(),
        ),
        Code::Recovering => (
            format!(
                "flux-plunger holds {name} suspended for a recovery, behind its fence{}",
                lasted(case, " for ")
            ),
            format!(
                "flux-plunger, where it runs, lifts it by itself; to do it by hand, {RESTORES}"
            ),
        ),
        Code::Unfenced => (
            format!(
                "flux-plunger holds {name} suspended without its fence: a delete would skip the \
                 Helm uninstall"
            ),
            format!("lift the suspension; {RESTORES}"),
        ),
        Code::FenceAlone => (
            format!(
                "the fence on {name} stands without a suspension: a delete would uninstall, then \
                 hang until the fence is taken off"
            ),
            // Where it must stay, or comes back, another fact has the remedy.
            if fence_is_applied_by_others(case.release) || case.held_by_nothing_else() {
                String::new()
            } else {
                "take the fence off; flux-plunger, where it runs, does so by itself".to_owned()
            },
        ),
        Code::FenceUnderForeign => (
            format!(
                "flux-plunger's fence stands on {name} under somebody else's suspension: it does \
                 not hold a delete there"
            ),
            "leave it; once its owner resumes, flux-plunger takes the fence off".to_owned(),
        ),
        _ => (
            format!("{name} is suspended, and the snapshot does not tell by whom"),
            "take the snapshot again with `--show-managed-fields`".to_owned(),
        ),
    }
}

fn deletion(code: Code, case: &Case<'_>, name: &str, outcome: Outcome) -> (String, String) {
    let release = case.release;
    let (generation, observed) = (release.generation, release.observed);
    let skipping = if case.helm() {
        "will skip"
    } else {
        "has skipped"
    };
    match code {
        Code::Uninstalling => (
            format!("{name} is being deleted, its uninstall is due, under way or failing"),
            String::new(),
        ),
        Code::LiftNotSeen => (
            format!(
                "do not remove the fence of {name}: helm-controller has not yet seen generation \
                 {generation} (observed {observed}), and removing it now deletes the object \
                 without an uninstall"
            ),
            "wait until observedGeneration equals generation".to_owned(),
        ),
        Code::FenceLeft if outcome == Outcome::Done => (
            format!("the uninstall of {name} is done and observed, only the fence holds it"),
            "take the fence off; flux-plunger, where it runs, does so by itself".to_owned(),
        ),
        Code::FenceLeft => (
            format!(
                "helm-controller has let {name} go and only the fence holds it; whether its \
                 release is gone cannot be seen here"
            ),
            "look into its storage before the fence is taken off".to_owned(),
        ),
        Code::DeletedWhileHeld => (
            format!(
                "{name} is being deleted while flux-plunger's own suspension is on; \
                 helm-controller {skipping} the uninstall"
            ),
            format!(
                "lift the suspension and leave the fence: helm-controller then uninstalls, and \
                 flux-plunger (or you, once finalizers.fluxcd.io is gone and observedGeneration \
                 equals generation) takes the fence off; {RESTORES}"
            ),
        ),
        Code::DeletedUnfenced => (
            format!(
                "{name} is being deleted while flux-plunger's own suspension is on and no fence \
                 holds it; helm-controller {skipping} the uninstall"
            ),
            "lift the suspension at once; it is a race that may be lost".to_owned(),
        ),
        Code::DeletedUnderForeign => (
            format!(
                "{name} is being deleted under {} suspension: the uninstall {}",
                if case.snapshot.managed {
                    "somebody else's"
                } else {
                    "an unknown owner's"
                },
                if case.helm() {
                    "will be skipped"
                } else {
                    "was skipped"
                }
            ),
            "leave it to its owner: the snapshot cannot tell a decision from an accident"
                .to_owned(),
        ),
        Code::AlreadySkipped => (
            format!(
                "helm-controller has let {name} go without an uninstall: while any finalizer holds \
                 the object, lifting the suspension still makes it uninstall"
            ),
            String::new(),
        ),
        Code::LeftInStorage => (
            format!(
                "helm-controller has let {name} go, yet its revisions are still in storage: the \
                 uninstall was skipped for another reason than suspension"
            ),
            "find out what it left behind; `helm uninstall` by hand before the object is gone"
                .to_owned(),
        ),
        Code::HeldTooLong => (
            format!(
                "{name} has been {} for {}, longer than {} min",
                if release.deleted.is_some() {
                    "in deletion"
                } else {
                    "held"
                },
                case.lasted().map_or_else(String::new, lasting),
                case.settings.hold
            ),
            "see that helm-controller and flux-plunger run, and what they log of it".to_owned(),
        ),
        _ => (
            format!(
                "helm-controller has let {name} go; what holds it is neither Flux's nor \
                 flux-plunger's: {}",
                case.other_finalizers()
                    .map(|it| format!("`{it}`"))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
            String::new(),
        ),
    }
}

fn storage(code: Code, case: &Case<'_>, name: &str) -> (String, String) {
    let release = case.release;
    let (storage, stored) = case.status_key();
    match code {
        Code::RecordMissing => (
            format!(
                "no record of `{stored}` is left in `{storage}`: helm-controller would take {name} \
                 for uninstalled and leave its objects"
            ),
            "restore the newest Secret of the release, or clean up by hand, before it is deleted"
                .to_owned(),
        ),
        Code::NoStorageNamespace => (
            format!(
                "`status.storageNamespace` of {name} is empty although `{storage}` has revisions \
                 of `{stored}`: a delete would skip the uninstall"
            ),
            "let helm-controller reconcile it once before it is deleted".to_owned(),
        ),
        Code::NoHistory => (
            format!(
                "`status.history` of {name} is empty although `{storage}` has revisions of \
                 `{stored}`: a delete would skip the uninstall"
            ),
            "let helm-controller reconcile it once before it is deleted".to_owned(),
        ),
        Code::NoKubeConfig => (
            format!(
                "the Secret `{}` with the kubeconfig of {name} is not there: a delete would skip \
                 the uninstall",
                match &release.spec.remote {
                    Some(Remote::Secret { name, .. }) => name,
                    _ => "",
                }
            ),
            "restore the Secret before the release is deleted".to_owned(),
        ),
        Code::NoAccount => (
            format!(
                "the ServiceAccount `{}` that {name} is run as is not there: a delete would skip \
                 the uninstall",
                account(case).unwrap_or_default()
            ),
            "restore the ServiceAccount before the release is deleted".to_owned(),
        ),
        Code::NoHelmFinalizer if case.fenced() => (
            format!("helm-controller's finalizer is not on {name}: only the fence holds it"),
            "keep the fence; find out why helm-controller does not put its finalizer back: shard \
             label, controller"
                .to_owned(),
        ),
        Code::NoHelmFinalizer => (
            format!(
                "no finalizer holds {name}: a delete would be over before helm-controller sees it"
            ),
            "helm-controller puts its finalizer back when it runs: look at the shard label and the \
             controller"
                .to_owned(),
        ),
        Code::Retargeted => (
            format!(
                "{name} points elsewhere than what is installed: its next run, unsuspended, \
                 uninstalls first ({})",
                case.moved()
                    .iter()
                    .map(|(what, then, now)| format!("{what} was `{then}`, is `{now}`"))
                    .collect::<Vec<_>>()
                    .join("; ")
            ),
            "put the spec back, or accept the uninstall, before it runs".to_owned(),
        ),
        _ => (
            format!(
                "{name} works on the same Helm release as {}: deleting either uninstalls it",
                case.siblings()
                    .map(|other| format!("`{}/{}`", other.id.namespace, other.id.name))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
            "suspend the one that is to go before it is deleted, or give it another `releaseName`"
                .to_owned(),
        ),
    }
}

fn other(code: Code, case: &Case<'_>, name: &str) -> (String, String) {
    let release = case.release;
    let newest = match case.stored_by_object() {
        Stored::Records(records) => records.newest().version,
        _ => 0,
    };
    let processed = release.processed.as_deref().unwrap_or_default();
    let (message, help) = match code {
        Code::TakesOnlyRevision => (
            format!(
                "a recovery of {name} would take its only revision, {newest}; a delete then finds nothing to uninstall"
            ),
            "keep a copy of the Secret until the release is installed again",
        ),
        Code::RecoveryDue if newest == 0 => (
            format!("{name} has no deployed revision, and none is left to reclaim"),
            "",
        ),
        Code::RecoveryDue => (
            format!(
                "{name} has no deployed revision: flux-plunger, where it runs, will reclaim revision {newest}"
            ),
            "",
        ),
        Code::RecoverySkipsRemote => (
            format!(
                "{name} has no deployed revision, and flux-plunger never recovers releases in other clusters"
            ),
            "",
        ),
        Code::GuardBlocks => (
            format!(
                "flux-plunger has reclaimed revision {processed} of {name} already and does so only once: nobody will act"
            ),
            "delete the newest record by hand, or remove the annotation for another attempt",
        ),
        Code::RecoveryRepeats => (
            format!(
                "revision {newest} of {name} came again after it was reclaimed: flux-plunger reclaims it again"
            ),
            "find out what makes the release fail the same way",
        ),
        Code::WrongLookup => (
            format!(
                "flux-plunger looks for `{}/{}`, which is not the key of {name} (`{}/{}`): it finds nothing, or another release's revision",
                release.id.namespace,
                release.id.name,
                release.key().storage_namespace,
                release.key().name
            ),
            "recover it by hand",
        ),
        Code::NobodyWatches => (
            format!(
                "no helm-controller of the snapshot takes the shard `{}` of {name}: nothing happens to it",
                release.shard.as_deref().unwrap_or_default()
            ),
            "run a helm-controller for the shard, or take the label off",
        ),
        Code::LeavesObjects => (
            format!(
                "the uninstall of {name} is set to leave objects behind: `deletionPropagation: orphan`"
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
                "the fence on {name} is applied by somebody other than flux-plunger: taking it off is undone at once"
            ),
            "take it out of what is applied, then out of the cluster",
        ),
    };
    (message, help.to_owned())
}

fn lasted(case: &Case<'_>, before: &str) -> String {
    case.lasted().map_or_else(String::new, |seconds| {
        format!("{before}{}", lasting(seconds))
    })
}

/// No object of the snapshot has managed fields.
pub(super) fn no_managed_fields(first: &Observed) -> Finding {
    bare(
        Code::NoManagedFields,
        first,
        "no object of the snapshot has managed fields: whose a suspension is cannot be told"
            .to_owned(),
    )
    .help("take the snapshot again with `--show-managed-fields`")
}

/// The snapshot has no Secret at all.
pub(super) fn no_secrets(case: &Case<'_>) -> Finding {
    bare(
        Code::NoSecrets,
        case.release,
        "the snapshot has no Secret: what Helm's storage holds cannot be told".to_owned(),
    )
    .help("take the snapshot with Secrets; their `data` is not needed")
}

/// The snapshot has no Secret of a storage namespace.
pub(super) fn no_secrets_in(release: &Observed, namespace: &str) -> Finding {
    bare(
        Code::NoSecrets,
        release,
        format!(
            "the snapshot has no Secret of the namespace `{namespace}`: what Helm's storage holds \
             there cannot be told"
        ),
    )
    .help("see that whoever takes the snapshot may list the namespace's Secrets")
}
