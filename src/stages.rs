//! The stages of a run one by one, over a text in memory, for the benchmarks in `src/benches`.
//!
//! Not part of the library: behind the feature `laws`, and its names may change at any time. What a
//! stage does is in its own module; whole commands are timed through [`Run`], as users run them.

use std::ffi::OsString;
use std::sync::Arc;

use crate::cli::kept::Prepared;
use crate::diff::{Format, Options, Printing};
use crate::emit::{Emitted, stream};
use crate::load::side::Side;
use crate::model::overrides::{OverrideTable, read_table};
use crate::resolve::images::{Mode, build_whole, legacy};
use crate::resolve::plan::{Stage, identity};
use crate::rewrite::edits;
use crate::source::{Source, SourceMap};
use crate::yaml::edit::apply;
use crate::yaml::split::pieces;
use crate::yaml::{Doc, PieceReader, Reading};

/// A text.
pub struct Text(Arc<Source>);

impl Text {
    /// The text as a source of its own.
    pub fn new(text: &str) -> Text {
        Text(SourceMap::default().add("text.yaml", text))
    }

    /// Cuts it into documents; how many there are.
    pub fn split(&self) -> usize {
        pieces(&self.0).len()
    }

    /// Reads every document, with the quick reader or with the full one alone.
    ///
    /// # Panics
    ///
    /// On a text that cannot be read: a benchmark has none.
    pub fn read(&self, quick: bool) -> Docs<'_> {
        let reading = if quick { Reading::Quick } else { Reading::Full };
        let mut reader = PieceReader::new(reading);
        let docs = pieces(&self.0).into_iter().map(|piece| {
            let read = reader.read(&self.0, piece);
            read.expect("a benchmark reads what can be read")
        });
        Docs {
            text: self,
            docs: docs.collect(),
        }
    }
}

/// The documents of a text.
pub struct Docs<'t> {
    text: &'t Text,
    docs: Vec<Doc>,
}

/// An override table.
pub struct Table(OverrideTable);

impl Table {
    /// Reads a table that is a list.
    ///
    /// # Panics
    ///
    /// On a text that is no list: a benchmark has none.
    pub fn new(text: &str) -> Table {
        let text = Text::new(text);
        let docs = text.read(true).docs;
        let root = docs[0].root().expect("a table is not empty");
        Table(read_table(root, &mut Vec::new()))
    }
}

impl Docs<'_> {
    /// Rewrites images as the operator's filter does (`false`), or as a build does; the new text.
    ///
    /// # Panics
    ///
    /// Where edits overlap, which those of one filter never do.
    pub fn rewrite(&self, table: &Table, as_build: bool) -> String {
        let (mode, passes) = if as_build {
            let pass = build_whole(&self.text.0, &self.docs, &table.0);
            (Mode::Build, vec![pass])
        } else {
            (Mode::Legacy, legacy(&self.docs, &table.0))
        };
        let edits: Vec<_> = passes
            .iter()
            .flat_map(|pass| edits(&self.docs, pass, mode))
            .collect();
        let new = apply(&self.text.0.text, 0, &edits);
        new.expect("the edits of one filter do not overlap")
            .into_owned()
    }

    /// The documents as objects to emit.
    pub fn objects(&self) -> Objects<'_> {
        let docs = self.docs.iter();
        let objects = docs.map(|doc| Emitted {
            text: doc.text().into(),
            id: identity(doc).unwrap_or_default().into(),
            stage: Stage::Objects,
        });
        Objects(objects.collect())
    }
}

/// Objects to emit.
pub struct Objects<'t>(Vec<Emitted<'t>>);

impl Objects<'_> {
    /// Writes them as one stream.
    ///
    /// # Panics
    ///
    /// Never: memory takes all that is written.
    pub fn emit(&self) -> Vec<u8> {
        let mut written = Vec::new();
        stream(&self.0, &mut written).expect("memory takes all");
        written
    }
}

/// Compares two texts, object by object, and prints what differs.
///
/// # Panics
///
/// On texts that cannot be compared: a benchmark has none.
pub fn diff(old: &str, new: &str) -> String {
    let mut sources = SourceMap::default();
    let old = Side::of_texts([("old.yaml", old)], &mut sources);
    let new = Side::of_texts([("new.yaml", new)], &mut sources);
    let found = crate::diff::diff(&old, &new, &Options::default(), &|_| true);
    let found = found.expect("a benchmark compares what can be compared");
    found.print(Format::Text, &Printing::default())
}

/// A whole command, understood once.
pub struct Run(Prepared);

impl Run {
    /// Understands what stands behind `forebay`; the error says why it cannot.
    pub fn new(words: impl IntoIterator<Item = OsString>) -> Result<Run, String> {
        Prepared::new(words).map(Run)
    }

    /// Runs it; how many bytes it printed.
    pub fn run(&self) -> usize {
        let kept = self.0.run();
        kept.stdout.len() + kept.stderr.len()
    }
}
