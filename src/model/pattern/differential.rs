//! Our matcher against Go's own, on seeded random names and images, and on the shared vectors.
//!
//! Go is needed: `FOREBAY_GO` names the `go` binary, `FOREBAY_GO_PAIRS` how many random pairs of
//! name and image are tried about,
//! `FOREBAY_GO_SEED` the seed, not 0. Without the first, nothing is compared.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::{Pattern, tests};

/// A small generator of numbers, the same on every machine (xorshift64*).
struct Seeded(u64);

impl Seeded {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        usize::try_from(high).expect("31 bits fit") % limit
    }

    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.below(from.len())]
    }

    fn letter(&mut self, text: &str) -> char {
        let letters: Vec<char> = text.chars().collect();
        letters[self.below(letters.len())]
    }
}

const LETTERS: &str = "nginxkKsSaZ019/:@-_.ſK\u{e9}\u{df}\u{390}\u{1fd3}\u{264}\u{345}\u{1c5}";
const SPECIAL: &str = r"\.+*?()|[]{}^$,-:<>PQEpdDwWsSbBAzix0123456789~&=#!'";
const ATOMS: [(&str, &str); 44] = [
    (".", "x"),
    (".", "\u{1f433}"),
    (r"\.", "."),
    (r"\d", "7"),
    (r"\D", "\u{660}"),
    (r"\w", "_"),
    (r"\W", "\u{e9}"),
    (r"\s", "\t"),
    (r"\S", "\u{b}"),
    (r"\b", ""),
    (r"\B", ""),
    ("^", ""),
    ("$", ""),
    (r"\A", ""),
    (r"\z", ""),
    ("[a-c]", "b"),
    ("[^a]", "\n"),
    ("[]n]", "]"),
    ("[a&&b]", "&"),
    ("[[n]", "["),
    ("[[:alpha:]-]", "-"),
    ("[[:^space:]]", "\u{b}"),
    (r"[\d_]", "3"),
    (r"[^\W]", "q"),
    (r"\pL", "\u{e9}"),
    (r"\p{Greek}", "\u{3b1}"),
    (r"\p{^Greek}", "a"),
    (r"\P{^Lu}", "A"),
    (r"[\p{Lu}k]", "K"),
    (r"\p{lowercase_letter}", "k"),
    (r"\x6e", "n"),
    (r"\x{1F433}", "\u{1f433}"),
    (r"\156", "n"),
    (r"\0", "\0"),
    (r"\n", "\n"),
    (r"\Qa.b\E", "a.b"),
    (r"\Q+\E", "+"),
    ("{", "{"),
    ("}", "}"),
    ("]", "]"),
    (r"\_", "_"),
    (r"[\x{390}-\x{3B0}]", "\u{3b0}"),
    (r"[k-s]", "\u{212a}"),
    (r"[^k]", "K"),
];
const GROUPS: [&str; 15] = [
    "(", "(?:", "(?i:", "(?s:", "(?m:", "(?i)(", "(?-i:", "(?P<a>", "(?<a1>", "(?i-s:", "(?U:",
    "(?sm:", "(?)(", "(?ii:", "(?m-i:",
];
const REPEATS: [(&str, usize); 14] = [
    ("*", 2),
    ("+", 1),
    ("?", 0),
    ("*?", 1),
    ("+?", 2),
    ("??", 1),
    ("{2}", 2),
    ("{1,}", 1),
    ("{0,2}", 1),
    ("{0}", 0),
    ("{2,3}?", 3),
    ("{1,1}", 1),
    ("{0,}", 0),
    ("{1001}", 1),
];

