//! Findings as `JUnit` XML: a suite a file, a test case a finding.
//!
//! A finding that fails the run is a failed test; a lesser one is a passed test that says something,
//! so that a build does not look broken for a warning. Without findings one passed test remains,
//! since some readers take a report without tests for a broken one.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::Report;
use super::place::{Origin, Place, from_root, origin};
use crate::finding::Finding;

/// Writes the report.
pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    let total = report.findings.len().max(1);
    writeln!(
        out,
        "<testsuites name=\"forebay\" tests=\"{total}\" failures=\"{}\">",
        failures(report, report.findings)
    )?;
    if report.findings.is_empty() {
        writeln!(
            out,
            "  <testsuite name=\"forebay\" tests=\"1\" failures=\"0\" errors=\"0\">"
        )?;
        writeln!(
            out,
            "    <testcase classname=\"forebay\" name=\"no findings\"/>"
        )?;
        writeln!(out, "  </testsuite>")?;
    }
    // Sorted findings have those of one source side by side.
    for suite in report
        .findings
        .chunk_by(|a, b| a.primary.span.source == b.primary.span.source)
    {
        writeln!(
            out,
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\">",
            escaped(&file(report, &suite[0])),
            suite.len(),
            failures(report, suite)
        )?;
        for finding in suite {
            case(report, finding, out)?;
        }
        writeln!(out, "  </testsuite>")?;
    }
    writeln!(out, "</testsuites>")
}

fn fails(report: &Report<'_>, finding: &Finding) -> bool {
    report.fails.is_some_and(|least| finding.level >= least)
}

fn failures(report: &Report<'_>, findings: &[Finding]) -> usize {
    findings
        .iter()
        .filter(|finding| fails(report, finding))
        .count()
}

/// The file of a finding as seen from the root of the work tree.
fn file(report: &Report<'_>, finding: &Finding) -> String {
    match origin(report.sources.get(finding.primary.span.source)) {
        Origin::File(path) => from_root(report.prefix, path),
        Origin::Elsewhere(name) => name.to_owned(),
    }
}

fn case(report: &Report<'_>, finding: &Finding, out: &mut dyn Write) -> io::Result<()> {
    let place = Place::of(report.sources, finding.primary.span);
    let file = file(report, finding);
    let rule = finding.rule;
    writeln!(
        out,
        "    <testcase classname=\"{rule}\" name=\"{}\" file=\"{}\" line=\"{}\">",
        escaped(&format!("{rule} at {file}:{}", place.start)),
        escaped(&file),
        place.start.line
    )?;
    let body = escaped(&body(report, finding, &format!("{file}:{}", place.start)));
    if fails(report, finding) {
        let message = escaped(&finding.message);
        writeln!(
            out,
            "      <failure type=\"{rule}\" message=\"{message}\">{body}</failure>"
        )?;
    } else {
        writeln!(out, "      <system-out>{body}</system-out>")?;
    }
    writeln!(out, "    </testcase>")
}

/// Everything about a finding, a line each.
fn body(report: &Report<'_>, finding: &Finding, at: &str) -> String {
    let mut text = format!(
        "{at}: {}[{}]: {}",
        finding.level, finding.rule, finding.message
    );
    if let Some(object) = finding.object() {
        let _ = write!(text, "\nin {object}");
    }
    for label in &finding.related {
        let place = Place::of(report.sources, label.span).shown();
        let _ = match label.message.as_str() {
            "" => write!(text, "\nsee {place}"),
            message => write!(text, "\nsee {place}: {message}"),
        };
    }
    if let Some(help) = &finding.help {
        let _ = write!(text, "\nhelp: {help}");
    }
    text
}

/// Text for an attribute or an element. What XML 1.0 cannot hold becomes U+FFFD (section 2.2, Char).
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            '\t' => out.push_str("&#9;"),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::tests::{example, written};
    use super::super::{Format, Report};
    use super::*;
    use crate::finding::Level;

    #[test]
    fn an_error_is_a_failure_and_a_lesser_finding_passes() {
        let (sources, mut findings) = example();
        let mut note = findings[0].clone();
        note.level = Level::Note;
        note.message = "a\u{1b}<b> & \"c\"".to_owned();
        note.related.clear();
        note.help = None;
        findings.push(note);
        assert_eq!(
            written(
                &Report {
                    prefix: "x/",
                    ..Report::new(&findings, &sources)
                },
                Format::Junit
            ),
            r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="forebay" tests="2" failures="1">
  <testsuite name="x/my table.yaml" tests="2" failures="1" errors="0">
    <testcase classname="override-unknown-field" name="override-unknown-field at x/my table.yaml:3:3" file="x/my table.yaml" line="3">
      <failure type="override-unknown-field" message="unknown field `newTg`, expected `newTag`">x/my table.yaml:3:3: error[override-unknown-field]: unknown field `newTg`, expected `newTag`&#10;in Deployment old&#10;see old.yaml:2:7: used here&#10;help: did you mean `newTag`?</failure>
    </testcase>
    <testcase classname="override-unknown-field" name="override-unknown-field at x/my table.yaml:3:3" file="x/my table.yaml" line="3">
      <system-out>x/my table.yaml:3:3: note[override-unknown-field]: a�&lt;b&gt; &amp; &quot;c&quot;&#10;in Deployment old</system-out>
    </testcase>
  </testsuite>
</testsuites>
"#
        );
    }
}
