//! The laws of the core as plain functions of any text, for fuzzing (`scripts/fuzz`) and for the tests
//! below, which run them over everything in `testdata/` and, where they are at hand, the corpus and
//! the vectors of `../shared`. The law that looks at whole commands is in [`readers`].
//!
//! Not part of the library: behind the feature `laws`, and its names may change at any time.

pub mod readers;

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::Value;

use crate::model::Spanned;
use crate::model::overrides::{Override, OverrideTable};
use crate::resolve::images::{Filtered, Mode, Visit, legacy};
use crate::rewrite::edits;
use crate::source::{Source, SourceMap, Span};
use crate::yaml::edit::{apply, law::edit_law};
use crate::yaml::emit::to_yaml;
use crate::yaml::json::to_json;
use crate::yaml::parse::law::span_law;
use crate::yaml::scalar::Reader;
use crate::yaml::split::{pieces, with_directives};
use crate::yaml::write::{untagged, written};
use crate::yaml::{Doc, NodeId, read_all, read_first, read_piece};

fn source(text: &str) -> Arc<Source> {
    SourceMap::default().add("law.yaml", text)
}

/// The span law: what a node's span covers reads, alone, as the node does, and spans nest. A text
/// that is refused keeps it.
pub fn span(text: &str) -> Result<(), String> {
    let source = source(text);
    let alone = [read_first(&source)];
    let docs = read_all(&source).into_iter().chain(alone);
    docs.flatten().try_for_each(|doc| span_law(&doc))
}

/// The edit law: where one scalar is given a new value nothing else changes, neither a byte outside of
/// the edit nor the value of another node. `pick` says which scalar, where there are several.
pub fn edit(text: &str, pick: usize, value: &str) -> Result<(), String> {
    let whole = source(text);
    for piece in pieces(&whole) {
        // Alone, so that a byte changed in another document would be noticed.
        let alone = source(&text[piece.start as usize..piece.end as usize]);
        let [Ok(doc)] = &read_all(&alone)[..] else {
            continue;
        };
        let values: Vec<NodeId> = doc
            .nodes()
            .flat_map(|node| {
                let entries = node.entries().map(|(_, value)| value);
                entries.chain(node.items()).collect::<Vec<_>>()
            })
            .filter(|node| node.kind().is_scalar())
            .map(crate::yaml::Node::id)
            .collect();
        if values.is_empty() {
            continue;
        }
        let id = values[pick % values.len()];
        let node = doc.node(id);
        let changes: Vec<_> = untagged(node)
            .into_iter()
            .chain([written(node, value, false)])
            .collect();
        let after = apply(&alone.text, 0, &changes).map_err(|overlap| overlap.to_string())?;
        edit_law(doc, &[(id, value)], &changes, &after)?;
    }
    Ok(())
}

/// The emit law: a value that is written reads as it was, to either reader. The values are those of
/// the text's documents.
pub fn emit(text: &str) -> Result<(), String> {
    for doc in read_all(&source(text)).into_iter().flatten() {
        let value = doc.root().map(|root| to_json(root, Reader::Kubernetes));
        let Some(Ok(value)) = value else { continue };
        let new = to_yaml(&value).map_err(|why| why.to_string())?;
        for reader in [Reader::Kubernetes, Reader::Kustomize] {
            let docs = read_all(&source(&new));
            let [Ok(doc)] = &docs[..] else {
                return Err(format!("{value} is not one document: {new:?}"));
            };
            let read = doc.root().map(|root| to_json(root, reader));
            if read.map(|read| read.map(without_sign)) != Some(Ok(without_sign(value.clone()))) {
                return Err(format!("{value} reads otherwise: {new:?}"));
            }
        }
    }
    Ok(())
}

/// The value with nought for minus nought, which no reader tells apart once it is a whole number.
fn without_sign(value: Value) -> Value {
    match value {
        Value::Number(number) if number.to_string() == "-0" => Value::from(0),
        Value::Array(items) => items.into_iter().map(without_sign).collect(),
        Value::Object(map) => map
            .into_iter()
            .map(|(key, value)| (key, without_sign(value)))
            .collect(),
        other => other,
    }
}

/// The rewrite law: what the legacy filter writes, it reads again as the images that it said it would
/// make; and where a second run changes none of them, it changes no byte.
pub fn rewrite(text: &str) -> Result<(), String> {
    let table = table();
    let docs = documents(text);
    let filtered = legacy(&docs, &table);
    if filtered.iter().any(|one| one.refusal.is_some()) {
        return Ok(());
    }
    let Some(new) = rewritten(text, &docs, &filtered) else {
        return Err(format!("edits overlap: {text:?}"));
    };
    let docs = documents(&new);
    let again = legacy(&docs, &table);
    for (first, second) in filtered.iter().zip(&again) {
        if second.refusal.is_some() {
            return Err(format!("refused the second time: {new:?}"));
        }
        let made = first.visits.iter().map(Visit::after);
        let met = second.visits.iter().map(|visit| &*visit.before);
        if !made.clone().eq(met.clone()) {
            let (made, met): (Vec<_>, Vec<_>) = (made.collect(), met.collect());
            return Err(format!(
                "made {made:?}, met {met:?}: {text:?} became {new:?}"
            ));
        }
    }
    let settled = |one: &Filtered<'_>| one.visits.iter().all(|visit| visit.before == visit.after());
    if again.iter().all(settled) && rewritten(&new, &docs, &again).as_ref() != Some(&new) {
        return Err(format!("changed without a new image: {new:?}"));
    }
    Ok(())
}

