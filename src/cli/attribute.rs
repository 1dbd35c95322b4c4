//! What a finding belongs to, where it does not say so itself: the ids of its rule, and the object
//! that it stands in.

use crate::finding::{Finding, ObjectId};
use crate::load::{Loaded, Role};
use crate::resolve::plan::Plan;
use crate::rules;
use crate::source::Span;

/// Gives findings without ids those that their rule always answers to.
pub(super) fn ids(findings: &mut [Finding]) {
    for finding in findings.iter_mut().filter(|finding| finding.ids.is_empty()) {
        if let Some(rule) = rules::find(finding.rule) {
            finding.ids = rule.ids.to_vec();
        }
    }
}

/// Gives findings without an object the manifest that they stand in, unless that is a List.
pub(super) fn objects(loaded: &Loaded, plan: &Plan, findings: &mut [Finding]) {
    if findings
        .iter()
        .all(|finding| finding.primary.object.is_some())
    {
        return;
    }
    let mut places: Vec<(Span, &ObjectId)> = plan
        .objects
        .iter()
        .map(|planned| (&loaded.inputs[planned.input], planned))
        .filter(|(input, _)| input.role == Role::Manifest)
        .map(|(input, planned)| (input.docs[planned.doc].span(), &planned.id))
        .collect();
    places.sort_unstable();
    for finding in findings {
        let place = finding.primary.span;
        if finding.primary.object.is_some() {
            continue;
        }
        let behind = places
            .partition_point(|(span, _)| (span.source, span.start) <= (place.source, place.start));
        let Some((span, id)) = behind.checked_sub(1).map(|at| places[at]) else {
            continue;
        };
        if span.source == place.source && place.end <= span.end && !id.kind.ends_with("List") {
            finding.primary.object = Some(id.clone());
        }
    }
}
