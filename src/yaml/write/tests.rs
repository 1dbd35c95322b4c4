//! Tests of writing a value in place of a scalar.

use super::*;
use crate::source::SourceMap;
use crate::yaml::edit::apply;
use crate::yaml::edit::law::edit_law;
use crate::yaml::{Doc, read_all};

fn read(text: &str) -> Doc {
    read_all(&SourceMap::default().add("a.yaml", text))
        .remove(0)
        .expect("the text is YAML")
}

/// The text with the value under `image` replaced, wherever it stands first.
fn replaced(text: &str, value: &str, typed: bool) -> String {
    let doc = read(text);
    let node = doc
        .nodes()
        .find_map(|node| node.get("image"))
        .expect("an image")
        .resolved();
    let mut edits = vec![written(node, value, typed)];
    edits.extend(untagged(node));
    let after = apply(&doc.source.text, 0, &edits)
        .expect("no overlap")
        .into_owned();
    edit_law(&doc, &[(node.id(), value)], &edits, &after).expect("the edit law");
    after
}

#[test]
fn the_style_of_a_scalar_stays() {
    for (before, after) in [
        ("image: nginx:1 # c\n", "image: a:2 # c\n"),
        ("image: 'nginx'\n", "image: 'a:2'\n"),
        ("image: \"ngin\\x78:1\"  # c\n", "image: \"a:2\"  # c\n"),
        ("image: |-\n  nginx\nb: 1\n", "image: |-\n  a:2\nb: 1\n"),
        (
            "image: >- # c\n    nginx\n    foo\n",
            "image: >- # c\n    a:2\n",
        ),
        ("image: |\n  nginx\nb: 1\n", "image: |-\n  a:2\nb: 1\n"),
        (
            "image: |-\r\n  nginx\r\nb: 1\r\n",
            "image: |-\r\n  a:2\r\nb: 1\r\n",
        ),
        ("image: |-\n  nginx", "image: |-\n  a:2"),
        ("image: |2-\n   nginx\n", "image: \"a:2\"\n"),
        ("image: |2-\r   nginx\rb: 1\r", "image: \"a:2\"\rb: 1\r"),
        ("image: nginx\n  foo\nb: 1\n", "image: a:2\nb: 1\n"),
        ("image: &i nginx\nx: *i\n", "image: &i a:2\nx: *i\n"),
        ("image: &i !!str nginx\n", "image: &i a:2\n"),
        ("image: !!str &i nginx\n", "image: &i a:2\n"),
        ("- {image: nginx, b: 1}\n", "- {image: a:2, b: 1}\n"),
        ("{\"image\":\"nginx\"}\n", "{\"image\":\"a:2\"}\n"),
        ("image:\n  nginx\n", "image:\n  a:2\n"),
    ] {
        assert_eq!(replaced(before, "a:2", false), after, "{before:?}");
    }
}

#[test]
fn an_absent_value_is_inserted() {
    for (before, after) in [
        ("image:\nb: 1\n", "image: a:2\nb: 1\n"),
        ("image: # c\nb: 1\n", "image: a:2 # c\nb: 1\n"),
        ("image:", "image: a:2"),
        ("image: &x\nb: 1\n", "image: &x a:2\nb: 1\n"),
        ("image: !!str\nb: 1\n", "image: a:2\nb: 1\n"),
        ("{image}\n", "{image: a:2}\n"),
        ("{image, b}\n", "{image: a:2, b}\n"),
        ("{image: , b: 1}\n", "{image: a:2 , b: 1}\n"),
        ("? image\n", "? image\n: a:2\n"),
        ("? image\nb: 1\n", "? image\n: a:2\nb: 1\n"),
    ] {
        assert_eq!(replaced(before, "a:2", false), after, "{before:?}");
    }
}

#[test]
fn what_plain_cannot_hold_is_quoted() {
    for (value, after) in [
        ("a: b", "image: 'a: b'\n"),
        (" a", "image: ' a'\n"),
        ("*a", "image: '*a'\n"),
        ("it's: x", "image: 'it''s: x'\n"),
        ("yes", "image: 'yes'\n"),
        ("12:30", "image: '12:30'\n"),
        ("1.10", "image: '1.10'\n"),
        ("null", "image: 'null'\n"),
        ("", "image: \"\"\n"),
        ("a\nb", "image: \"a\\nb\"\n"),
        ("a\u{1}\u{85}\u{FEFF}", "image: \"a\\x01\\x85\\uFEFF\"\n"),
        ("---", "image: '---'\n"),
        ("a #b", "image: 'a #b'\n"),
        ("a#b", "image: a#b\n"),
    ] {
        assert_eq!(replaced("image: nginx\n", value, false), after, "{value:?}");
    }
    assert_eq!(replaced("{image: x}\n", "a,b", false), "{image: 'a,b'}\n");
}

#[test]
fn a_typed_result_stays_plain_but_a_word_of_yaml_1_1_does_not() {
    for value in [
        "123",
        "-1",
        "1.10",
        "true",
        "null",
        "~",
        "2020-01-01",
        ".nan",
    ] {
        assert_eq!(
            replaced("image: nginx\n", value, true),
            format!("image: {value}\n")
        );
        assert_eq!(
            replaced("image: 'nginx'\n", value, true),
            format!("image: '{value}'\n")
        );
    }
    assert_eq!(replaced("image: nginx\n", "on", true), "image: 'on'\n");
}

#[test]
fn awkward_values_read_back_in_every_style() {
    let values = [
        "a", " ", "a\n", "a\nb", "a\nb\n", "\n", "\n\n", "'", "\"", "\\", "a\tb", "\r", "é", "🐳",
        "- a", "? a", ": a", "a:", "{a}", "[", "]", ",", "#", "a # b", "!x", "&x", "%x", "@", "`",
        "|", ">", "...", "--- a", "<<", "=", "0o7", "0x1F", "-", "", "\u{2028}", "a\n\nb",
        "  a\nb",
    ];
    let texts = [
        "image: nginx\nb: 1\n",
        "image: 'nginx'\nb: 1\n",
        "image: \"nginx\"\nb: 1\n",
        "image: |\n  nginx\nb: 1\n",
        "image: >-\n  nginx\nb: 1\n",
        "image: |+\n  nginx\n\n\nb: 1\n",
        "x: [{image: nginx}, {image}]\n",
        "image:\nb: 1\n",
        "- image: nginx\r\n  b: 1\r\n",
    ];
    for text in texts {
        for value in values {
            replaced(text, value, false);
            replaced(text, value, true);
        }
    }
}