/// A table whose entries take much and meet each other's results.
fn table() -> OverrideTable {
    let text = |value: &str| {
        Some(Spanned {
            value: value.to_owned(),
            span: Span::default(),
        })
    };
    let entry = |index, name, new_name, new_tag: Option<&str>| Override {
        index,
        name: text(name),
        new_name: text(new_name),
        new_tag: new_tag.and_then(text),
        ..Override::default()
    };
    OverrideTable {
        entries: vec![
            entry(0, "nginx", "r.example.org/nginx", None),
            entry(1, "(a|b|x).*", "m/'new", Some("1.20")),
            entry(2, "r.example.org/nginx", "123", None),
        ],
        ..OverrideTable::default()
    }
}

/// The documents as the legacy filter is given them.
fn documents(text: &str) -> Vec<Doc> {
    let source = source(text);
    let pieces = with_directives(&source, &pieces(&source));
    pieces
        .into_iter()
        .flat_map(|piece| read_piece(&source, piece))
        .collect()
}

fn rewritten(text: &str, docs: &[Doc], filtered: &[Filtered<'_>]) -> Option<String> {
    let all: Vec<_> = filtered
        .iter()
        .flat_map(|one| edits(docs, one, Mode::Legacy))
        .collect();
    apply(text, 0, &all).ok().map(Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// The texts below a folder, each with its path; none where it is absent.
    pub(super) fn below(folder: &str) -> Vec<(String, String)> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let files = walkdir::WalkDir::new(&root).sort_by_file_name();
        let read = |path: &Path| {
            let name = path.strip_prefix(&root).unwrap_or(path);
            let name = name.to_string_lossy().replace('\\', "/");
            Some((format!("{folder}/{name}"), fs::read_to_string(path).ok()?))
        };
        let files = files.into_iter().flatten();
        files
            .filter(|entry| entry.file_type().is_file())
            .filter_map(|entry| read(entry.path()))
            .collect()
    }

    fn vectors() -> Vec<String> {
        #[derive(serde::Deserialize)]
        struct Vector {
            input: String,
        }
        let read = |name: &str| fs::read_to_string(Path::new("../shared/vectors").join(name)).ok();
        ["legacy.json", "build.json"]
            .into_iter()
            .filter_map(read)
            .flat_map(|text| {
                serde_json::from_str::<Vec<Vector>>(&text).expect("the vectors are JSON")
            })
            .map(|vector| vector.input)
            .collect()
    }

    /// Every text at hand; those of `../shared` are as many as there are.
    fn texts() -> Vec<String> {
        let own = below("testdata");
        assert!(own.len() > 100, "the texts of testdata are read");
        let folders = ["../shared/corpus", "../shared/cases"];
        let texts = own.into_iter().chain(folders.into_iter().flat_map(below));
        texts.map(|(_, text)| text).chain(vectors()).collect()
    }

    /// The same without the few large ones, which take most of the time and hold nothing new.
    fn small(law: fn(&str) -> Result<(), String>) -> impl Fn(&str) -> Result<(), String> {
        move |text| {
            if text.len() < 1 << 14 {
                law(text)
            } else {
                Ok(())
            }
        }
    }

    fn holds(law: impl Fn(&str) -> Result<(), String> + Send + Sync + 'static) {
        // Documents nest 10,000 deep.
        let run = move || {
            let broken: Vec<String> = texts()
                .iter()
                .filter_map(|text| law(text).err())
                .map(|fault| fault.chars().take(600).collect())
                .collect();
            let shown = broken.iter().take(10).cloned().collect::<Vec<_>>();
            assert!(
                broken.is_empty(),
                "{} broken:\n{}",
                broken.len(),
                shown.join("\n")
            );
        };
        let big = std::thread::Builder::new().stack_size(256 << 20);
        let done = big.spawn(run).expect("a thread").join();
        done.expect("the law holds");
    }

    #[test]
    fn the_span_law_holds_over_every_text() {
        holds(span);
    }

    #[test]
    fn the_edit_law_holds_over_every_text() {
        holds(small(|text| {
            let values = [
                "r.example.org/a:1",
                "a: b",
                "1.20",
                "",
                "two\nlines",
                "'\"\\é",
            ];
            values
                .iter()
                .enumerate()
                .try_for_each(|(at, value)| edit(text, text.len() / 7 + at * 3, value))
        }));
    }

    #[test]
    fn the_emit_law_holds_over_every_text() {
        holds(small(emit));
    }

    #[test]
    fn the_rewrite_law_holds_over_every_text() {
        holds(small(rewrite));
    }
}
