//! `JUnit` XML: a test case a finding, failed where it is an error.

use std::io::{self, Write};

use super::Report;
use crate::finding::Level;

/// Writes one suite.
pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    let tests = report.findings.len().max(1);
    let failures = report.count(Level::Error);
    writeln!(out, "<testsuites tests=\"{tests}\" failures=\"{failures}\">")?;
    writeln!(out, "  <testsuite name=\"forebay\" tests=\"{tests}\" failures=\"{failures}\">")?;
    if report.findings.is_empty() {
        writeln!(out, "    <testcase classname=\"forebay\" name=\"no findings\"/>")?;
    }
    for finding in report.findings {
        let (start, _) = report.places(&finding.primary);
        let file = report.rooted(&finding.primary);
        writeln!(
            out,
            "    <testcase classname=\"{}\" name=\"{}\">",
            escaped(finding.rule),
            escaped(&format!("{file}:{start}"))
        )?;
        let mut text = finding.message.clone();
        if let Some(help) = &finding.help {
            text.push_str("\nhelp: ");
            text.push_str(help);
        }
        if finding.level == Level::Error {
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
            '\t' => out.push_str("&#9;"),
            found if found < ' ' || matches!(found, '\u{FFFE}' | '\u{FFFF}') => out.push('\u{FFFD}'),
            found => out.push(found),
        }
    }
    out
}
