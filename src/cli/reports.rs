//! Findings in a format: what the reports need to know besides.

use std::io::{self, Write};
use std::path::Path;

use serde_json::{Map, Value};

use super::join::Format;
use crate::finding::{Finding, Level};
use crate::report::{self, Report, RuleText};
use crate::resolve::audit::Audit;
use crate::rules;
use crate::source::SourceMap;

/// What a report says besides the findings.
struct Beside<'b> {
    /// Stands beside them in JSON.
    more: &'b Map<String, Value>,
    colour: bool,
    /// The least level that fails the run.
    least: Option<Level>,
}

/// Findings in a format; `more` stands beside them in JSON, and `least` is what fails a run.
pub(super) fn report_as(
    format: Format,
    findings: &[Finding],
    sources: &SourceMap,
    more: &Map<String, Value>,
    colour: bool,
    least: Option<Level>,
) -> Vec<u8> {
    let mut out = Vec::new();
    let beside = Beside {
        more,
        colour,
        least,
    };
    with_report(format, findings, sources, &beside, |report| {
        report
            .write(format, &mut out)
            .expect("a vector takes everything");
    });
    out
}

/// The same where errors fail a run.
pub(super) fn report(
    format: Format,
    findings: &[Finding],
    sources: &SourceMap,
    more: &Map<String, Value>,
    colour: bool,
) -> Vec<u8> {
    report_as(format, findings, sources, more, colour, Some(Level::Error))
}

/// An audit in a format: text and JSON of its own, the others over its findings. `malformed` are
/// those of the findings that the reading met.
pub(super) fn report_audit(
    format: Format,
    audit: &Audit<'_>,
    malformed: &[Finding],
    findings: &[Finding],
    sources: &SourceMap,
    colour: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let beside = Beside {
        more: &Map::new(),
        colour,
        least: Some(Level::Error),
    };
    with_report(format, findings, sources, &beside, |report| match format {
        Format::Text => report::audit::text(audit, report, malformed, out),
        Format::Json => report::audit::json(audit, report, out),
        Format::Sarif | Format::Github | Format::Junit => report.write(format, out),
    })
}

/// Hands on a report over findings, with the rules' texts.
fn with_report<T>(
    format: Format,
    findings: &[Finding],
    sources: &SourceMap,
    beside: &Beside<'_>,
    write: impl FnOnce(&Report<'_>) -> T,
) -> T {
    let rules: Vec<RuleText> = rules::RULES
        .iter()
        .map(|rule| RuleText {
            code: rule.code,
            level: rule.level,
            summary: rule.summary,
            explain: rule.explain,
        })
        .collect();
    let prefix = match format {
        Format::Text | Format::Json => String::new(),
        Format::Sarif | Format::Github | Format::Junit => work_tree_prefix().unwrap_or_default(),
    };
    write(&Report {
        findings,
        sources,
        rules: &rules,
        prefix: &prefix,
        colour: beside.colour,
        more: beside.more.clone(),
        least: beside.least,
    })
}

/// What findings are recognised by when lines move, in their order.
pub(super) fn fingerprints(findings: &[Finding], sources: &SourceMap) -> Vec<String> {
    let report = Report {
        findings,
        sources,
        rules: &[],
        prefix: &work_tree_prefix().unwrap_or_default(),
        colour: false,
        more: Map::new(),
        least: None,
    };
    report.fingerprints()
}

/// The working directory as seen from the root of its git work tree.
fn work_tree_prefix() -> Option<String> {
    let here = std::env::current_dir().ok()?;
    let root = here.ancestors().find(|place| place.join(".git").exists())?;
    let parts: Option<Vec<&str>> = here
        .strip_prefix(root)
        .ok()
        .map(Path::iter)?
        .map(|part| part.to_str())
        .collect();
    Some(parts?.join("/"))
}
