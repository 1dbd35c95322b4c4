//! The decision table for releases that are being deleted.
//!
//! Source: `spec/uninstall-fence.md`, section 4, "Terminating", and "Letting go under somebody
//! else's suspension": the fence is offered for removal only once helm-controller has handled the
//! deletion.

use super::case::{Case, Stored};
use super::code::Code;
use super::owner::Owner;
use super::skips::{Deletion, foresee};
use super::{Action, Decision, Outcome};

/// What there is to say of a release that is being deleted.
pub(super) fn decide(case: &Case<'_>) -> Decision {
    if !case.release.spec.suspended {
        return unsuspended(case);
    }
    match case.owner() {
        Owner::Mine(_) => held(case),
        Owner::Hidden => {
            let mut decision = Decision::new(under_suspension(case), Action::Investigate);
            decision
                .codes
                .extend([Code::DeletedUnderForeign, Code::OwnerHidden]);
            decision
        }
        Owner::Foreign if case.release.processed.is_some() => {
            left(case, Some(Code::ForeignAfterRecovery))
        }
        Owner::Foreign => left(case, None),
        Owner::Shared => left(case, Some(Code::Shared)),
        Owner::Unknown => left(case, Some(Code::Ownerless)),
    }
}

fn unsuspended(case: &Case<'_>) -> Decision {
    match (case.helm(), case.release.up_to_date(), case.fenced()) {
        (false, true, fenced) => let_go(case, fenced),
        (false, false, true) => {
            let mut decision = Decision::new(Outcome::Pending, Action::Wait);
            decision.codes.push(Code::LiftNotSeen);
            note_age(case, &mut decision);
            decision
        }
        (true, ..) | (false, false, false) => {
            let foreseen = foresee(case);
            let outcome = match foreseen.deletion {
                Deletion::Uninstalls => Outcome::WillUninstall,
                Deletion::Skips => Outcome::WillSkip,
                Deletion::Nothing => Outcome::Nothing,
                Deletion::Undecidable => Outcome::Undecidable,
            };
            let mut decision = Decision::new(outcome, Action::Wait);
            decision.codes.push(Code::Uninstalling);
            note_age(case, &mut decision);
            decision.add(foreseen);
            decision
        }
    }
}

fn note_age(case: &Case<'_>, decision: &mut Decision) {
    if case.too_long() {
        decision.codes.push(Code::HeldTooLong);
    }
}

/// helm-controller has handled the deletion and let go.
fn let_go(case: &Case<'_>, fenced: bool) -> Decision {
    let stored = case.stored_by_status();
    let clean = match stored {
        _ if case.uninstalled() => Some(true),
        Stored::Records(records) => Some(records.newest().uninstalled()),
        Stored::Nothing => Some(true),
        Stored::Unseen | Stored::Remote => None,
    };
    let mut decision = Decision::new(
        match clean {
            Some(true) => Outcome::Done,
            Some(false) => Outcome::Skipped,
            None => Outcome::Undecidable,
        },
        Action::None,
    );
    decision.codes.push(match (clean, fenced) {
        (Some(false), _) => Code::LeftInStorage,
        (_, true) => Code::FenceLeft,
        (_, false) => Code::HeldByOthers,
    });
    if fenced && clean == Some(true) {
        decision.remove_fence(case);
    } else if fenced {
        decision.action = Action::Investigate;
        decision.offered = Some(Action::RemoveFence);
    }
    if matches!(stored, Stored::Unseen) && clean.is_none() {
        decision.unseen = Some(case.status_key().0);
    }
    decision
}

/// Deleted while flux-plunger alone holds it suspended.
fn held(case: &Case<'_>) -> Decision {
    let fenced = case.fenced();
    let outcome = if fenced {
        Outcome::Held
    } else {
        under_suspension(case)
    };
    let mut decision = Decision::new(outcome, Action::LiftSuspension);
    decision.codes.push(if fenced {
        Code::DeletedWhileHeld
    } else {
        Code::DeletedUnfenced
    });
    if !case.helm() {
        decision.codes.push(Code::AlreadySkipped);
    }
    let foreseen = foresee(case);
    if !foreseen.skips.is_empty() {
        // Lifting alone would end without an uninstall.
        decision.action = Action::Investigate;
        decision.offered = Some(Action::LiftSuspension);
        decision.codes.retain(|code| *code != Code::AlreadySkipped);
    }
    decision.add(foreseen);
    decision
}

/// Deleted while somebody else holds it suspended.
fn left(case: &Case<'_>, why: Option<Code>) -> Decision {
    let mut decision = Decision::new(under_suspension(case), Action::LeaveToOwner);
    decision.codes.push(Code::DeletedUnderForeign);
    decision.codes.extend(why);
    if !case.helm() {
        decision.codes.push(Code::AlreadySkipped);
        if case.fenced() && case.release.up_to_date() {
            decision.offered = Some(Action::RemoveFence);
        }
    }
    decision
}

/// What a deletion under a suspension comes to.
fn under_suspension(case: &Case<'_>) -> Outcome {
    if case.helm() {
        Outcome::WillSkip
    } else {
        Outcome::Skipped
    }
}
