//! `.forebay.json`: the file that says which files of a directory are forebay's.

use std::collections::BTreeSet;
use std::path::{Component, Path};

use serde::{Deserialize, Serialize};

use super::Tree;

/// Its name, at the root of the tree.
pub(crate) const MARKER: &str = ".forebay.json";

/// Its content.
#[derive(Debug, Deserialize, Serialize)]
struct Marker {
    tool: String,
    version: u32,
    files: Vec<String>,
}

/// The marker of a tree.
pub(crate) fn text(tree: &Tree) -> Vec<u8> {
    listing(tree.files.keys().cloned().collect())
}

/// The marker that lists `files`.
pub(crate) fn listing(files: BTreeSet<String>) -> Vec<u8> {
    let files = files.into_iter().collect();
    let marker = Marker {
        tool: "forebay".to_owned(),
        version: 1,
        files,
    };
    let mut text = serde_json::to_vec_pretty(&marker).expect("strings and a number are JSON");
    text.push(b'\n');
    text
}

/// The files that a marker lists; `None` where the text is no marker of forebay's. A path that would
/// leave the directory makes it none.
pub(crate) fn files(text: &[u8]) -> Option<BTreeSet<String>> {
    let marker: Marker = serde_json::from_slice(text).ok()?;
    let inside = |name: &String| {
        !name.is_empty()
            && Path::new(name)
                .components()
                .all(|part| matches!(part, Component::Normal(_)))
    };
    (marker.tool == "forebay" && marker.files.iter().all(inside))
        .then(|| marker.files.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_reads_back_and_never_leads_outside() {
        let mut tree = Tree::default();
        tree.files.insert("a/b.yaml".to_owned(), Vec::new());
        assert_eq!(
            files(&text(&tree)),
            Some(BTreeSet::from(["a/b.yaml".to_owned()]))
        );
        let hostile = br#"{"tool": "forebay", "version": 1, "files": ["../x"]}"#;
        assert_eq!(files(hostile), None);
        assert_eq!(files(b"{}"), None);
    }
}
