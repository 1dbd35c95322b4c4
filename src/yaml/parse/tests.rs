//! Tests of the reader: the spans of every kind of node, and hostile input.

use super::law::span_law;
use super::{read_all, read_first};
use crate::source::SourceMap;
use crate::yaml::Doc;

/// Small texts that between them hold every form.
const TEXTS: &[&str] = &[
    "a: b\n",
    "a:\nb:\n",
    "- \n- x\n",
    "-\n-\n- x\n",
    "{a: , b}\n",
    "{a}\n",
    "a: 'it''s'\n",
    "a: \"\\x41\\\"\"\n",
    "a: b\n  c\n\n  d\ne: f\n",
    "a: |\n  x\n\n  y\n\nb: 1\n",
    "a: |+\n  x\n\n\nb: 1\n",
    "a: >-\n  x\n  y\n",
    "a: |2-\n    x\n",
    "a: |\nb: 1\n",
    "a: &x !!str b\nc: *x\n",
    "&k a: b\n",
    "a: &m\n  b: c\n",
    "a: &s\n- b\n",
    "a: !foo {b: &y c, d: [*y]}\n",
    "? a\n: b\n",
    "? [a]\n: b\n",
    "? a\nb: c\n",
    "[a: b]\n",
    "[{a: b}: c]\n",
    "- - a\n  - b\n- c\n",
    "a:\n- b\n- c: d\n  e:\n- \nf: g\n",
    "a: 1\r\nb: |\r\n  x\r\n",
    "a: 1\rb: 2\r",
    "\u{FEFF}a: 1\n",
    "ключ: знач # к\nб: \"ж\"\n",
    "# a\na: # b\n  # c\n  b # d\n",
    "--- text\n",
    "--- |\n x\n",
    "---\na: 1\n...\nb: 2\n",
    "%TAG ! tag:x,2000:\n---\na: 1\n",
    "null\n",
    "",
    "# c\n",
    "--- # c\n- \n",
    "a: {b: [c, 'd', \"e\"], f: {}}\n",
    "a: []\n",
    "a: x#y\n",
    "a: !!null\nb: !!str\n",
    "\"a\": {\"b\":\"c\"}\n",
    "a: &x\nb: *x\n",
    "- &x\n- *x\n",
    "a: [\n  b,\n  c: d\n]\nx: 1\n",
    "a: \"b\n  c\"\n",
    "- a: |-\n    x\n  b: y\n",
];

fn docs(text: &str) -> Vec<Doc> {
    read_all(&SourceMap::default().add("a.yaml", text))
        .into_iter()
        .flatten()
        .collect()
}

/// What each node's span covers, in the order of the text.
fn spans(text: &str) -> Vec<String> {
    let doc = docs(text).remove(0);
    doc.nodes().map(|node| node.written().to_owned()).collect()
}

#[test]
fn the_span_law_holds_for_every_form() {
    for text in TEXTS {
        let source = SourceMap::default().add("a.yaml", *text);
        let doc = read_first(&source).unwrap_or_else(|fault| panic!("{}: {text:?}", fault.message));
        span_law(&doc).unwrap_or_else(|fault| panic!("{text:?}: {fault}"));
    }
}

#[test]
fn spans_cover_what_a_reader_would_point_at() {
    assert_eq!(spans("a: b\n  c # x\n"), ["a: b\n  c", "a", "b\n  c"]);
    assert_eq!(spans("a:\nb:\n"), ["a:\nb:", "a", "", "b", ""]);
    assert_eq!(spans("- \n- x\n"), ["- \n- x", "", "x"]);
    assert_eq!(spans("{a: , b}"), ["{a: , b}", "a", "", "b", ""]);
    assert_eq!(
        spans("[{a: b}: c]"),
        ["[{a: b}: c]", "{a: b}: c", "{a: b}", "a", "b", "c"]
    );
    assert_eq!(spans("[a: b]"), ["[a: b]", "a: b", "a", "b"]);
    assert_eq!(
        spans("a: |-\n  x\nb: 1"),
        ["a: |-\n  x\nb: 1", "a", "|-\n  x\n", "b", "1"]
    );
    assert_eq!(spans("a: &x !t 'b'"), ["a: &x !t 'b'", "a", "'b'"]);
}

#[test]
fn ten_thousand_levels_do_no_harm() {
    let refusal = |text: String| {
        read_first(&SourceMap::default().add("a.yaml", text))
            .err()
            .map(|fault| fault.message)
    };
    assert_eq!(refusal(format!("{}x", "- ".repeat(9_999))), None);
    assert!(refusal(format!("{}x", "- ".repeat(10_001))).is_some_and(|why| why.contains("deeper")));
    let flow = refusal("[".repeat(10_000) + &"]".repeat(10_000));
    assert!(flow.is_some_and(|why| why.contains("does not know")));
}

#[test]
fn a_key_in_brackets_has_1024_characters_at_the_most() {
    let refused = |length: usize| {
        let text = format!("{{\"{}\": v}}\n", "é".repeat(length - 2));
        read_first(&SourceMap::default().add("a.yaml", text)).is_err()
    };
    assert!(!refused(1024) && refused(1025));
}

#[test]
fn what_go_refuses_is_refused() {
    for text in [
        "a: \u{1}\n",
        "%YAML 1.2\n---\na: 1\n",
        "a:\n\tb: 1\n",
        "-\ta\n",
        "a: 1\n\t# c\n",
        "...\n",
        ": a\n",
        "{: a}\n",
        "a: \"\\ud83d\\udc33\"\n",
        "a: \"\\/\"\n",
        "a: *x\n",
        "a: b: c\n",
        "[http://r.io/?q=1]\n",
        "{a: b?}\n",
        "[:a]\n",
        "[?a]\n",
        "? a\n:\tb\n",
        "{a: !!str}\n",
        "{\n  a\n  b: c\n}\n",
        "[a\n: b]\n",
        "a: \"\\\t\"\n",
        "{a:, b}\n",
        "[a:]\n",
        "&a: b\n",
        "- &a.b c\n- *a.b\n",
        "%FOO\n---\na: 1\n",
        "...\na: 1\n",
    ] {
        let read = read_first(&SourceMap::default().add("a.yaml", text));
        assert!(read.is_err(), "{text:?}");
    }
}

#[test]
fn mutated_texts_never_panic_and_keep_the_span_law() {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below as u64).expect("below a usize")
    };
    let pieces: Vec<char> = "-?:,[]{}#&*!|>'\"%@ \n\r\tab~é\u{FEFF}0.+"
        .chars()
        .collect();
    let mut broken = Vec::new();
    for _ in 0..4_000 {
        let mut text: Vec<char> = TEXTS[random(TEXTS.len())].chars().collect();
        for _ in 0..=random(3) {
            let at = random(text.len() + 1);
            match random(3) {
                0 => text.insert(at, pieces[random(pieces.len())]),
                1 if at < text.len() => drop(text.remove(at)),
                _ => text
                    .splice(at..at, TEXTS[random(TEXTS.len())].chars())
                    .for_each(drop),
            }
        }
        let text: String = text.into_iter().collect();
        for doc in docs(&text) {
            broken.extend(
                span_law(&doc)
                    .err()
                    .map(|fault| format!("{text:?}: {fault}")),
            );
        }
    }
    broken.truncate(20);
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
