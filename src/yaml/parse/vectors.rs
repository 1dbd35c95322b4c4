//! The reader held against what Go's reader was seen to accept and refuse, and the span law over
//! every text at hand. Reads `../shared` where it is present.

use std::fs;
use std::path::{Path, PathBuf};

use super::law::span_law;
use super::{read_all, read_first};
use crate::source::SourceMap;

/// What is read of a vector; the trees that others nest too deep for a JSON value.
#[derive(serde::Deserialize)]
struct Vector {
    id: String,
    input: String,
    error: Option<String>,
    #[serde(default)]
    message: String,
}

/// The vectors of a file; none where the file is absent.
fn vectors(name: &str) -> Vec<Vector> {
    fs::read_to_string(Path::new("../shared/vectors").join(name))
        .map(|text| serde_json::from_str(&text).expect("the vectors are JSON"))
        .unwrap_or_default()
}

#[test]
fn accept_and_refuse_agree_with_go() {
    let (mut wrong, mut unread) = (Vec::new(), std::collections::BTreeSet::new());
    for (name, legacy) in [("legacy.json", true), ("build.json", false)] {
        for vector in vectors(name) {
            let input = vector.input.as_str();
            let refused = match vector.error.as_deref().unwrap_or_default() {
                "parse" => true,
                "empty-document" | "invalid-separator" => continue,
                _ => false,
            };
            let source = SourceMap::default().add("a.yaml", input);
            let docs = if legacy {
                vec![read_first(&source)]
            } else {
                read_all(&source)
            };
            let fault = docs.iter().find_map(|doc| doc.as_ref().err());
            let unknown = fault.is_some_and(|fault| fault.message.contains("does not know"));
            if unknown && !refused {
                // The same input stands in both files; a form counts once.
                unread.insert(vector.id[2..].to_owned());
                continue;
            }
            if fault.is_some() != refused {
                wrong.push(format!(
                    "{} {:?} {} {input:?}",
                    vector.id,
                    fault.map(|fault| &fault.message),
                    vector.message.chars().take(150).collect::<String>(),
                ));
            }
        }
    }
    assert!(unread.len() <= 5, "the reader does not know {unread:?}");
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn the_span_law_holds_over_every_text() {
    let mut broken = Vec::new();
    let mut texts = Vec::new();
    for folder in ["testdata/yaml", "../shared/corpus", "../shared/cases"] {
        yaml_files(Path::new(folder), &mut texts);
    }
    for name in ["legacy.json", "build.json"] {
        texts.extend(vectors(name).into_iter().map(|vector| vector.input));
    }
    for text in texts {
        let source = SourceMap::default().add("a.yaml", text);
        for doc in read_all(&source)
            .iter()
            .chain([&read_first(&source)])
            .flatten()
        {
            broken.extend(
                span_law(doc)
                    .err()
                    .map(|fault| fault.chars().take(400).collect::<String>()),
            );
        }
    }
    assert!(
        broken.is_empty(),
        "{} broken:\n{}",
        broken.len(),
        broken.join("\n")
    );
}

fn yaml_files(folder: &Path, texts: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            yaml_files(&path, texts);
        } else if path.extension().is_some_and(|ext| ext == "yaml") {
            texts.extend(fs::read_to_string(&path));
        }
    }
}
