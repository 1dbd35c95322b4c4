//! `JUnit` XML: a test case a finding, failed where the finding fails the run.

use std::io::{self, Write};

use super::{Origin, Report};

/// Writes one suite.
pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    let tests = report.findings.len().max(1);
    let failing = report
        .findings
        .iter()
        .filter(|finding| report.fails(finding));
    let failures = failing.count();
    writeln!(
        out,
        "<testsuites tests=\"{tests}\" failures=\"{failures}\">"
    )?;
    writeln!(
        out,
        "  <testsuite name=\"forebay\" tests=\"{tests}\" failures=\"{failures}\">"
    )?;
    if report.findings.is_empty() {
        writeln!(
            out,
            "    <testcase classname=\"forebay\" name=\"no findings\"/>"
        )?;
    }
    for finding in report.findings {
        let (start, _) = report.places(&finding.primary);
        let file = match report.origin(&finding.primary) {
            Origin::File(path) => path,
            Origin::Elsewhere(name) => name.to_owned(),
        };
        writeln!(
            out,
            "    <testcase classname=\"{}\" name=\"{}\" file=\"{}\" line=\"{}\">",
            escaped(finding.rule),
            escaped(&format!("{file}:{start}")),
            escaped(&file),
            start.line
        )?;
        let mut text = finding.message.clone();
        if let Some(help) = &finding.help {
            text.push_str("\nhelp: ");
            text.push_str(help);
        }
        text.push_str(&report.related(finding));
        if report.fails(finding) {
            writeln!(
                out,
                "      <failure message=\"{}\">{}</failure>",
                escaped(&finding.message),
                escaped(&text)
            )?;
        } else {
            let text = format!("{}: {text}", finding.level);
            writeln!(out, "      <system-out>{}</system-out>", escaped(&text))?;
        }
        writeln!(out, "    </testcase>")?;
    }
    writeln!(out, "  </testsuite>\n</testsuites>")
}

/// A text in XML; what XML cannot hold is replaced.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for found in text.chars() {
        match found {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            '\t' => out.push_str("&#9;"),
            found if found < ' ' || matches!(found, '\u{FFFE}' | '\u{FFFF}') => {
                out.push('\u{FFFD}');
            }
            found => out.push(found),
        }
    }
    out
}
