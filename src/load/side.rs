//! One side of a comparison: texts as they were read, not yet parsed.
//!
//! What stands the same on both sides needs no second look, so parsing is left to whoever compares.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use super::walk;
use super::{Cut, LoadError, Role, Skipped, behind_separator, read};
use crate::finding::Finding;
use crate::source::{Source, SourceMap};
use crate::yaml::split::pieces;

/// A text of one side.
#[derive(Clone, Debug)]
pub(crate) struct SideText {
    /// The text.
    pub(crate) source: Arc<Source>,
    /// Its path in the tree; empty where the side is one text.
    pub(crate) name: String,
    /// Whether it was named, or is stdin, and so must hold manifests.
    pub(crate) explicit: bool,
}

/// One side.
#[derive(Clone, Debug, Default)]
pub(crate) struct Side {
    /// Its texts, in name order.
    pub(crate) texts: Vec<SideText>,
    /// Whether files have a place in it: a directory, not one file or stdin.
    pub(crate) tree: bool,
    /// What a walk left alone.
    pub(crate) skipped: Skipped,
    /// Texts that are no texts.
    pub(crate) findings: Vec<Finding>,
}

impl Side {
    /// A side of texts that are at hand, under the names they are shown by; they have no place of
    /// their own.
    pub(crate) fn of_texts<'t>(
        texts: impl IntoIterator<Item = (&'t str, &'t str)>,
        sources: &mut SourceMap,
    ) -> Side {
        let text = |(name, text): (&str, &str)| SideText {
            source: sources.add(name, text),
            name: String::new(),
            explicit: true,
        };
        Side {
            texts: texts.into_iter().map(text).collect(),
            ..Side::default()
        }
    }
}

/// Reads the sides that are named; `-` is stdin for one of them at most.
pub(crate) fn sides<const N: usize>(
    paths: [&Path; N],
    stdin: &mut dyn Read,
    sources: &mut SourceMap,
) -> Result<[Side; N], LoadError> {
    if paths.iter().filter(|path| walk::is_stdin(path)).count() > 1 {
        return Err(LoadError::StdinTwice);
    }
    let mut read = Vec::new();
    for path in paths {
        read.push(side(path, stdin, sources)?);
    }
    Ok(read.try_into().expect("one for each path"))
}

fn side(path: &Path, stdin: &mut dyn Read, sources: &mut SourceMap) -> Result<Side, LoadError> {
    let mut side = Side::default();
    let mut found = walk::walk(path, Role::Manifest, &mut side.skipped)?;
    found.retain(|text| !text.kustomization);
    side.tree = !matches!(&found[..], [only] if only.explicit);
    for file in read::read(found, stdin)? {
        let source = sources.add(file.found.shown, file.text);
        side.findings
            .extend(file.fault.map(|fault| fault.finding(&source)));
        side.findings.extend(behind_separator(
            &source,
            &pieces(&source),
            Role::Manifest,
            Cut::Cluster,
        ));
        side.texts.push(SideText {
            source,
            name: file.found.below,
            explicit: file.found.explicit,
        });
    }
    Ok(side)
}
