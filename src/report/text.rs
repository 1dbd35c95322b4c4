//! Findings for people: message, source lines with what is meant underlined, help, and a last line
//! that counts.
//!
//! Only the lines pointed at reach the renderer, so that a large file costs nothing; the place is
//! printed by us, so that cut and masked lines keep their numbers. A place of many lines is shown by
//! its first one.

use std::io::{self, Write};

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level as Title, Origin, Renderer, Snippet};

use super::place::{Place, name};
use super::snippet::Line;
use super::{Counts, Report};
use crate::finding::{Finding, Label, Level};

/// How many related places of a finding are shown.
const RELATED: usize = 8;
/// How many lines between two places are shown rather than begun anew.
const GAP: usize = 2;

/// Writes the report.
pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let renderer = if report.color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let renderer = renderer.decor_style(DecorStyle::Ascii);
    for finding in report.findings {
        let text = renderer.render(&[group(report, finding)]);
        writeln!(out, "{}\n", text.trim_end())?;
    }
    writeln!(out, "{}", summary(Counts::of(report.findings)))
}

/// One finding, to be drawn.
fn group<'r>(report: &Report<'r>, finding: &'r Finding) -> Group<'r> {
    let level = match finding.level {
        Level::Error => Title::ERROR,
        Level::Warning => Title::WARNING,
        Level::Note => Title::NOTE,
    };
    let mut group = Group::with_title(level.primary_title(&finding.message).id(finding.rule));
    let mut labels = vec![(AnnotationKind::Primary, &finding.primary)];
    labels.extend(
        finding
            .related
            .iter()
            .take(RELATED)
            .map(|at| (AnnotationKind::Context, at)),
    );
    for cluster in clusters(report, labels) {
        let first = &cluster[0].2;
        group = group
            .element(
                Origin::path(name(first.source))
                    .line(first.start.line)
                    .char_column(first.start.column),
            )
            .element(snippet(report, cluster));
    }
    if let Some(object) = finding.object() {
        group = group.element(Title::NOTE.message(format!("in {object}")));
    }
    match finding.related.len().saturating_sub(RELATED) {
        0 => {}
        1 => group = group.element(Title::NOTE.message("and 1 more place")),
        more => group = group.element(Title::NOTE.message(format!("and {more} more places"))),
    }
    if let Some(help) = &finding.help {
        group = group.element(Title::HELP.message(help));
    }
    group
}

/// Labels that are drawn together, with their places: the one that names the place stands first.
type Cluster<'r> = Vec<(AnnotationKind, &'r Label, Place<'r>)>;

/// Puts labels together whose lines nearly touch, in the order of the first of each.
fn clusters<'r>(report: &Report<'r>, labels: Vec<(AnnotationKind, &'r Label)>) -> Vec<Cluster<'r>> {
    let mut clusters: Vec<Cluster<'r>> = Vec::new();
    for (kind, label) in labels {
        let place = Place::of(report.sources, label.span);
        let near = clusters.iter_mut().find(|cluster| {
            cluster.iter().any(|(_, _, other)| {
                other.source.id == place.source.id
                    && other.start.line.abs_diff(place.start.line) <= GAP
            })
        });
        match near {
            Some(cluster) => cluster.push((kind, label, place)),
            None => clusters.push(vec![(kind, label, place)]),
        }
    }
    clusters
}

/// The lines of a cluster.
fn snippet<'r>(
    report: &Report<'r>,
    cluster: Cluster<'r>,
) -> Snippet<'r, annotate_snippets::Annotation<'r>> {
    let source = cluster[0].2.source;
    let mut numbers: Vec<(usize, u32)> = cluster
        .iter()
        .map(|(_, label, place)| (place.start.line, label.span.start))
        .collect();
    numbers.sort_unstable();
    let (first, from) = numbers[0];
    let last = numbers[numbers.len() - 1].0;
    let mut text = String::new();
    let mut annotations = Vec::new();
    let mut bytes = source.line_at(from);
    for number in first..=last {
        let line = Line::new(source, bytes.clone(), report.secrets);
        let here: Vec<_> = cluster
            .iter()
            .filter(|(_, _, place)| place.start.line == number)
            .collect();
        let mut places: Vec<_> = here
            .iter()
            .map(|(_, label, _)| {
                let span = label.span.range();
                let start = span.start.min(bytes.end);
                line.shown(&(start..span.end.clamp(start, bytes.end)))
            })
            .collect();
        let shown = line.cut(&mut places);
        for ((kind, label, _), place) in here.into_iter().zip(places) {
            let span = place.start + text.len()..place.end + text.len();
            let annotation = kind.span(span);
            annotations.push(match label.message.as_str() {
                "" => annotation,
                message => annotation.label(message),
            });
        }
        text.push_str(&shown);
        text.push('\n');
        // The next line begins behind the line feed that ends this one.
        let end = source.text[bytes.end..]
            .find('\n')
            .map_or(source.text.len(), |at| bytes.end + at + 1);
        bytes = source.line_at(u32::try_from(end).unwrap_or(u32::MAX));
    }
    Snippet::source(text)
        .line_start(first)
        .fold(false)
        .annotations(annotations)
}

/// `2 errors, 1 warning`.
fn summary(counts: Counts) -> String {
    let part = |count: usize, one: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        _ => Some(format!("{count} {one}s")),
    };
    let parts: Vec<_> = [
        part(counts.error, "error"),
        part(counts.warning, "warning"),
        part(counts.note, "note"),
    ]
    .into_iter()
    .flatten()
    .collect();
    if parts.is_empty() {
        "no findings".to_owned()
    } else {
        parts.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{example, place, written};
    use super::super::{Format, Report};
    use super::*;
    use crate::source::SourceMap;

    #[test]
    fn a_finding_shows_its_places_its_object_and_its_help() {
        let (sources, findings) = example();
        let expected = "";
        assert_eq!(
            written(&Report::new(&findings, &sources), Format::Text),
            expected
        );
    }

    #[test]
    fn places_near_each_other_share_a_snippet_and_secrets_stay_masked() {
        let mut sources = SourceMap::default();
        sources.add("-", "a: hunter2\nb: hunter2\nc: 3\n");
        let finding = Finding::new(
            "x",
            Level::Note,
            Label::new(place(&sources, 0, "c")),
            "message",
        )
        .related(Label::new(place(&sources, 0, "hunter2")).message("here"));
        let secret = [
            place(&sources, 0, "hunter2"),
            place(&sources, 0, "hunter2\nc"),
        ];
        let findings = [finding];
        let report = Report {
            secrets: &secret,
            ..Report::new(&findings, &sources)
        };
        let expected = "";
        assert_eq!(written(&report, Format::Text), expected);
    }

    #[test]
    fn a_place_at_the_end_of_an_empty_text_can_be_shown() {
        let mut sources = SourceMap::default();
        sources.add("empty.yaml", "");
        let findings = [Finding::new(
            "x",
            Level::Warning,
            Label::new(place(&sources, 0, "")),
            "nothing",
        )];
        let text = written(&Report::new(&findings, &sources), Format::Text);
        assert!(text.starts_with("warning[x]: nothing\n"), "{text}");
        assert!(text.ends_with("\n\n1 warning\n"), "{text}");
    }
}
