//! Findings in a format: what the reports need to know besides.

use std::path::Path;

use serde_json::{Map, Value};

use super::join::Format;
use crate::finding::{Finding, Level};
use crate::report::{Report, RuleText};
use crate::rules;
use crate::source::SourceMap;

/// Findings in a format; `more` stands beside them in JSON, and `least` is what fails a run.
pub(super) fn report_as(
    format: Format,
    findings: &[Finding],
    sources: &SourceMap,
    more: &Map<String, Value>,
    colour: bool,
    least: Option<Level>,
) -> Vec<u8> {
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
    let report = Report {
        findings,
        sources,
        rules: &rules,
        prefix: &prefix,
        colour,
        more: more.clone(),
        least,
    };
    let mut out = Vec::new();
    report
        .write(format, &mut out)
        .expect("a vector takes everything");
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
