//! The decision table for releases that are not being deleted.
//!
//! Source: `spec/uninstall-fence.md`, section 4, "Live".

use super::case::Case;
use super::code::Code;
use super::owner::{Owner, fence_is_applied_by_others};
use super::recovery::recovery;
use super::skips::{Deletion, Foreseen, foresee};
use super::{Action, Decision, Outcome};

/// What there is to say of a live release.
pub(super) fn decide(case: &Case<'_>) -> Decision {
    if case.release.spec.suspended {
        suspended(case)
    } else {
        running(case)
    }
}

fn running(case: &Case<'_>) -> Decision {
    let foreseen = foresee(case);
    let mut decision = Decision::new(outcome(&foreseen), Action::None);
    let unheld = case.held_by_nothing_else();
    if case.fenced() {
        decision.codes.push(Code::FenceAlone);
        if unheld {
            decision.codes.push(Code::NoHelmFinalizer);
            decision.action = Action::Investigate;
        } else {
            decision.remove_fence(case);
        }
    } else if unheld && case.release.handled_before() {
        decision.codes.push(Code::NoHelmFinalizer);
        decision.outcome = Outcome::Skips;
    } else if unheld && foreseen.skips.is_empty() {
        decision.outcome = Outcome::Nothing;
    }
    if !case.moved().is_empty() {
        decision.codes.push(Code::Retargeted);
    }
    decision.add(foreseen);
    decision.codes.extend(recovery(case));
    decision
}

fn suspended(case: &Case<'_>) -> Decision {
    let fenced = case.fenced();
    let left = |codes: &[Code]| {
        let mut decision = Decision::new(Outcome::Skips, Action::LeaveToOwner);
        decision.codes.extend(codes);
        decision
    };
    let fence_too = |mut decision: Decision| {
        if fenced {
            decision.codes.push(Code::FenceUnderForeign);
        }
        decision
    };
    match case.owner() {
        Owner::Mine(_) => held(case),
        Owner::Shared => fence_too(left(&[Code::Shared])),
        Owner::Foreign if case.release.processed.is_some() => {
            fence_too(left(&[Code::ForeignAfterRecovery]))
        }
        Owner::Foreign => fence_too(left(&[Code::Foreign])),
        Owner::Unknown => left(&[Code::Ownerless]),
        Owner::Hidden => {
            let outcome = if fenced {
                Outcome::Undecidable
            } else {
                Outcome::Skips
            };
            let mut decision = Decision::new(outcome, Action::Investigate);
            decision.codes.push(Code::OwnerHidden);
            decision
        }
    }
}

/// A release that flux-plunger alone holds suspended.
fn held(case: &Case<'_>) -> Decision {
    let retargets = !case.moved().is_empty();
    let unheld = case.held_by_nothing_else();
    let mut decision;
    if case.fenced() {
        decision = Decision::new(Outcome::Held, Action::Wait);
        decision.codes.push(Code::Recovering);
        if case.too_long() {
            decision.codes.push(Code::HeldTooLong);
        }
        if retargets || unheld {
            decision.action = Action::Investigate;
        } else if !case.too_long() {
            decision.offered = Some(Action::LiftAndRemoveFence);
        } else if fence_is_applied_by_others(case.release) {
            decision.action = Action::Investigate;
            decision.offered = Some(Action::LiftAndRemoveFence);
        } else {
            decision.action = Action::LiftAndRemoveFence;
        }
    } else {
        decision = Decision::new(Outcome::Skips, Action::LiftSuspension);
        decision.codes.push(Code::Unfenced);
        if retargets {
            decision.action = Action::Investigate;
        }
    }
    if unheld {
        decision.codes.push(Code::NoHelmFinalizer);
    }
    if retargets {
        decision.codes.push(Code::Retargeted);
    }
    // Once lifted, a deletion meets these as any other.
    decision.add(foresee(case));
    decision
}

fn outcome(foreseen: &Foreseen) -> Outcome {
    match foreseen.deletion {
        Deletion::Uninstalls => Outcome::Uninstalls,
        Deletion::Skips => Outcome::Skips,
        Deletion::Nothing => Outcome::Nothing,
        Deletion::Undecidable => Outcome::Undecidable,
    }
}
