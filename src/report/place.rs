//! Where a span stands, as files and numbers: what the formats share.
//!
//! Not here: the text at that place ([`super::snippet`]).

use crate::load::embedded;
use crate::source::{LineCol, Source, SourceMap, Span};

/// A span in lines and columns, both counted from 1, the end exclusive.
#[derive(Clone, Copy)]
pub(super) struct Place<'s> {
    /// The text.
    pub(super) source: &'s Source,
    /// The first character.
    pub(super) start: LineCol,
    /// One past the last character.
    pub(super) end: LineCol,
}

impl<'s> Place<'s> {
    /// The place of a span.
    pub(super) fn of(sources: &'s SourceMap, span: Span) -> Place<'s> {
        let source = sources.get(span.source);
        Place {
            source,
            start: source.line_col(span.start),
            end: source.line_col(span.end.max(span.start)),
        }
    }

    /// `file:line:column`, for a sentence.
    pub(super) fn shown(&self) -> String {
        format!("{}:{}", name(self.source), self.start)
    }
}

/// What kind of thing a text came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin<'s> {
    /// A file, by its path relative to the working directory.
    File(&'s str),
    /// Something that is no file of the work tree: standard input, or a text inside the program.
    Elsewhere(&'s str),
}

/// Where a text came from. A file may well be called `embedded/fluxcd.yaml`; it is the program's own
/// only if it says the same.
pub(super) fn origin(source: &Source) -> Origin<'_> {
    let path = source.path.as_str();
    if path == "-" {
        return Origin::Elsewhere("stdin");
    }
    let carried = path.strip_prefix("embedded/").is_some_and(|name| {
        embedded::files()
            .iter()
            .any(|&(file, text)| file == name && text == source.text)
    });
    if carried {
        Origin::Elsewhere(path)
    } else {
        Origin::File(path)
    }
}

/// The name of a text in a sentence.
pub(super) fn name(source: &Source) -> &str {
    if source.path == "-" {
        "<stdin>"
    } else {
        &source.path
    }
}

/// A path relative to the working directory as one relative to the root of the git work tree, given
/// the way from there to here; one that leaves the work tree keeps its `..`.
pub(super) fn from_root(prefix: &str, path: &str) -> String {
    if path.starts_with('/') {
        return path.to_owned();
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in prefix.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_seen_from_the_root_of_the_work_tree() {
        assert_eq!(from_root("", "a.yaml"), "a.yaml");
        assert_eq!(
            from_root("clusters/prod/", "./a.yaml"),
            "clusters/prod/a.yaml"
        );
        assert_eq!(
            from_root("clusters/prod/", "../base/a.yaml"),
            "clusters/base/a.yaml"
        );
        assert_eq!(from_root("clusters/", "../../a.yaml"), "../a.yaml");
        assert_eq!(from_root("clusters/", "/etc/a.yaml"), "/etc/a.yaml");
    }

    #[test]
    fn a_text_inside_the_program_and_stdin_are_no_files() {
        let mut sources = SourceMap::default();
        let stdin = sources.add("-", "a: 1");
        assert_eq!(origin(&stdin), Origin::Elsewhere("stdin"));
        let file = sources.add("embedded/fluxcd.yaml", "a: 1");
        assert_eq!(origin(&file), Origin::File("embedded/fluxcd.yaml"));
        for (name, text) in embedded::files() {
            let carried = sources.add(format!("embedded/{name}"), *text);
            assert_eq!(origin(&carried), Origin::Elsewhere(&carried.path));
        }
    }
}
