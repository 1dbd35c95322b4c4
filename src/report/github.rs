//! Findings as annotations of a GitHub workflow: a workflow command a line.
//!
//! GitHub shows ten errors and ten warnings of a step and cuts long ones; nothing is left out here
//! for it, but a message is kept under 4 KB.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::Report;
use super::place::{Origin, Place, from_root, origin};
use crate::finding::{Finding, Level};

/// How long a message may be, escaped.
const LIMIT: usize = 3500;

/// Writes the report.
pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    for finding in report.findings {
        let command = match finding.level {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "notice",
        };
        let place = Place::of(report.sources, finding.primary.span);
        let mut properties = Vec::new();
        // Without a file, GitHub shows the annotation on the run.
        if let Origin::File(path) = origin(place.source) {
            properties.push(format!(
                "file={}",
                property(&from_root(report.prefix, path))
            ));
            properties.push(format!("line={}", place.start.line));
            properties.push(format!("endLine={}", place.end.line));
            // Columns are only understood within one line.
            if place.start.line == place.end.line {
                properties.push(format!("col={}", place.start.column));
                properties.push(format!("endColumn={}", place.end.column));
            }
        }
        properties.push(format!("title={}", property(finding.rule)));
        writeln!(
            out,
            "::{command} {}::{}",
            properties.join(","),
            message(report, finding, &place)
        )?;
    }
    Ok(())
}

/// The message with help and related places, escaped and bounded.
fn message(report: &Report<'_>, finding: &Finding, place: &Place<'_>) -> String {
    let mut text = match origin(place.source) {
        Origin::File(_) => finding.message.clone(),
        Origin::Elsewhere(_) => format!("{}: {}", place.shown(), finding.message),
    };
    if let Some(help) = &finding.help {
        let _ = write!(text, "\nhelp: {help}");
    }
    for label in &finding.related {
        let place = Place::of(report.sources, label.span).shown();
        let _ = match label.message.as_str() {
            "" => write!(text, "\nsee {place}"),
            message => write!(text, "\nsee {place}: {message}"),
        };
    }
    let mut escaped = String::new();
    for character in text.chars() {
        if escaped.len() >= LIMIT {
            escaped.push('…');
            break;
        }
        escape(&mut escaped, character);
    }
    escaped
}

fn escape(out: &mut String, character: char) {
    match character {
        '%' => out.push_str("%25"),
        '\r' => out.push_str("%0D"),
        '\n' => out.push_str("%0A"),
        other => out.push(other),
    }
}

fn property(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        match character {
            ':' => out.push_str("%3A"),
            ',' => out.push_str("%2C"),
            other => escape(&mut out, other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::tests::{example, place, written};
    use super::super::{Format, Report};
    use super::*;
    use crate::finding::Label;
    use crate::source::SourceMap;

    #[test]
    fn an_annotation_names_the_file_from_the_root_of_the_work_tree() {
        let (sources, findings) = example();
        let report = Report {
            prefix: "a,b/",
            ..Report::new(&findings, &sources)
        };
        assert_eq!(
            written(&report, Format::Github),
            "::error file=a%2Cb/my table.yaml,line=3,endLine=3,col=3,endColumn=8,\
             title=override-unknown-field::unknown field `newTg`, expected `newTag`\
             %0Ahelp: did you mean `newTag`?%0Asee old.yaml:2:7: used here\n"
        );
    }

    #[test]
    fn stdin_is_no_file_and_a_long_message_is_cut() {
        let mut sources = SourceMap::default();
        sources.add("-", "a: 1\nb: 2\n");
        let message = "100%\r".repeat(2000);
        let label = Label::new(place(&sources, 0, "1\nb"));
        let findings = [Finding::new("x", Level::Note, label, message)];
        let line = written(&Report::new(&findings, &sources), Format::Github);
        assert!(
            line.starts_with("::notice title=x::<stdin>:1:4: 100%25%0D100"),
            "{line}"
        );
        assert!(line.len() < 4096);
        assert!(line.ends_with("…\n"));
    }

    #[test]
    fn columns_are_left_out_where_a_place_has_many_lines() {
        let mut sources = SourceMap::default();
        sources.add("a.yaml", "a: 1\nb: 2\n");
        let label = Label::new(place(&sources, 0, "1\nb"));
        let findings = [Finding::new("x", Level::Warning, label, "message")];
        assert_eq!(
            written(&Report::new(&findings, &sources), Format::Github),
            "::warning file=a.yaml,line=1,endLine=2,title=x::message\n"
        );
    }
}
