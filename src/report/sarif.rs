//! Findings as SARIF 2.1.0, in the shape that code scanning services take.
//!
//! Own structs, a hundred lines, rather than a library for them. A text that is no file of the work
//! tree (stdin, the embedded set) gets a base of its own, which tells a reader not to look for it;
//! its location stays, since GitHub refuses a log with a result that has none.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use super::Report;
use super::place::{Origin, Place, from_root, origin};
use super::snippet::Line;
use crate::finding::{Finding, Label, Level};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
const ROOT: &str = "%SRCROOT%";
const ELSEWHERE: &str = "ELSEWHERE";

#[derive(Serialize)]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    column_kind: &'static str,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    original_uri_base_ids: BTreeMap<&'static str, Base>,
    results: Vec<Outcome>,
}

#[derive(Serialize)]
struct Base {
    description: Text,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    semantic_version: &'static str,
    information_uri: &'static str,
    rules: Vec<Descriptor>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor {
    id: &'static str,
    short_description: Text,
    #[serde(skip_serializing_if = "Option::is_none")]
    full_description: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<Page>,
    default_configuration: Configuration,
    #[serde(skip_serializing_if = "Option::is_none")]
    properties: Option<Tags>,
}

#[derive(Serialize)]
struct Text {
    text: String,
}

#[derive(Serialize)]
struct Page {
    text: String,
    markdown: String,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
struct Tags {
    tags: Vec<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Outcome {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Text,
    locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    partial_fingerprints: BTreeMap<&'static str, String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    physical_location: Physical,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logical_locations: Vec<Logical>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Artifact {
    uri: String,
    uri_base_id: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: usize,
    start_column: usize,
    end_line: usize,
    end_column: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Logical {
    fully_qualified_name: String,
    kind: &'static str,
}

/// Writes the report.
pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut codes: Vec<&'static str> = report.findings.iter().map(|found| found.rule).collect();
    codes.sort_unstable();
    codes.dedup();
    let mut seen = BTreeMap::new();
    let results: Vec<Outcome> = report
        .findings
        .iter()
        .map(|finding| outcome(report, finding, &codes, &mut seen))
        .collect();
    let log = Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "forebay",
                    semantic_version: env!("CARGO_PKG_VERSION"),
                    information_uri: env!("CARGO_PKG_REPOSITORY"),
                    rules: codes.iter().map(|code| descriptor(report, code)).collect(),
                },
            },
            column_kind: "unicodeCodePoints",
            original_uri_base_ids: bases(&results),
            results,
        }],
    };
    serde_json::to_writer_pretty(&mut *out, &log)?;
    out.write_all(b"\n")
}

/// What the bases in use mean.
fn bases(results: &[Outcome]) -> BTreeMap<&'static str, Base> {
    let texts = [
        (
            ROOT,
            "the root of the git work tree, or the working directory outside of one",
        ),
        (
            ELSEWHERE,
            "no file: standard input as `stdin`, or the manifests inside forebay",
        ),
    ];
    let locations = || {
        results
            .iter()
            .flat_map(|result| result.locations.iter().chain(&result.related_locations))
    };
    texts
        .into_iter()
        .filter(|(base, _)| {
            locations().any(|at| at.physical_location.artifact_location.uri_base_id == *base)
        })
        .map(|(base, text)| {
            (
                base,
                Base {
                    description: Text {
                        text: text.to_owned(),
                    },
                },
            )
        })
        .collect()
}

fn descriptor(report: &Report<'_>, code: &'static str) -> Descriptor {
    let info = (report.rules)(code);
    let page = info
        .map(|info| info.explain)
        .filter(|page| !page.is_empty());
    Descriptor {
        id: code,
        short_description: Text {
            text: info.map_or(code, |info| info.summary).to_owned(),
        },
        full_description: page.map(|page| Text {
            text: page
                .trim()
                .split("\n\n")
                .next()
                .unwrap_or_default()
                .replace('\n', " "),
        }),
        help: page.map(|page| Page {
            text: page.to_owned(),
            markdown: page.to_owned(),
        }),
        default_configuration: Configuration {
            level: level(info.map_or(Level::Warning, |info| info.level)),
        },
        properties: info.filter(|info| !info.ids.is_empty()).map(|info| Tags {
            tags: info.ids.to_vec(),
        }),
    }
}

fn outcome(
    report: &Report<'_>,
    finding: &Finding,
    codes: &[&'static str],
    seen: &mut BTreeMap<u64, u32>,
) -> Outcome {
    let text = match &finding.help {
        Some(help) => format!("{}\nhelp: {help}", finding.message),
        None => finding.message.clone(),
    };
    let hash = fingerprint(report, finding);
    let repeat = seen
        .entry(hash)
        .and_modify(|count| *count += 1)
        .or_insert(1);
    let related = finding
        .related
        .iter()
        .enumerate()
        .map(|(index, label)| Location {
            id: Some(index + 1),
            message: Some(Text {
                text: label.message.clone(),
            })
            .filter(|text| !text.text.is_empty()),
            ..location(report, label)
        });
    Outcome {
        rule_id: finding.rule,
        rule_index: codes
            .binary_search(&finding.rule)
            .expect("every finding's rule is listed"),
        level: level(finding.level),
        message: Text { text },
        locations: [location(report, &finding.primary)],
        related_locations: related.collect(),
        partial_fingerprints: BTreeMap::from([("forebay/v1", format!("{hash:016x}:{repeat}"))]),
    }
}

fn location(report: &Report<'_>, label: &Label) -> Location {
    let place = Place::of(report.sources, label.span);
    let (uri, uri_base_id) = match origin(place.source) {
        Origin::File(path) => (encoded(&from_root(report.prefix, path)), ROOT),
        Origin::Elsewhere(name) => (encoded(name), ELSEWHERE),
    };
    Location {
        id: None,
        physical_location: Physical {
            artifact_location: Artifact { uri, uri_base_id },
            region: Region {
                start_line: place.start.line,
                start_column: place.start.column,
                end_line: place.end.line,
                end_column: place.end.column,
            },
        },
        logical_locations: label
            .object
            .iter()
            .map(|object| Logical {
                fully_qualified_name: object.to_string(),
                kind: "resource",
            })
            .collect(),
        message: None,
    }
}

/// What stays the same when lines move: the rule, the object and the text of the line.
fn fingerprint(report: &Report<'_>, finding: &Finding) -> u64 {
    let span = finding.primary.span;
    let source = report.sources.get(span.source);
    let line = Line::new(source, source.line_at(span.start), report.secrets);
    let object = finding
        .object()
        .map(ToString::to_string)
        .unwrap_or_default();
    // FNV-1a: fixed for ever, unlike the standard library's hash.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in [finding.rule, &object, line.text().trim()]
        .join("\0")
        .bytes()
    {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "note",
    }
}

/// A path as a relative reference (RFC 3986): everything but unreserved characters and `/` escaped.
fn encoded(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

#[cfg(test)]
mod tests;
