//! Facts about live releases that are suspended, or fenced: what is so, what to do about it.

use super::super::case::Case;
use super::super::code::Code;
use super::super::owner::{fence_is_applied_by_others, others};
use super::RESTORES;
use crate::model::moment::lasting;

/// The sentence and the remedy; the latter may be empty.
pub(super) fn suspension(code: Code, case: &Case<'_>, name: &str) -> (String, String) {
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

fn lasted(case: &Case<'_>, before: &str) -> String {
    case.lasted().map_or_else(String::new, |seconds| {
        format!("{before}{}", lasting(seconds))
    })
}