/// A piece of an expression and a text that it likely matches.
fn piece(random: &mut Seeded, depth: usize) -> (String, String) {
    match random.below(if depth == 0 { 6 } else { 12 }) {
        0..=2 => {
            let letter = random.letter(LETTERS);
            (letter.to_string(), letter.to_string())
        }
        3..=5 => {
            let (atom, sample) = ATOMS[random.below(ATOMS.len())];
            (atom.to_owned(), sample.to_owned())
        }
        6 | 7 => {
            let (inner, sample) = sequence(random, depth - 1);
            (format!("{}{inner})", random.pick(&GROUPS)), sample)
        }
        8 => {
            let (left, sample) = sequence(random, depth - 1);
            let (right, _) = sequence(random, depth - 1);
            let group = random.pick(&["(", "(?:", "(?:", ""]);
            let end = if group.is_empty() { "" } else { ")" };
            (format!("{group}{left}|{right}{end}"), sample)
        }
        9 | 10 => {
            let (inner, sample) = piece(random, depth - 1);
            let (repeat, times) = REPEATS[random.below(REPEATS.len())];
            (format!("{inner}{repeat}"), sample.repeat(times))
        }
        _ => (
            random
                .pick(&["(?i)", "(?m)", "(?s)", "(?-s)", "(?i)", "(?-i)"])
                .to_owned(),
            String::new(),
        ),
    }
}

fn sequence(random: &mut Seeded, depth: usize) -> (String, String) {
    let (mut expression, mut sample) = (String::new(), String::new());
    for _ in 0..random.below(4) {
        let (more, text) = piece(random, depth);
        expression += &more;
        sample += &text;
    }
    (expression, sample)
}

/// Drops, doubles, changes or adds a character here and there.
fn mutate(random: &mut Seeded, text: &str, alphabet: &str) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..=random.below(2) {
        let at = random.below(letters.len() + 1);
        match random.below(4) {
            0 if at < letters.len() => drop(letters.remove(at)),
            1 if at < letters.len() => letters.insert(at, letters[at]),
            2 if at < letters.len() => letters[at] = random.letter(alphabet),
            _ => letters.insert(at, random.letter(alphabet)),
        }
    }
    letters.into_iter().collect()
}

fn other_case(text: &str) -> String {
    if text.chars().any(char::is_lowercase) {
        text.to_uppercase()
    } else {
        text.to_lowercase()
    }
}

fn question(random: &mut Seeded) -> (String, Vec<String>) {
    let (name, sample) = match random.below(4) {
        0 => {
            let known = tests::names();
            let base = random.pick(&known);
            let name = mutate(random, base, SPECIAL);
            let sample = name.replace(['\\', '(', ')', '?', '*', '|'], "");
            (name, sample)
        }
        1 => {
            let (name, sample) = sequence(random, 3);
            (mutate(random, &name, SPECIAL), sample)
        }
        _ => sequence(random, 4),
    };
    let tails = [
        "",
        ":1",
        ":",
        "@sha256:ab",
        ":1@sha256:",
        "@SHA256:AB",
        ":1\n",
        ":\u{212a}",
        "@\u{17f}ha256:0",
        ":a b",
        "x",
        "\n",
        "\nfoo",
    ];
    let mut images = vec![sample.clone(), other_case(&sample), String::new()];
    for _ in 0..4 {
        images.push(format!("{sample}{}", random.pick(&tails)));
    }
    images.push(format!("{}{}", other_case(&sample), random.pick(&tails)));
    images.push(format!("{}{sample}", random.pick(&["x", "my/", "\n", "n"])));
    let changed = mutate(random, &sample, LETTERS);
    images.push(format!("{changed}{}", random.pick(&tails)));
    (name, images)
}

fn ask_go(go: &str, questions: &[(String, Vec<String>)]) -> Vec<Value> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/oracles/regexp.go");
    let mut child = Command::new(go)
        .arg("run")
        .arg(source)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("FOREBAY_GO names a program");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let mut asked = String::new();
    for (name, images) in questions {
        asked += &json!({"name": name, "images": images}).to_string();
        asked.push('\n');
    }
    let writer = std::thread::spawn(move || stdin.write_all(asked.as_bytes()));
    let output = child.wait_with_output().expect("the oracle ends");
    writer
        .join()
        .expect("the writer ends")
        .expect("the oracle reads all");
    let answers = String::from_utf8(output.stdout).expect("the oracle writes UTF-8");
    answers
        .lines()
        .map(|line| serde_json::from_str(line).expect("the oracle writes JSON"))
        .collect()
}

