//! Where the parts of the library meet: one thin function for each thing that a command asks of
//! tables, rules, the rewrite and the reports.

use std::sync::Arc;

use crate::finding::Finding;
use crate::load::Loaded;
use crate::model::overrides::OverrideTable;
use crate::resolve::images::{Filtered, Mode};
use crate::source::{Edit, Source, SourceMap};
use crate::yaml::Doc;

/// The formats of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// For people.
    Text,
    /// The contract's own.
    Json,
    /// SARIF 2.1.0.
    Sarif,
    /// Workflow annotations.
    Github,
    /// `JUnit` XML.
    Junit,
}

/// The two tables of a run; `None` where nothing gives one.
#[derive(Debug, Default)]
pub(super) struct Tables {
    /// Of Flux's own manifests.
    pub(super) flux: Option<OverrideTable>,
    /// Of releases.
    pub(super) platform: Option<OverrideTable>,
    /// What is wrong with them.
    pub(super) findings: Vec<Finding>,
}

/// The tables that the inputs give. Where not `strict`, rules of values only warn (`rewrite`).
pub(super) fn tables(_loaded: &Loaded, _strict: bool) -> Tables {
    Tables::default()
}

/// What a table does to the documents of one text, an outcome for each pass of the filter.
pub(super) fn filter(
    mode: Mode,
    _source: &Arc<Source>,
    _docs: &[Doc],
    _table: &OverrideTable,
) -> Vec<Filtered> {
    match mode {
        Mode::Legacy | Mode::Build => Vec::new(),
    }
}

/// The edits that an outcome makes.
pub(super) fn edits(_filtered: &Filtered, _docs: &[Doc]) -> Vec<Edit> {
    Vec::new()
}

/// A text with edits that lie in the piece of it that begins at `start`.
pub(super) fn apply(piece: &str, start: u32, mut edits: Vec<Edit>) -> String {
    edits.sort();
    let mut text = String::with_capacity(piece.len());
    let mut at = 0;
    for edit in &edits {
        let range = edit.span.range();
        let (from, to) = (range.start - start as usize, range.end - start as usize);
        text.push_str(&piece[at..from]);
        text.push_str(&edit.text);
        at = to;
    }
    text.push_str(&piece[at..]);
    text
}

/// What the rules find.
pub(super) fn check(
    _loaded: &Loaded,
    _tables: &Tables,
    _filtered: &[(usize, Filtered)],
) -> Vec<Finding> {
    Vec::new()
}

/// The code and the summary of every rule.
pub(super) fn rules() -> Vec<(&'static str, &'static str)> {
    Vec::new()
}

/// The page of a rule, by its code or one of its ids.
pub(super) fn page(_rule: &str) -> Option<String> {
    None
}

/// Findings in a format.
pub(super) fn report(
    format: Format,
    findings: &[Finding],
    sources: &SourceMap,
    _color: bool,
) -> Vec<u8> {
    match format {
        Format::Text | Format::Json | Format::Sarif | Format::Github | Format::Junit => {}
    }
    let mut text = String::new();
    for finding in findings {
        let source = sources.get(finding.primary.span.source);
        let place = source.line_col(finding.primary.span.start);
        let (path, level, rule) = (&source.path, finding.level, finding.rule);
        text += &format!("{path}:{place}: {level}[{rule}]: {}\n", finding.message);
        if let Some(help) = &finding.help {
            text += &format!("  help: {help}\n");
        }
    }
    text.into_bytes()
}
