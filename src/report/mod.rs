//! Findings in the form that a reader wants: a format a file, all over the same list.

pub(crate) mod audit;
mod fingerprint;
mod github;
pub(crate) mod graph;
pub(crate) mod images;
mod json;
mod junit;
pub(crate) mod redact;
mod sarif;
mod secrets;
mod text;

use std::io::{self, Write};

use serde_json::{Map, Value, json};

use crate::finding::{Finding, Label, Level, ObjectId};
use crate::load::embedded;
use crate::source::{LineCol, SourceMap};

/// A form of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// For people, with the lines of the source.
    Text,
    /// One object, as the contract has it.
    Json,
    /// SARIF 2.1.0, for code scanning.
    Sarif,
    /// Workflow annotations of GitHub.
    Github,
    /// `JUnit` XML.
    Junit,
}

/// What a format needs to know of a rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RuleText {
    /// Its code.
    pub(crate) code: &'static str,
    /// The ids of specification entries that it answers to.
    pub(crate) ids: &'static [&'static str],
    /// Its gravest level.
    pub(crate) level: Level,
    /// One line.
    pub(crate) summary: &'static str,
    /// Its page.
    pub(crate) explain: &'static str,
}

/// What a report is made of.
pub(crate) struct Report<'r> {
    /// The findings, sorted.
    pub(crate) findings: &'r [Finding],
    /// The texts that they point into.
    pub(crate) sources: &'r SourceMap,
    /// The rules there are.
    pub(crate) rules: &'r [RuleText],
    /// What to put before a path so that it counts from the root of the git work tree; for SARIF,
    /// annotations and `JUnit`.
    pub(crate) prefix: &'r str,
    /// Whether text may be coloured.
    pub(crate) colour: bool,
    /// What a JSON report holds beside the findings.
    pub(crate) more: Map<String, Value>,
    /// The least level that fails a run; none where nothing does.
    pub(crate) least: Option<Level>,
}

/// What kind of thing a text came from.
enum Origin<'r> {
    /// A file, by its path from the root of the work tree.
    File(String),
    /// Something that is no file of the work tree: standard input, or a text inside the program.
    Elsewhere(&'r str),
}

impl Report<'_> {
    /// What each finding is recognised by when lines move.
    pub(crate) fn fingerprints(&self) -> Vec<String> {
        fingerprint::fingerprints(self)
    }

    /// Whether a finding fails the run.
    fn fails(&self, finding: &Finding) -> bool {
        self.least.is_some_and(|least| finding.level >= least)
    }

    /// Writes the findings in a format.
    pub(crate) fn write(&self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        let shown = |finding: &Finding| redact::shown(finding, self.sources);
        let findings: Vec<Finding> = self.findings.iter().map(shown).collect();
        let report = &Report {
            findings: &findings,
            more: self.more.clone(),
            ..*self
        };
        match format {
            Format::Text => text::write(report, out),
            Format::Json => json::write(report, out),
            Format::Sarif => sarif::write(report, out),
            Format::Github => github::write(report, out),
            Format::Junit => junit::write(report, out),
        }
    }

    /// How many findings have a level.
    fn count(&self, level: Level) -> usize {
        self.findings
            .iter()
            .filter(|finding| finding.level == level)
            .count()
    }

    /// The name of a label's text.
    fn path(&self, label: &Label) -> &str {
        &self.sources.get(label.span.source).path
    }

    /// Where a label's text came from. A file may well be called `embedded/fluxcd.yaml`; it is the
    /// program's own only if it says the same.
    fn origin(&self, label: &Label) -> Origin<'_> {
        let source = self.sources.get(label.span.source);
        if source.path == "-" {
            return Origin::Elsewhere("stdin");
        }
        let own = source.path.strip_prefix("embedded/").is_some_and(|name| {
            embedded::files()
                .iter()
                .any(|&(file, text)| file == name && text == source.text)
        });
        if own {
            Origin::Elsewhere(&source.path)
        } else {
            Origin::File(self.rooted(&source.path))
        }
    }

    /// `file:line:column` of a label, for a sentence.
    fn shown(&self, label: &Label) -> String {
        let path = match self.path(label) {
            "-" => "stdin",
            path => path,
        };
        format!("{path}:{}", self.places(label).0)
    }

    /// The related places of a finding, a line each.
    fn related(&self, finding: &Finding) -> String {
        let line = |label: &Label| match label.message.as_str() {
            "" => format!("\nsee {}", self.shown(label)),
            message => format!("\nsee {}: {message}", self.shown(label)),
        };
        finding
            .related
            .iter()
            .map(line)
            .collect::<Vec<_>>()
            .concat()
    }

    /// A path from the root of the work tree.
    fn rooted(&self, path: &str) -> String {
        let mut parts: Vec<&str> = self
            .prefix
            .split('/')
            .filter(|part| !part.is_empty())
            .collect();
        for part in path.split('/') {
            match part {
                ".." if parts.last().is_some_and(|last| *last != "..") => {
                    parts.pop();
                }
                "." | "" => {}
                part => parts.push(part),
            }
        }
        parts.join("/")
    }

    /// Where a label begins and ends; the end is exclusive.
    fn places(&self, label: &Label) -> (LineCol, LineCol) {
        let source = self.sources.get(label.span.source);
        (
            source.line_col(label.span.start),
            source.line_col(label.span.end),
        )
    }
}

/// The summary line: `2 errors, 1 warning`.
fn summary(report: &Report<'_>) -> String {
    let part = |level: Level| {
        let count = report.count(level);
        let plural = if count == 1 { "" } else { "s" };
        (count > 0).then(|| format!("{count} {level}{plural}"))
    };
    let parts: Vec<String> = [Level::Error, Level::Warning, Level::Note]
        .into_iter()
        .filter_map(part)
        .collect();
    if parts.is_empty() {
        "no findings".to_owned()
    } else {
        parts.join(", ")
    }
}

/// An object as JSON, without what is unknown.
fn object(id: &ObjectId) -> Value {
    let mut map = Map::new();
    let fields = [
        ("apiVersion", id.api_version.as_str()),
        ("kind", &id.kind),
        ("namespace", &id.namespace),
        ("name", &id.name),
    ];
    for (key, value) in fields {
        if !value.is_empty() {
            map.insert(key.to_owned(), json!(value));
        }
    }
    Value::Object(map)
}

#[cfg(test)]
mod tests;
