//! Findings for people: the line of the source, what is wrong with it, how to mend it.

use std::io::{self, Write};

use annotate_snippets::{AnnotationKind, Group, Level as Shown, Renderer, Snippet};

use super::{Report, summary};
use crate::finding::{Finding, Label, Level};

/// How many bytes of a line are shown at most; a longer one is shown without its source.
const LONGEST_LINE: usize = 400;

/// Writes each finding as a block and the counts at the end.
pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let renderer = if report.colour { Renderer::styled() } else { Renderer::plain() };
    for finding in report.findings {
        writeln!(out, "{}\n", renderer.render(&groups(report, finding)))?;
    }
    writeln!(out, "{}", summary(report))
}

fn groups<'r>(report: &Report<'r>, finding: &'r Finding) -> Vec<Group<'r>> {
    let level = match finding.level {
        Level::Error => Shown::ERROR,
        Level::Warning => Shown::WARNING,
        Level::Note => Shown::NOTE,
    };
    let mut group = Group::with_title(level.primary_title(&finding.message).id(finding.rule));
    group = group.element(snippet(report, &finding.primary, AnnotationKind::Primary));
    for label in &finding.related {
        group = group.element(snippet(report, label, AnnotationKind::Context));
    }
    if let Some(help) = &finding.help {
        group = group.element(Shown::HELP.message(help));
    }
    vec![group]
}

/// The lines of a label alone, so that a large file is not copied for one place in it.
fn snippet<'r>(
    report: &Report<'r>,
    label: &'r Label,
    kind: AnnotationKind,
) -> Snippet<'r, annotate_snippets::Annotation<'r>> {
    let source = report.sources.get(label.span.source);
    let first = source.line_at(label.span.start);
    let end = label.span.range().end.min(first.end).max(label.span.range().start);
    let (start, end) = (label.span.range().start - first.start, end - first.start);
    let line = source.line_col(label.span.start).line;
    let text = &source.text[first.clone()];
    let hide = text.len() > LONGEST_LINE || may_hold_secrets(&source.text, label);
    let (text, start, end) = if hide { ("", 0, 0) } else { (text, start, end) };
    let mut annotation = kind.span(start..end);
    if !label.message.is_empty() {
        annotation = annotation.label(&label.message);
    }
    Snippet::source(text).line_start(line).path(&source.path).annotation(annotation)
}

/// Whether the document that a label stands in looks like a Secret: its lines are then not shown,
/// whether or not they could be read.
fn may_hold_secrets(text: &str, label: &Label) -> bool {
    let at = label.span.range().start.min(text.len());
    let start = memchr::memmem::rfind(&text.as_bytes()[..at], b"\n---").unwrap_or(0);
    let end = memchr::memmem::find(&text.as_bytes()[at..], b"\n---").map_or(text.len(), |end| at + end);
    let document = &text.as_bytes()[start..end];
    ["kind: Secret", "kind: \"Secret\"", "kind: 'Secret'", "\"kind\":\"Secret\"", "\"kind\": \"Secret\""]
        .iter()
        .any(|kind| memchr::memmem::find(document, kind.as_bytes()).is_some())
}
