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
            ids: rule.ids,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Label, ObjectId};
    use crate::resolve::schema::against;
    use crate::source::Span;
    use crate::yaml::read_all;

    /// A report as code scanning gets it, with a finding that has everything or with none.
    fn sarif(full: bool) -> String {
        let mut sources = SourceMap::default();
        let source = sources.add("a b/t.yaml", "images:\n- name: x # c\n");
        let span = Span {
            source: source.id,
            start: 8,
            end: 12,
        };
        let id = ObjectId {
            kind: "Pod".into(),
            name: "p".to_owned(),
            ..ObjectId::default()
        };
        let finding = Finding::new(
            "yaml-word",
            Level::Note,
            Label::new(span).object(&id),
            "said",
        )
        .help("mend it")
        .related(Label::new(Span::default()).message("there"));
        let findings = if full { vec![finding] } else { Vec::new() };
        let text = report(Format::Sarif, &findings, &sources, &Map::new(), false);
        String::from_utf8(text).expect("reports are UTF-8")
    }

    #[test]
    fn sarif_has_the_published_form() {
        let Some(path) = std::env::var_os("FOREBAY_SARIF_SCHEMA") else {
            eprintln!("skipped: FOREBAY_SARIF_SCHEMA names no schema of SARIF");
            return;
        };
        let schema = std::fs::read_to_string(path).expect("the schema can be read");
        let mut sources = SourceMap::default();
        let mut read = |name: &str, text: String| {
            let source = sources.add(name, text);
            read_all(&source).remove(0).expect("JSON is YAML")
        };
        let schema = read("schema", schema);
        let root = schema.root().expect("a schema");
        for full in [true, false] {
            let log = read("log", sarif(full));
            let told = against(root, log.root().expect("a log"));
            let told: Vec<_> = told.into_iter().map(|it| it.what).collect();
            assert_eq!(told, Vec::<String>::new());
        }
        // The schema bites.
        let wrong = sarif(true)
            .replace("startLine", "line")
            .replace("\"2.1.0\"", "\"2.2\"");
        let wrong = read("wrong", wrong);
        assert!(against(root, wrong.root().expect("a log")).len() >= 3);
    }
}
