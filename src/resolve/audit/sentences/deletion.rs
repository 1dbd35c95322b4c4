//! Facts about releases that are being deleted: what is so, what to do about it.

use super::super::Outcome;
use super::super::case::Case;
use super::super::code::Code;
use super::RESTORES;
use crate::model::moment::lasting;

/// The sentence and the remedy; the latter may be empty.
pub(super) fn deletion(
    code: Code,
    case: &Case<'_>,
    name: &str,
    outcome: Outcome,
) -> (String, String) {
    let release = case.release;
    let (generation, observed) = (release.generation, release.seen_generation);
    match code {
        Code::DeletedWhileHeld
        | Code::DeletedUnfenced
        | Code::DeletedUnderForeign
        | Code::AlreadySkipped => under_suspension(code, case, name),
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

fn under_suspension(code: Code, case: &Case<'_>, name: &str) -> (String, String) {
    let skipping = if case.helm() {
        "will skip"
    } else {
        "has skipped"
    };
    match code {
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
        _ => (
            format!(
                "helm-controller has let {name} go without an uninstall: while any finalizer holds \
                 the object, lifting the suspension still makes it uninstall"
            ),
            String::new(),
        ),
    }
}
