//! Workflow commands of GitHub Actions, one line a finding.
//!
//! Source: the workflow-command syntax of GitHub Actions; columns only where a finding stands on
//! one line. What is no file of the work tree (standard input, the embedded set) is named in the
//! message instead.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::{Origin, Report};
use crate::finding::Level;

/// How many bytes an escaped message may have.
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
        let mut place = String::new();
        let mut message = String::new();
        match report.origin(&finding.primary) {
            Origin::File(path) => {
                let (path, first, last) = (property(&path), start.line, end.line);
                let _ = write!(place, "file={path},line={first},endLine={last},");
                if first == last {
                    let _ = write!(place, "col={},endColumn={},", start.column, end.column);
                }
            }
            // Without a file the annotation stands on the run.
            Origin::Elsewhere(_) => {
                message.push_str(&report.shown(&finding.primary));
                message.push_str(": ");
            }
        }
        message.push_str(&finding.message);
        if let Some(help) = &finding.help {
            message.push_str("\nhelp: ");
            message.push_str(help);
        }
        message.push_str(&report.related(finding));
        writeln!(
            out,
            "::{command} {place}title={}::{}",
            property(finding.rule),
            bounded(&message)
        )?;
    }
    Ok(())
}

/// A message, escaped, and cut where it grows too long.
fn bounded(message: &str) -> String {
    let mut escaped = String::new();
    for found in message.chars() {
        if escaped.len() >= LONGEST_MESSAGE {
            escaped.push('…');
            break;
        }
        escaped.push_str(&data(found.encode_utf8(&mut [0; 4])));
    }
    escaped
}

fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
