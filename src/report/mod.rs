//! Findings in the form that a reader wants: a format a file, each over the same [`Report`].
//!
//! Lives here: what a report is made of, and the choice of the format. What several formats need of
//! a place is in [`place`]; which findings there are, and what they make of the exit code, is decided
//! elsewhere.

mod github;
mod json;
mod junit;
mod place;
mod sarif;
mod snippet;
mod text;

use std::io::{self, Write};

use crate::finding::{Finding, Level};
use crate::source::{SourceMap, Span};

/// The formats of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// The contract's own object.
    Json,
    /// SARIF 2.1.0.
    Sarif,
    /// Annotations of a GitHub workflow.
    Github,
    /// `JUnit` XML.
    Junit,
}

/// What a report says of a rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RuleInfo {
    /// The code, kebab-case.
    pub(crate) code: &'static str,
    /// The level that its findings have unless they say otherwise.
    pub(crate) level: Level,
    /// One line.
    pub(crate) summary: &'static str,
    /// The page, Markdown.
    pub(crate) explain: &'static str,
    /// The ids of specification entries that it answers to.
    pub(crate) ids: &'static [&'static str],
}

/// What a report is made of.
#[derive(Clone, Copy)]
pub(crate) struct Report<'r> {
    /// The findings, sorted as [`crate::finding::sort`] does.
    pub(crate) findings: &'r [Finding],
    /// The texts that they point into.
    pub(crate) sources: &'r SourceMap,
    /// What is known of a rule, by its code.
    pub(crate) rules: &'r dyn Fn(&str) -> Option<RuleInfo>,
    /// Places whose text is never shown.
    pub(crate) secrets: &'r [Span],
    /// The working directory as seen from the root of the git work tree, empty or ending in `/`:
    /// what SARIF, annotations and `JUnit` put before a file's name.
    pub(crate) prefix: &'r str,
    /// The least level that counts as a failed test in `JUnit`; `None` where nothing does.
    pub(crate) fails: Option<Level>,
    /// Whether text is coloured.
    pub(crate) color: bool,
}

impl<'r> Report<'r> {
    /// A report without colour, secrets and prefix, of rules that nothing is known of, in which
    /// errors are failures.
    pub(crate) fn new(findings: &'r [Finding], sources: &'r SourceMap) -> Report<'r> {
        Report {
            findings,
            sources,
            rules: &|_| None,
            secrets: &[],
            prefix: "",
            fails: Some(Level::Error),
            color: false,
        }
    }

    /// Writes the report. The same findings give the same bytes. The error is the writer's.
    pub(crate) fn write(&self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        match format {
            Format::Text => text::write(self, out),
            Format::Json => json::write(self, out),
            Format::Sarif => sarif::write(self, out),
            Format::Github => github::write(self, out),
            Format::Junit => junit::write(self, out),
        }
    }
}

/// How many findings there are of each level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    error: usize,
    warning: usize,
    note: usize,
}

impl Counts {
    fn of(findings: &[Finding]) -> Counts {
        let count = |level| {
            findings
                .iter()
                .filter(|finding| finding.level == level)
                .count()
        };
        Counts {
            error: count(Level::Error),
            warning: count(Level::Warning),
            note: count(Level::Note),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Label, ObjectId};
    use crate::source::SourceId;

    /// The place of the first `word` in a text.
    pub(super) fn place(sources: &SourceMap, source: u32, word: &str) -> Span {
        let id = SourceId(source);
        let start = sources.get(id).text.find(word).unwrap();
        Span {
            source: id,
            start: u32::try_from(start).unwrap(),
            end: u32::try_from(start + word.len()).unwrap(),
        }
    }

    /// Two files and an error with everything that an error can have.
    pub(super) fn example() -> (SourceMap, Vec<Finding>) {
        let mut sources = SourceMap::default();
        sources.add(
            "my table.yaml",
            "- name: a\r\n  # тег\r\n  newTg: \"1\"\r\n",
        );
        sources.add("old.yaml", "kind: Deployment\nname: old\n");
        let object = ObjectId {
            api_version: "apps/v1".to_owned(),
            kind: "Deployment".to_owned(),
            namespace: String::new(),
            name: "old".to_owned(),
        };
        let finding = Finding::new(
            "override-unknown-field",
            Level::Error,
            Label::new(place(&sources, 0, "newTg")).object(&object),
            "unknown field `newTg`, expected `newTag`",
        )
        .help("did you mean `newTag`?")
        .id("RN001")
        .related(
            Label::new(place(&sources, 1, "old"))
                .message("used here")
                .object(&object),
        );
        (sources, vec![finding])
    }

    /// The report as text.
    pub(super) fn written(report: &Report<'_>, format: Format) -> String {
        let mut bytes = Vec::new();
        report.write(format, &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn a_report_without_findings_is_whole_in_every_format() {
        let sources = SourceMap::default();
        let report = Report::new(&[], &sources);
        assert_eq!(written(&report, Format::Text), "no findings\n");
        assert_eq!(written(&report, Format::Github), "");
        for format in [Format::Json, Format::Sarif] {
            let read: serde_json::Value = serde_json::from_str(&written(&report, format)).unwrap();
            assert!(read.is_object());
        }
        assert!(written(&report, Format::Junit).contains("tests=\"1\" failures=\"0\""));
    }
}
