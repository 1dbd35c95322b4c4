//! Workflow commands of GitHub Actions, one line a finding.
//!
//! Source: the workflow-command syntax of GitHub Actions; columns only where a finding stands on
//! one line.

use std::io::{self, Write};

use super::Report;
use crate::finding::Level;

/// How many bytes of a message are shown.
const LONGEST_MESSAGE: usize = 4000;

/// Writes the annotations.
pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    for finding in report.findings {
        let command = match finding.level {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "notice",
        };
        let (start, end) = report.places(&finding.primary);
        let mut place = format!(
            "file={},line={},endLine={}",
            property(&report.rooted(&finding.primary)),
            start.line,
            end.line
        );
        if start.line == end.line {
            place.push_str(&format!(",col={},endColumn={}", start.column, end.column));
        }
        let mut message = finding.message.clone();
        if let Some(help) = &finding.help {
            message.push_str("\nhelp: ");
            message.push_str(help);
        }
        if message.len() > LONGEST_MESSAGE {
            let end = (0..=LONGEST_MESSAGE).rev().find(|&at| message.is_char_boundary(at));
            message.truncate(end.unwrap_or(0));
            message.push('…');
        }
        writeln!(out, "::{command} {place},title={}::{}", property(finding.rule), data(&message))?;
    }
    Ok(())
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
