//! Whose suspension it is.
//!
//! Source: `spec/uninstall-fence.md`, section 3: only managed fields tell, never an annotation;
//! entries for a subresource own nothing, whatever they list, and the API version of an entry does
//! not matter.

use crate::model::moment::Moment;
use crate::model::snapshot::observed::{Observed, Writer};

/// flux-plunger's name as a field manager.
const PLUNGER: &str = "flux-plunger";

/// Who holds `spec.suspend`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// flux-plunger alone, since then where that is recorded: it may be lifted.
    Mine(Option<Moment>),
    /// flux-plunger and somebody else: never to be lifted.
    Shared,
    /// Somebody else.
    Foreign,
    /// Nobody is recorded, although the snapshot has managed fields.
    Unknown,
    /// The snapshot has no managed fields.
    Hidden,
}

/// Who holds the suspension of a release, in a snapshot with managed fields or without.
pub(super) fn owner(release: &Observed, managed: bool) -> Owner {
    if !managed {
        return Owner::Hidden;
    }
    let mut own: Option<Option<Moment>> = None;
    let mut others = false;
    for writer in release.writers.iter().filter(|writer| writer.suspend) {
        if is_plunger(writer) {
            own = Some(own.flatten().max(writer.time));
        } else {
            others = true;
        }
    }
    match (own, others) {
        (Some(since), false) => Owner::Mine(since),
        (Some(_), true) => Owner::Shared,
        (None, true) => Owner::Foreign,
        (None, false) => Owner::Unknown,
    }
}

/// Whether an entry is flux-plunger's own: applied under its name. An update under its name is not.
fn is_plunger(writer: &Writer) -> bool {
    writer.applies && *writer.manager == *PLUNGER
}

/// Whether somebody other than flux-plunger applies the fence, and will put it back.
pub(super) fn fence_is_applied_by_others(release: &Observed) -> bool {
    release
        .writers
        .iter()
        .any(|writer| writer.fence && writer.applies && !is_plunger(writer))
}

/// The writers of a field, for people: `` `flux` (Update) ``.
pub(super) fn names<'w>(writers: impl Iterator<Item = &'w Writer>) -> String {
    let mut names: Vec<String> = writers
        .map(|writer| {
            let operation = if writer.applies { "Apply" } else { "Update" };
            format!("`{}` ({operation})", writer.manager)
        })
        .collect();
    names.sort();
    names.dedup();
    names.join(" and ")
}

/// Everybody but flux-plunger who holds the suspension, for people.
pub(super) fn others(release: &Observed) -> String {
    names(
        release
            .writers
            .iter()
            .filter(|writer| writer.suspend && !is_plunger(writer)),
    )
}
