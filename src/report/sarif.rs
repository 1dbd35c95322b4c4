//! SARIF 2.1.0, as code scanning reads it.
//!
//! Lines and columns count from 1, columns in code points. A finding's fingerprint is made of its
//! rule, its object and its line's text, so that it survives a shift of lines.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde_json::{Value, json};

use super::Report;
use crate::finding::{Finding, Label, Level};

/// Writes one run.
pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let rules: Vec<Value> = report
        .rules
        .iter()
        .map(|rule| {
            json!({
                "id": rule.code,
                "shortDescription": { "text": rule.summary },
                "fullDescription": { "text": rule.summary },
                "help": { "text": rule.explain, "markdown": rule.explain },
                "defaultConfiguration": { "level": rule.level.to_string() },
            })
        })
        .collect();
    let mut seen = BTreeMap::new();
    let results: Vec<Value> =
        report.findings.iter().map(|finding| result(report, finding, &mut seen)).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "forebay",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules,
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    serde_json::to_writer_pretty(&mut *out, &log)?;
    writeln!(out)
}

fn result(report: &Report<'_>, finding: &Finding, seen: &mut BTreeMap<String, usize>) -> Value {
    let mut text = finding.message.clone();
    if let Some(help) = &finding.help {
        text.push_str("\nhelp: ");
        text.push_str(help);
    }
    let print = fingerprint(report, finding);
    let count = seen.entry(print.clone()).and_modify(|count| *count += 1).or_insert(1);
    let mut result = json!({
        "ruleId": finding.rule,
        "level": match finding.level {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "note",
        },
        "message": { "text": text },
        "locations": [location(report, &finding.primary)],
        "partialFingerprints": { "forebay/v1": format!("{print}:{count}") },
    });
    if let Some(at) = report.rules.iter().position(|rule| rule.code == finding.rule) {
        result["ruleIndex"] = json!(at);
    }
    if !finding.related.is_empty() {
        let related = finding.related.iter().enumerate().map(|(at, label)| {
            let mut location = location(report, label);
            location["id"] = json!(at + 1);
            location["message"] = json!({ "text": label.message });
            location
        });
        result["relatedLocations"] = related.collect();
    }
    result
}

fn location(report: &Report<'_>, label: &Label) -> Value {
    let (start, end) = report.places(label);
    json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(&report.rooted(label)) },
            "region": {
                "startLine": start.line,
                "startColumn": start.column,
                "endLine": end.line,
                "endColumn": end.column,
            },
        },
    })
}

/// A path as a relative reference: everything but unreserved characters and slashes is encoded.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

/// A hash of what stays when lines move: FNV-1a of 64 bits.
fn fingerprint(report: &Report<'_>, finding: &Finding) -> String {
    let source = report.sources.get(finding.primary.span.source);
    let line = source.text[source.line_at(finding.primary.span.start)].trim();
    let object = finding.object().map(ToString::to_string).unwrap_or_default();
    let parts = [finding.rule, &report.rooted(&finding.primary), &object, line].join("\n");
    let hash = parts.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{hash:016x}")
}
