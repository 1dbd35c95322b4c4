//! Findings as the contract's own JSON object (`design/cli.md`, "Findings").

use std::io::{self, Write};

use serde::Serialize;

use super::place::Place;
use super::{Counts, Report};
use crate::finding::{Finding, Label, ObjectId};

#[derive(Serialize)]
struct Root<'r> {
    version: u32,
    findings: Vec<Entry<'r>>,
    summary: Summary,
}

#[derive(Serialize)]
struct Entry<'r> {
    rule: &'r str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    ids: &'r [&'static str],
    level: String,
    message: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'r str>,
    #[serde(flatten)]
    region: Region<'r>,
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<Object<'r>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related: Vec<Related<'r>>,
}

#[derive(Serialize)]
struct Region<'r> {
    file: &'r str,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
}

#[derive(Serialize)]
struct Object<'r> {
    #[serde(rename = "apiVersion", skip_serializing_if = "str::is_empty")]
    api_version: &'r str,
    kind: &'r str,
    #[serde(skip_serializing_if = "str::is_empty")]
    namespace: &'r str,
    name: &'r str,
}

#[derive(Serialize)]
struct Related<'r> {
    message: &'r str,
    #[serde(flatten)]
    region: Region<'r>,
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<Object<'r>>,
}

#[derive(Serialize)]
struct Summary {
    error: usize,
    warning: usize,
    note: usize,
}

/// Writes the report.
pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let counts = Counts::of(report.findings);
    let root = Root {
        version: 1,
        findings: report
            .findings
            .iter()
            .map(|finding| entry(report, finding))
            .collect(),
        summary: Summary {
            error: counts.error,
            warning: counts.warning,
            note: counts.note,
        },
    };
    serde_json::to_writer_pretty(&mut *out, &root)?;
    out.write_all(b"\n")
}

fn entry<'r>(report: &Report<'r>, finding: &'r Finding) -> Entry<'r> {
    let related = finding.related.iter().map(|label| Related {
        message: &label.message,
        region: region(report, label),
        object: label.object.as_ref().map(object),
    });
    Entry {
        rule: finding.rule,
        ids: &finding.ids,
        level: finding.level.to_string(),
        message: &finding.message,
        help: finding.help.as_deref(),
        region: region(report, &finding.primary),
        object: finding.object().map(object),
        related: related.collect(),
    }
}

fn region<'r>(report: &Report<'r>, label: &Label) -> Region<'r> {
    let place = Place::of(report.sources, label.span);
    Region {
        file: &place.source.path,
        line: place.start.line,
        column: place.start.column,
        end_line: place.end.line,
        end_column: place.end.column,
    }
}

fn object(id: &ObjectId) -> Object<'_> {
    Object {
        api_version: &id.api_version,
        kind: &id.kind,
        namespace: &id.namespace,
        name: &id.name,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{example, written};
    use super::super::{Format, Report};
    use crate::finding::{Finding, Label, Level};
    use crate::source::Span;

    #[test]
    fn the_shape_is_the_contract() {
        let (sources, mut findings) = example();
        let bare = Label::new(Span {
            start: 4,
            end: 16,
            ..findings[0].related[0].span
        });
        findings.push(Finding::new("x", Level::Note, bare, "message"));
        let read: serde_json::Value =
            serde_json::from_str(&written(&Report::new(&findings, &sources), Format::Json))
                .unwrap();
        let expected = serde_json::json!({
            "version": 1,
            "findings": [
                {"rule": "override-unknown-field", "ids": ["RN001"], "level": "error",
                 "message": "unknown field `newTg`, expected `newTag`",
                 "help": "did you mean `newTag`?", "file": "my table.yaml",
                 "line": 3, "column": 3, "end_line": 3, "end_column": 8,
                 "object": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "old"},
                 "related": [{"message": "used here", "file": "old.yaml", "line": 2, "column": 7,
                    "end_line": 2, "end_column": 10,
                    "object": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "old"}}]},
                {"rule": "x", "level": "note", "message": "message", "file": "old.yaml",
                 "line": 1, "column": 5, "end_line": 1, "end_column": 17}
            ],
            "summary": {"error": 1, "warning": 0, "note": 1}
        });
        assert_eq!(read, expected);
    }
}
