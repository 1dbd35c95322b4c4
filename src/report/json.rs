//! One JSON object: the contract of `check --format json` and of `--report`.

use std::io::{self, Write};

use serde_json::{Map, Value, json};

use super::{Report, object};
use crate::finding::{Finding, Label, Level};

/// Writes the object, indented, with a line end.
pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut whole = Map::new();
    whole.insert("version".to_owned(), json!(1));
    whole.insert("findings".to_owned(), findings(report));
    whole.extend(report.more.clone());
    whole.insert(
        "summary".to_owned(),
        json!({
            "error": report.count(Level::Error),
            "warning": report.count(Level::Warning),
            "note": report.count(Level::Note),
        }),
    );
    serde_json::to_writer_pretty(&mut *out, &Value::Object(whole))?;
    writeln!(out)
}

/// The findings of a report as a list.
pub(super) fn findings(report: &Report<'_>) -> Value {
    let findings = report.findings.iter();
    findings.map(|it| finding(report, it)).collect()
}

/// A finding in the shape of the contract.
pub(super) fn finding(report: &Report<'_>, finding: &Finding) -> Value {
    let mut map = Map::new();
    map.insert("rule".to_owned(), json!(finding.rule));
    if !finding.ids.is_empty() {
        map.insert("ids".to_owned(), json!(finding.ids));
    }
    map.insert("level".to_owned(), json!(finding.level.to_string()));
    map.insert("message".to_owned(), json!(finding.message));
    if let Some(help) = &finding.help {
        map.insert("help".to_owned(), json!(help));
    }
    place(report, &finding.primary, &mut map);
    if !finding.related.is_empty() {
        let related = finding.related.iter().map(|label| {
            let mut map = Map::new();
            map.insert("message".to_owned(), json!(label.message));
            place(report, label, &mut map);
            Value::Object(map)
        });
        map.insert("related".to_owned(), related.collect());
    }
    Value::Object(map)
}

fn place(report: &Report<'_>, label: &Label, map: &mut Map<String, Value>) {
    let (start, end) = report.places(label);
    map.insert("file".to_owned(), json!(report.path(label)));
    map.insert("line".to_owned(), json!(start.line));
    map.insert("column".to_owned(), json!(start.column));
    map.insert("end_line".to_owned(), json!(end.line));
    map.insert("end_column".to_owned(), json!(end.column));
    if let Some(id) = &label.object {
        map.insert("object".to_owned(), object(id));
    }
}
