//! SARIF 2.1.0, as code scanning reads it.
//!
//! Lines and columns count from 1, columns in code points. A finding's fingerprint is made of its
//! rule, its object and its line's text, so that it survives a shift of lines. What is no file of the
//! work tree (standard input, the embedded set) keeps its location, since code scanning refuses a
//! result without one, under a base that tells a reader not to look for it.

use std::fmt::Write as _;
use std::io::{self, Write};

use serde_json::{Value, json};

use super::fingerprint::fingerprints;
use super::{Origin, Report};
use crate::finding::{Finding, Label, Level};

/// The base of what is a file of the work tree.
const ROOT: &str = "%SRCROOT%";
/// The base of what is not.
const ELSEWHERE: &str = "ELSEWHERE";

/// Writes one run.
pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let rules: Vec<Value> = report
        .rules
        .iter()
        .map(|rule| {
            let mut about = json!({
                "id": rule.code,
                "shortDescription": { "text": rule.summary },
                "fullDescription": { "text": rule.summary },
                "help": { "text": rule.explain, "markdown": rule.explain },
                "defaultConfiguration": { "level": rule.level.to_string() },
            });
            if !rule.ids.is_empty() {
                about["properties"] = json!({ "tags": rule.ids });
            }
            about
        })
        .collect();
    let results: Vec<Value> = report
        .findings
        .iter()
        .zip(fingerprints(report))
        .map(|(finding, print)| result(report, finding, &print))
        .collect();
    let mut bases = json!({});
    for label in report
        .findings
        .iter()
        .flat_map(|it| [&it.primary].into_iter().chain(&it.related))
    {
        let (base, text) = match report.origin(label) {
            Origin::File(_) => (
                ROOT,
                "the root of the git work tree, or else the working directory",
            ),
            Origin::Elsewhere(_) => (
                ELSEWHERE,
                "no file: standard input as `stdin`, or the manifests inside forebay",
            ),
        };
        bases[base] = json!({ "description": { "text": text } });
    }
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
            "originalUriBaseIds": bases,
            "results": results,
        }],
    });
    serde_json::to_writer_pretty(&mut *out, &log)?;
    writeln!(out)
}

fn result(report: &Report<'_>, finding: &Finding, print: &str) -> Value {
    let mut text = finding.message.clone();
    if let Some(help) = &finding.help {
        text.push_str("\nhelp: ");
        text.push_str(help);
    }
    let mut result = json!({
        "ruleId": finding.rule,
        "level": match finding.level {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "note",
        },
        "message": { "text": text },
        "locations": [location(report, &finding.primary)],
        "partialFingerprints": { "forebay/v1": print },
    });
    if let Some(at) = report
        .rules
        .iter()
        .position(|rule| rule.code == finding.rule)
    {
        result["ruleIndex"] = json!(at);
    }
    if !finding.related.is_empty() {
        let related = finding.related.iter().enumerate().map(|(at, label)| {
            let mut location = location(report, label);
            location["id"] = json!(at + 1);
            if !label.message.is_empty() {
                location["message"] = json!({ "text": label.message });
            }
            location
        });
        result["relatedLocations"] = related.collect();
    }
    result
}

fn location(report: &Report<'_>, label: &Label) -> Value {
    let (start, end) = report.places(label);
    let (path, base) = match report.origin(label) {
        Origin::File(path) => (uri(&path), ROOT),
        Origin::Elsewhere(name) => (uri(name), ELSEWHERE),
    };
    let mut location = json!({
        "physicalLocation": {
            "artifactLocation": { "uri": path, "uriBaseId": base },
            "region": {
                "startLine": start.line,
                "startColumn": start.column,
                "endLine": end.line,
                "endColumn": end.column,
            },
        },
    });
    if let Some(object) = &label.object {
        location["logicalLocations"] =
            json!([{ "fullyQualifiedName": object.to_string(), "kind": "resource" }]);
    }
    location
}

/// A path as a relative reference: everything but unreserved characters and slashes is encoded.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}
