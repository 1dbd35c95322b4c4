//! Findings for people: the line of the source, what is wrong with it, how to mend it.

use std::io::{self, Write};

use annotate_snippets::{AnnotationKind, Group, Level as Shown, Origin, Renderer, Snippet};

use super::secrets::Secrets;
use super::{Report, summary};
use crate::diff::conceals;
use crate::finding::{Finding, Label, Level};

/// How many bytes a line may have; of a longer one only the place is shown. The renderer shows what
/// fits into a terminal's width round the place.
const LONGEST_LINE: usize = 16 << 10;
/// How many related places of a finding are shown.
const MOST_RELATED: usize = 8;

/// Writes each finding as a block and the counts at the end.
pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let renderer = if report.colour {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let secrets = Secrets::of(report.sources);
    for finding in report.findings {
        let groups = groups(report, &secrets, finding);
        writeln!(out, "{}\n", renderer.render(&groups))?;
    }
    writeln!(out, "{}", summary(report))
}

fn groups<'r>(report: &Report<'r>, secrets: &Secrets<'_>, finding: &'r Finding) -> Vec<Group<'r>> {
    let level = match finding.level {
        Level::Error => Shown::ERROR,
        Level::Warning => Shown::WARNING,
        Level::Note => Shown::NOTE,
    };
    let mut group = Group::with_title(level.primary_title(&finding.message).id(finding.rule));
    group = point(
        report,
        secrets,
        group,
        &finding.primary,
        AnnotationKind::Primary,
    );
    for label in finding.related.iter().take(MOST_RELATED) {
        group = point(report, secrets, group, label, AnnotationKind::Context);
    }
    match finding.related.len().saturating_sub(MOST_RELATED) {
        0 => {}
        1 => group = group.element(Shown::NOTE.message("and 1 more place")),
        more => group = group.element(Shown::NOTE.message(format!("and {more} more places"))),
    }
    if let Some(help) = &finding.help {
        group = group.element(Shown::HELP.message(help));
    }
    vec![group]
}

/// Adds the first line of a label, alone, so that a large file is not copied for one place in it; of
/// a line that must not be shown or is too long, only the place.
fn point<'r>(
    report: &Report<'r>,
    secrets: &Secrets<'_>,
    group: Group<'r>,
    label: &'r Label,
    kind: AnnotationKind,
) -> Group<'r> {
    let source = report.sources.get(label.span.source);
    let first = source.line_at(label.span.start);
    let place = source.line_col(label.span.start);
    let path = if source.path == "-" {
        "<stdin>"
    } else {
        &source.path
    };
    let concealed = secrets.hold(label.span) || conceals(&source.text, label.span.range().start);
    if first.len() > LONGEST_LINE || concealed {
        let at = Origin::path(path)
            .line(place.line)
            .char_column(place.column);
        let group = group.element(at);
        return match label.message.as_str() {
            "" => group,
            message => group.element(Shown::NOTE.message(message)),
        };
    }
    // A place at the line feed lies behind the line that is shown, by the return before it.
    let start = label.span.range().start.min(first.end);
    let end = label.span.range().end.clamp(start, first.end);
    let mut annotation = kind.span(start - first.start..end - first.start);
    if !label.message.is_empty() {
        annotation = annotation.label(&label.message);
    }
    let text = &source.text[first];
    group.element(
        Snippet::source(text)
            .line_start(place.line)
            .path(path)
            .annotation(annotation),
    )
}
