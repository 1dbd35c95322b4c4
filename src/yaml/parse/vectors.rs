//! The reader held against what Go's reader was seen to accept and refuse, and the span law over
//! every text at hand. Reads `../shared` where it is present.

use std::fs;
use std::path::Path;

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
