//! What flux-plunger would do about a release that has no deployed revision.
//!
//! Source: `spec/uninstall-fence.md`, section 6. Numbers are compared as numbers; an annotation that
//! is none counts as absent. The annotation never says whose a suspension is.

use super::case::{Case, Stored};
use super::code::Code;
use crate::model::snapshot::observed::Observed;

/// The newest revision that flux-plunger reclaimed.
pub(super) fn processed(release: &Observed) -> Option<u32> {
    release.processed.as_ref()?.parse().ok()
}

/// Whether the annotation is there and is no number.
pub(super) fn is_malformed(release: &Observed) -> bool {
    release.processed.is_some() && processed(release).is_none()
}

/// What a recovery of a live, unsuspended release would come to.
pub(super) fn recovery(case: &Case<'_>) -> Vec<Code> {
    let release = case.release;
    if !release.no_deployed {
        return Vec::new();
    }
    if release.spec.remote.is_some() {
        return vec![Code::RecoverySkipsRemote];
    }
    let key = release.key();
    if (&key.storage_namespace, &key.name) != (&release.id.namespace, &release.id.name) {
        return vec![Code::WrongLookup];
    }
    let (newest, count) = match case.stored_by_object() {
        Stored::Records(records) => (records.newest().version, records.revisions.len()),
        Stored::Nothing => (0, 0),
        Stored::Unseen | Stored::Remote => return Vec::new(),
    };
    let processed = processed(release);
    if newest > 0 && processed.is_some_and(|number| number.checked_sub(newest) == Some(1)) {
        return vec![Code::GuardBlocks];
    }
    let mut codes = vec![Code::RecoveryDue];
    if newest > 0 && processed == Some(newest) {
        codes.push(Code::RecoveryRepeats);
    }
    if count == 1 {
        codes.push(Code::TakesOnlyRevision);
    }
    codes
}
