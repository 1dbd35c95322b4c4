//! The texts that everything begins with: those of testdata and golden, and the cases, the corpus and
//! the vectors of `../shared` where they are present. In the order of their names.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// What is longer is cut to its first documents: a run over it costs too much.
pub const LONGEST: usize = 12_000;

/// Where a vector has no table of its own, or a text none beside it.
const TABLE: &str = "images:\n- name: '(.*/)?(nginx|app|web|server|[a-z-]*controller|x|b)'\n  \
                     newName: registry.example.org/m\n- name: ghcr.io/.*\n  newTag: '9'\n- name: \
                     'registry.example.org/m'\n  digest: sha256:\
                     0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\n";

/// An input: a text and an override table.
#[derive(Clone)]
pub struct Seed {
    /// Where it comes from.
    pub name: String,
    /// The text.
    pub text: Vec<u8>,
    /// The table.
    pub images: Vec<u8>,
}

/// Every text at hand.
pub fn all() -> Vec<Seed> {
    let mut found = Vec::new();
    for root in [
        "testdata",
        "golden",
        "src/load/embedded",
        "../shared/cases",
        "../shared/corpus",
    ] {
        let mut paths = Vec::new();
        below(Path::new(root), &mut paths);
        paths.sort();
        found.extend(paths.iter().filter_map(|path| seed(path)));
    }
    for name in ["legacy", "build"] {
        let path = format!("../shared/vectors/{name}.json");
        let text = fs::read_to_string(&path).unwrap_or_default();
        let vectors: Value = serde_json::from_str(&text).unwrap_or_default();
        let vectors = vectors.as_array().into_iter().flatten();
        found.extend(vectors.filter_map(|vector| {
            Some(Seed {
                name: vector["id"].as_str()?.to_owned(),
                text: vector["input"].as_str()?.as_bytes().to_vec(),
                // JSON is YAML.
                images: vector["images"].to_string().into_bytes(),
            })
        }));
    }
    found
}

fn below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            below(&path, found);
        } else if path
            .extension()
            .is_some_and(|ending| ["yaml", "yml", "json"].iter().any(|known| ending == *known))
            || path.ends_with("stdout")
        {
            found.push(path);
        }
    }
}

fn seed(path: &Path) -> Option<Seed> {
    let mut text = fs::read(path).ok()?;
    if text.len() > LONGEST {
        let cut = text[..LONGEST]
            .windows(4)
            .rposition(|window| window == b"\n---");
        text.truncate(cut.map_or(LONGEST, |at| at + 1));
    }
    let beside = ["values.yaml", "images.yaml", "table.yaml", "mirror.yaml"];
    let table = beside
        .iter()
        .find_map(|name| fs::read(path.with_file_name(name)).ok());
    Some(Seed {
        name: path.display().to_string(),
        text,
        images: table.unwrap_or_else(|| TABLE.into()),
    })
}
