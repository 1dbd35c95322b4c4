//! What a finding belongs to, where it does not say so itself: the ids of its rule, and the object
//! that it stands in.

use std::collections::BTreeMap;

use crate::finding::{Finding, ObjectId};
use crate::load::{Loaded, Role};
use crate::resolve::plan::Plan;
use crate::rules;
use crate::source::Span;

/// Gives findings about override tables the ids that their rule answers to, wherever they were met.
pub(super) fn ids(findings: &mut [Finding]) {
    let bare =
        |finding: &&mut Finding| finding.ids.is_empty() && finding.rule.starts_with("override-");
    for finding in findings.iter_mut().filter(bare) {
        if let Some(rule) = rules::find(finding.rule) {
            finding.ids = rule.ids.to_vec();
        }
    }
}

/// Makes one finding of an image table in a HelmRelease that breaks the schema as well: the one
/// about the table, which answers to the ids of both.
pub(super) fn one_fact(findings: &mut Vec<Finding>) {
    let tables: BTreeMap<Span, usize> = findings
        .iter()
        .enumerate()
        .filter(|(_, finding)| finding.rule.starts_with("override-"))
        .map(|(at, finding)| (finding.primary.span, at))
        .collect();
    let mut moved: Vec<(usize, Vec<&'static str>)> = Vec::new();
    let mut keep = findings.iter().map(|finding| {
        let table = tables.get(&finding.primary.span);
        let table = table.filter(|_| finding.rule.starts_with("schema-"));
        moved.extend(table.map(|at| (*at, finding.ids.clone())));
        table.is_none()
    });
    let keep: Vec<bool> = keep.by_ref().collect();
    for (at, ids) in moved {
        findings[at].ids.extend(ids);
    }
    let mut keep = keep.into_iter();
    findings.retain(|_| keep.next().unwrap_or(true));
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
        .map(|(input, planned)| (input.docs[planned.doc].span(), &*planned.id))
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
