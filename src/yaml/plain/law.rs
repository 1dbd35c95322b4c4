//! The quick reader gives what the full reader gives, or nothing: over every text at hand, over
//! mutations of them, and over awkward ones. Reads `../shared` where it is present.

use std::path::{Path, PathBuf};

use super::Reader;
use crate::source::SourceMap;
use crate::yaml::parse::read_full;
use crate::yaml::split::pieces;

/// What is read of a vector.
#[derive(serde::Deserialize)]
struct Vector {
    input: String,
}

/// Compares the two readers on every piece of a text: how many the quick one took.
fn compare(text: &str) -> Result<usize, String> {
    let source = SourceMap::default().add("a.yaml", text);
    let mut quick = Reader::default();
    let mut taken = 0;
    for piece in pieces(&source) {
        let Some(read) = quick.read(&source, piece) else {
            continue;
        };
        taken += 1;
        let text = &source.text[piece.start as usize..piece.end as usize];
        let full = read_full(&source, piece)
            .map_err(|fault| format!("refused, {}: {text:?}", fault.message))?;
        for (at, (one, other)) in read.nodes.iter().zip(&full.nodes).enumerate() {
            if one != other {
                return Err(format!("node {at}: {one:?} for {other:?}: {text:?}"));
            }
        }
        if read.nodes.len() != full.nodes.len()
            || read.extras != full.extras
            || read.decoded != full.decoded
            || !full.properties.is_empty()
            || full.dropped.is_some()
        {
            let (one, other) = (&read.decoded, &full.decoded);
            let counts = (read.nodes.len(), full.nodes.len());
            return Err(format!("{counts:?} nodes, {one:?} for {other:?}: {text:?}"));
        }
    }
    Ok(taken)
}

/// The texts under a directory that may be YAML.
fn texts(root: &Path, found: &mut Vec<(PathBuf, String)>) {
    let walk = walkdir::WalkDir::new(root).sort_by_file_name();
    for file in walk.into_iter().filter_map(Result::ok) {
        let name = file.file_name().to_string_lossy().into_owned();
        if [".yaml", ".yml", "stdout", ".rs", ".md"]
            .iter()
            .any(|end| name.ends_with(end))
            && let Ok(text) = std::fs::read_to_string(file.path())
        {
            found.push((file.path().to_owned(), text));
        }
    }
}

/// Xorshift with a fixed seed: the same mutations on every run.
struct Seeded(u64);

impl Seeded {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits") % limit.max(1)
    }
}

/// A text with a few bytes taken out, put in, or lines moved, at character borders.
fn mutated(text: &str, random: &mut Seeded) -> String {
    const PARTS: [&str; 36] = [
        " ", "  ", "\n", "\n\n", "- ", "-", ": ", ":", "#", " #", "'", "\"", "|", "|-", "|+", ">",
        "[]", "{}", "[", "}", "&a ", "*a", "!t ", "?", "? ", "\t", "\r", "---\n", "...\n", "\\",
        "\\\"", "''", "é", "\u{A0}", "a", "%",
    ];
    let mut text = text.to_owned();
    for _ in 0..=random.below(3) {
        let mut at = random.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        match random.below(4) {
            0 => {
                if let Some(found) = text[at..].chars().next() {
                    text.replace_range(at..at + found.len_utf8(), "");
                }
            }
            1 => {
                let end = text[at..].find('\n').map_or(text.len(), |end| at + end + 1);
                let line = text[at..end].to_owned();
                text.insert_str(at, &line);
            }
            _ => text.insert_str(at, PARTS[random.below(PARTS.len())]),
        }
    }
    text
}

