//! What a verdict was told from, a line each: nothing here is a judgement, and nothing a payload or
//! the text of a condition.

use super::Outcome;
use super::case::{Case, Stored};
use super::owner::names;
use crate::model::moment::{Moment, lasting};
use crate::model::snapshot::observed::{Observed, Remote};
use crate::model::snapshot::storage::Records;

/// The lines, in order.
pub(super) fn evidence(case: &Case<'_>, outcome: Outcome) -> Vec<String> {
    let release = case.release;
    let mut lines = Vec::new();
    if let Some(deleted) = release.deleted {
        lines.push(format!("deleted at {deleted}{}", ago(case, Some(deleted))));
    }
    lines.push(suspension(case));
    lines.push(match release.finalizers.join(", ") {
        none if none.is_empty() => "finalizers: none".to_owned(),
        all => format!("finalizers: {all}"),
    });
    lines.push(match release.seen_generation {
        -1 => format!("generation {}, none observed", release.generation),
        observed => format!("generation {}, observed {observed}", release.generation),
    });
    lines.push(history(release));
    lines.push(storage(case));
    if let Some(number) = &release.processed {
        lines.push(format!("last processed version: {number}"));
    }
    if case.snapshot.terminating.contains(&release.id.namespace) {
        lines.push(format!(
            "the namespace {} is being deleted too: its controller removes Helm's records meanwhile",
            release.id.namespace
        ));
    }
    if !release.spec.one_chart {
        lines.push(
            "`chart` and `chartRef` are both there or both missing: helm-controller stops before \
             it looks at a deletion"
                .to_owned(),
        );
    }
    lines.extend(left_behind(release, outcome));
    lines
}

fn ago(case: &Case<'_>, moment: Option<Moment>) -> String {
    match (moment, case.settings.now) {
        (Some(moment), Some(now)) => format!(", {} before `--now`", lasting(moment.until(now))),
        _ => String::new(),
    }
}

fn suspension(case: &Case<'_>) -> String {
    let release = case.release;
    if !release.spec.suspended {
        return "spec.suspend: not set".to_owned();
    }
    let writers = || release.writers.iter().filter(|writer| writer.suspend);
    if !case.snapshot.managed {
        return "spec.suspend: true, its owner is not in the snapshot".to_owned();
    }
    match names(writers()) {
        nobody if nobody.is_empty() => "spec.suspend: true, nobody is recorded for it".to_owned(),
        names => {
            let newest = writers().filter_map(|writer| writer.time).max();
            let since = newest.map_or_else(String::new, |moment| format!(" since {moment}"));
            format!(
                "spec.suspend: true, held by {names}{since}{}",
                ago(case, newest)
            )
        }
    }
}

fn history(release: &Observed) -> String {
    match &release.history {
        None => "status.history: empty".to_owned(),
        Some(newest) => format!(
            "status.history: {} v{} in {}, {}",
            newest.name, newest.version, newest.namespace, newest.status
        ),
    }
}

fn storage(case: &Case<'_>) -> String {
    let (namespace, name) = case.status_key();
    match case.stored_by_status() {
        Stored::Records(records) => {
            format!("storage {namespace}/{name}: {}", revisions(records))
        }
        Stored::Nothing => format!("storage {namespace}/{name}: no revision"),
        Stored::Unseen => format!("storage {namespace}/{name}: not in the snapshot"),
        Stored::Remote => {
            let through = match &case.release.spec.remote {
                Some(Remote::Secret { name, .. }) => format!("the Secret {name}"),
                Some(Remote::ConfigMap { name }) => format!("the ConfigMap {name}"),
                None => String::new(),
            };
            format!("storage: in another cluster, through {through}")
        }
    }
}

/// The revisions of a release: `v1 superseded, v2 deployed`, the newest of many.
fn revisions(records: &Records) -> String {
    const MOST: usize = 6;
    let hidden = records.revisions.len().saturating_sub(MOST);
    let shown: Vec<String> = records.revisions[hidden..]
        .iter()
        .map(|revision| format!("v{} {}", revision.version, revision.status))
        .collect();
    match hidden {
        0 => shown.join(", "),
        _ => format!("{hidden} older, {}", shown.join(", ")),
    }
}

/// What an uninstall that does not happen leaves behind.
fn left_behind(release: &Observed, outcome: Outcome) -> Option<String> {
    let skipped = matches!(
        outcome,
        Outcome::Skips | Outcome::WillSkip | Outcome::Skipped
    );
    if !skipped || release.inventory.is_empty() {
        return None;
    }
    let more = match release.inventory_count - release.inventory.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!(
        "would be left behind: {}{more}",
        release.inventory.join(", ")
    ))
}