/// Every difference, as a line.
fn differences(go: &str, questions: &[(String, Vec<String>)]) -> Vec<String> {
    let answers = ask_go(go, questions);
    assert_eq!(
        answers.len(),
        questions.len(),
        "one answer for each question"
    );
    let mut found = Vec::new();
    let (mut refused, mut taken, mut pairs) = (0, 0, 0);
    for ((name, images), answer) in questions.iter().zip(&answers) {
        let error = answer["error"].as_str().expect("an error, if empty");
        let pattern = match Pattern::compile(name) {
            Ok(pattern) => pattern,
            Err(ours) => {
                refused += 1;
                if error != ours.to_string() {
                    found.push(format!("{name:?}: Go says {error:?}, we {ours}"));
                }
                continue;
            }
        };
        if !error.is_empty() {
            found.push(format!("{name:?}: Go says {error:?}, we take it"));
            continue;
        }
        let engine = pattern.by_engine();
        for (index, image) in images.iter().enumerate() {
            let go = answer["matches"][index]
                .as_bool()
                .expect("an answer for each image");
            let ours = [pattern.is_match(image), engine.is_match(image)];
            pairs += 1;
            taken += usize::from(go);
            if ours != [go; 2] {
                found.push(format!("{name:?} on {image:?}: Go says {go}, we {ours:?}"));
            }
        }
    }
    println!(
        "{} names, {refused} refused; {pairs} pairs, {taken} matches",
        questions.len()
    );
    found
}

fn go() -> Option<String> {
    let go = std::env::var("FOREBAY_GO").ok();
    if go.is_none() {
        println!("skipped: FOREBAY_GO names no go binary");
    }
    go
}

#[test]
fn go_agrees_on_random_names() {
    let Some(go) = go() else { return };
    let wanted = std::env::var("FOREBAY_GO_PAIRS")
        .ok()
        .and_then(|count| count.parse().ok());
    let seed = std::env::var("FOREBAY_GO_SEED")
        .ok()
        .and_then(|seed| seed.parse().ok());
    let mut random = Seeded(seed.unwrap_or(0x0F0E_BA1D));
    let mut questions = Vec::new();
    for _ in 0..wanted.unwrap_or(5_000_usize) / 10 {
        questions.push(question(&mut random));
    }
    let found = differences(&go, &questions);
    assert!(
        found.is_empty(),
        "{} differences:\n{}",
        found.len(),
        found[..found.len().min(60)].join("\n")
    );
}

#[test]
fn go_agrees_on_the_shared_vectors() {
    let Some(go) = go() else { return };
    let mut questions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in ["legacy.json", "build.json"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../shared/vectors")
            .join(file);
        let Ok(text) = std::fs::read_to_string(path) else {
            println!("skipped: no {file}");
            return;
        };
        // One object a line; a few nest deeper than the reader goes.
        let lines = text.lines().map(|line| line.trim_end_matches(','));
        let vectors = lines.filter_map(|line| serde_json::from_str::<Value>(line).ok());
        for vector in vectors {
            let places = vector["images_out"].as_array().into_iter().flatten();
            let mut images: BTreeSet<String> = places
                .filter_map(|place| Some(place["value"].as_str()?.to_owned()))
                .collect();
            let lines = vector["input"].as_str().unwrap_or_default().lines();
            images.extend(lines.filter_map(|line| {
                let (_, value) = line.split_once("image:")?;
                let value = value.trim();
                Some(serde_json::from_str(value).unwrap_or_else(|_| value.to_owned()))
            }));
            for entry in vector["images"].as_array().into_iter().flatten() {
                let name = entry["name"].as_str().unwrap_or_default().to_owned();
                questions
                    .entry(name)
                    .or_default()
                    .extend(images.iter().cloned());
            }
        }
    }
    let everything: BTreeSet<String> = questions.values().flatten().take(100).cloned().collect();
    let questions: Vec<_> = questions
        .into_iter()
        .map(|(name, images)| (name, images.union(&everything).cloned().collect()))
        .collect();
    let found = differences(&go, &questions);
    assert!(
        found.is_empty(),
        "{} differences:\n{}",
        found.len(),
        found[..found.len().min(60)].join("\n")
    );
}
