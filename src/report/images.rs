//! The list of images, for people, for programs and for copy tools.

mod json;
mod lines;
mod text;

use std::collections::BTreeSet;

use crate::finding::Finding;
use crate::resolve::inventory::Named;
use crate::source::SourceMap;

pub(crate) use text::stands;

/// The formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ImageFormat {
    /// For people: each image with where it stands.
    Text,
    /// For programs.
    Json,
    /// The rewritten references that are surely pulled, one a line.
    List,
}

/// What is listed.
#[derive(Debug)]
pub(crate) struct List<'l> {
    /// Every place that names an image, in the order of the list.
    pub(crate) named: &'l [Named],
    /// Releases that were not looked into.
    pub(crate) unseen: &'l BTreeSet<String>,
    /// What else there is to say.
    pub(crate) findings: &'l [Finding],
    /// Whether each image is told by one canonical reference.
    pub(crate) normalize: bool,
}

/// The list in a format.
pub(crate) fn list(format: ImageFormat, list: &List<'_>, sources: &SourceMap) -> String {
    match format {
        ImageFormat::Text => text::text(list, sources),
        ImageFormat::Json => json::json(list, sources),
        ImageFormat::List => lines::lines(list),
    }
}

/// Which releases were not looked into, and how many; empty where none was left out.
pub(crate) fn not_looked_into(unseen: &BTreeSet<String>) -> String {
    let names: Vec<&str> = unseen.iter().map(String::as_str).collect();
    let counted = match names.len() {
        0 => return String::new(),
        1 => "1 release was".to_owned(),
        count => format!("{count} releases were"),
    };
    format!("{counted} not looked into: {}", names.join(", "))
}

/// The places of each image: neighbours with one text, rewritten text and grade.
fn images<'l>(list: &List<'l>) -> Vec<&'l [Named]> {
    let same = |a: &Named, b: &Named| {
        (&a.image, &a.rewritten, a.grade) == (&b.image, &b.rewritten, b.grade)
    };
    list.named.chunk_by(same).collect()
}
