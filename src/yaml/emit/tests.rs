//! Tests of new texts: the layout, and the emit law: what was written reads as it was.

use serde_json::json;

use super::*;
use crate::source::SourceMap;
use crate::yaml::json::to_json;
use crate::yaml::read_all;

fn law(value: &Value) {
    let text = to_yaml(value).expect("a value serializes");
    for reader in [Reader::Kubernetes, Reader::Kustomize] {
        let source = SourceMap::default().add("a.yaml", text.as_str());
        let docs = read_all(&source);
        assert_eq!(docs.len(), 1, "{text:?}");
        let doc = docs[0]
            .as_ref()
            .unwrap_or_else(|fault| panic!("{}: {text:?}", fault.message));
        let read = to_json(doc.root().expect("a root"), reader).expect("a tree");
        assert_eq!(&read, value, "{text:?}");
    }
}

#[test]
fn keys_are_sorted_and_lists_not_indented() {
    let value = json!({
        "zeta": 1, "replicas10": 5, "replicas2": 3, "Alpha": true, "status": {}, "e": [],
        "list": [{"name": "a", "b": [1, [2, 3]]}, "x", null], "t": "true", "d": "on",
        "flag": "--a=b", "text": "a\nb\n", "q": "a: b", "n": 1.5,
    });
    let wanted = "Alpha: true\nd: \"on\"\ne: []\nflag: --a=b\nlist:\n- b:\n  - 1\n  - - 2\n    - 3\n  name: a\n- x\n- null\n\"n\": 1.5\nq: 'a: b'\nreplicas2: 3\nreplicas10: 5\nstatus: {}\nt: \"true\"\ntext: |\n  a\n  b\nzeta: 1\n";
    assert_eq!(to_yaml(&value).unwrap(), wanted);
    law(&value);
}

#[test]
fn awkward_strings_read_as_they_were() {
    let strings = [
        "",
        " ",
        "a ",
        " a",
        "\n",
        "a\n",
        "a\nb",
        "a\nb\n\n",
        "\na",
        " a\nb",
        "a \nb",
        "\t",
        "\r",
        "é",
        "🐳",
        "\u{85}",
        "\u{FEFF}a",
        "\u{2028}",
        "\0",
        "yes",
        "NO",
        "y",
        "on",
        "~",
        "null",
        "true",
        "1",
        "1.5",
        "0o7",
        "0777",
        "0x1F",
        "1e3",
        ".inf",
        ".nan",
        "-",
        "--",
        "---",
        "--- a",
        "- a",
        "-1",
        "12:30",
        "1_000",
        "2024-01-02",
        "<<",
        "=",
        "? a",
        "?a",
        ": a",
        ":a",
        "a:",
        "a: b",
        "a #b",
        "#a",
        "a#b",
        "'",
        "\"",
        "'a'",
        "\"a\"",
        "[a]",
        "{a}",
        "*a",
        "&a",
        "!a",
        "%a",
        "@a",
        "`a",
        "|",
        ">",
        ",",
        "...",
        "a\\b",
        "a, b",
        "x: |\n  y\n",
        "---\na: 1\n",
        "a\n---\nb",
        "0b1",
        "+1",
        "18446744073709551616",
    ];
    for string in strings {
        law(&json!(string));
        law(&json!({"a": {"k": string, "l": [string, [string]]}}));
        law(&json!({string: 1}));
    }
}

#[test]
fn numbers_keep_their_digits() {
    law(&json!([0, -1, i64::MAX, i64::MIN, 1.5, 0.1, 1e-7]));
}

#[test]
fn digits_are_ordered_by_their_number() {
    let mut keys = [
        "a10", "a2", "b", "B", "a", "a1b", "a1", "1", "10", "9", "_", "-",
    ];
    keys.sort_by(|a, b| natural(a, b));
    assert_eq!(
        keys,
        [
            "-", "_", "1", "9", "10", "B", "a", "a1", "a1b", "a2", "a10", "b"
        ]
    );
}
