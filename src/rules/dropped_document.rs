//! `dropped-document`: a document stands where no reader looks.

use super::{Context, Rule};
use crate::finding::{Finding, Label, Level};
use crate::source::Span;

pub(crate) const RULE: Rule = Rule {
    code: "dropped-document",
    ids: &[],
    level: Level::Warning,
    summary: "a document stands where no reader looks",
    explain: "\
Behind a line `...`, or behind a `---` on a last line without an end, a second document stands in the
same piece of a file. kubectl, kustomize and Flux cut files at `---` lines and read one document of
each piece: the second one is dropped without a word.

Fix: begin the document with a `---` line.

Quiet: where nothing but blanks and comments follows.

Source: kustomize 5.7.1 `kyaml/kio/byteio_reader.go`.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for subject in &context.subjects {
        let Some(place) = subject.doc.dropped else {
            continue;
        };
        let span = Span {
            start: place,
            end: place,
            ..subject.doc.span()
        };
        findings.push(
            Finding::new(
                RULE.code,
                Level::Warning,
                Label::new(span).object(&subject.id),
                "a second document begins here in the same piece of the file: readers drop it",
            )
            .help("begin it with a line `---`"),
        );
    }
}
