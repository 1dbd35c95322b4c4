//! What a finding is recognised by when lines move: its rule, its object and its line's text.
//!
//! SARIF and baselines have the same ones, so that both mean the same by "known already". A line
//! that may hold a secret does not count.

use std::collections::BTreeMap;

use super::{Report, secrets::Secrets};
use crate::finding::Finding;

/// The fingerprints of findings in their order: a hash, and which one of several alike it is.
pub(super) fn fingerprints(report: &Report<'_>) -> Vec<String> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let secrets = Secrets::of(report.sources);
    let numbered = report.findings.iter().map(|finding| {
        let print = fingerprint(report, &secrets, finding);
        let count = seen.entry(print.clone()).or_insert(0);
        *count += 1;
        format!("{print}:{count}")
    });
    numbered.collect()
}

/// FNV-1a of 64 bits over what stays.
fn fingerprint(report: &Report<'_>, secrets: &Secrets<'_>, finding: &Finding) -> String {
    let source = report.sources.get(finding.primary.span.source);
    let line = if secrets.hold(finding.primary.span) {
        ""
    } else {
        source.text[source.line_at(finding.primary.span.start)].trim()
    };
    let object = finding
        .object()
        .map(ToString::to_string)
        .unwrap_or_default();
    let parts = [finding.rule, &report.rooted(&source.path), &object, line].join("\n");
    let hash = parts.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{hash:016x}")
}