#[test]
fn awkward_texts_read_alike() {
    for text in [
        "",
        "\n",
        "# c\n",
        "---\n",
        "---\na: 1\n",
        "--- # c\na: 1\n",
        "---\n---\n",
        "a: 1\n---",
        "a:\n- b\n- c:\n  d: |\n    x\n\n    y\n\n  e: ''\nf:",
        "a: |+\n  x\n\n\nb: |-\n  y\n",
        "a: |\n\n  x\n # c\nb: 1\n",
        "a: |\n  x\n \n   \nb: 1\n",
        "a: |\n  x",
        "a: |\nb: 1\n",
        "- - a\n  - b: c\n    d:\n    - e\n-\n- # c\n",
        "a: b # c\n  d\n",
        "a: b\n  c\nd: e\n",
        "a:\n  b: 1\n c: 2\n",
        "a: 1\n- b\n",
        "- a\nb: 1\n",
        "  a: 1\n  b: 2\n",
        "a: {}\nb: [] # c\n",
        "a: {} x\n",
        "'a': \"b\"\n\"c\": 'd'\n",
        "a : b\n",
        "a: b: c\n",
        "a: b:\n",
        "a:b: c:d\n",
        "a: -1\nb: - c\n",
        "a: #c\nb: c#d #e\n",
        "a:\n  b\n",
        "a:\n  'b' # c\n",
        "a:\n  |\n  x\n",
        "a: \"b\" c\n",
        "a: 'b'#c\n",
        "é: ü # ö\nb: \u{A0}\n",
        "<<: {}\n",
        "a: <<\n",
        "a: ~\nb: =\n",
        "x\n",
        "'x'\n",
        "- |\n x\n- |\n  y\n",
        "a:\n- |\n x\n",
        "a: |2\n  x\n",
        "a: ---\n",
        "a: ...\n",
        "a: |\n  x\n---",
        "a:   \n  \n  b:   1  \n",
        "a: |  # c\n  x\n",
        "a: |-#c\n  x\n",
        "a: [b, \"c\", 'd']\nb: {c: d, e: [f:g, {}]} # h\n",
        "a: [b, ]\n",
        "a: [b: c]\n",
        "a: {b}\n",
        "a: {b:}\n",
        "a: {b: , c: d}\n",
        "a: [-, -1, - 1]\n",
        "a: {\"b\":c}\n",
        "a: [b #c]\n",
        "a: [b\n  ]\n",
        "- [a, {b: c d}]\n- {a: 'b'}\n",
        "a: [a]: b\n",
        "a: {b: c}}\n",
        "a: 'b''c'''\n'''': ''\n",
        "a: \"b\\\"c\\\\\\n\"\n",
        "a: \"\\t\"\n",
    ] {
        compare(text).unwrap_or_else(|difference| panic!("{difference}"));
    }
}

#[test]
fn every_text_at_hand_and_mutations_of_it_read_alike() {
    let mut found = Vec::new();
    for root in ["../shared", "testdata", "golden", "src"] {
        texts(Path::new(root), &mut found);
    }
    for name in ["legacy.json", "build.json"] {
        let path = Path::new("../shared/vectors").join(name);
        let Ok(text) = std::fs::read_to_string(&path) else {
            continue;
        };
        let vectors: Vec<Vector> = serde_json::from_str(&text).expect("the vectors are JSON");
        found.extend(
            vectors
                .into_iter()
                .map(|vector| (path.clone(), vector.input)),
        );
    }
    let mut random = Seeded(0x0F0E_BA1D);
    let rounds = std::env::var("FOREBAY_ROUNDS").ok();
    let rounds: usize = rounds.and_then(|rounds| rounds.parse().ok()).unwrap_or(1);
    let (mut texts, mut taken) = (0, 0);
    for (path, text) in &found {
        let told = |difference| panic!("{}: {difference}", path.display());
        texts += 1;
        taken += compare(text).unwrap_or_else(told);
        // A long text would be read in full for every byte that changes in it.
        let pieces = text
            .split_inclusive("\n---\n")
            .filter(|piece| piece.len() < 6000);
        for piece in pieces.take(40) {
            for _ in 0..rounds {
                taken += compare(&mutated(piece, &mut random)).unwrap_or_else(told);
            }
        }
    }
    // Most of what is at hand is written the plain way: else nothing was compared.
    assert!(
        taken > texts / 2,
        "of {texts} texts {taken} pieces were taken"
    );
}
