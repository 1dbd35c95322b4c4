//! Tests of reading tables: the places, and every fault of shape.

use super::{Found, Which, tables_in};
use crate::finding::Finding;
use crate::source::SourceMap;
use crate::yaml::parse;

fn read(text: &str) -> (Vec<Found>, Vec<Finding>) {
    let source = SourceMap::default().add("table.yaml", text);
    let doc = parse::read_all(&source).remove(0).expect("sound YAML");
    let mut findings = Vec::new();
    (tables_in(&doc, &mut findings), findings)
}

fn said(text: &str) -> Vec<(&'static str, String)> {
    let (_, findings) = read(text);
    findings
        .into_iter()
        .map(|finding| (finding.rule, finding.message))
        .collect()
}

#[test]
fn a_table_is_found_at_every_place() {
    let package = "kind: Package\nmetadata: {name: cozystack.cozystack-platform}\nspec: {components: \
                   {platform: {values: {registries: {imageOverrides: [{name: a}]}}}}}\n";
    for (text, which) in [
        ("- name: a\n", Which::Both),
        ("[{\"name\": \"a\"}]", Which::Both),
        ("images:\n- name: a\n", Which::Both),
        ("imageOverrides:\n- name: a\n", Which::Both),
        (
            "registries:\n  imageOverrides:\n  - name: a\n",
            Which::Platform,
        ),
        (
            "cozystackOperator:\n  fluxImageOverrides:\n  - name: a\n",
            Which::Flux,
        ),
        (package, Which::Platform),
    ] {
        let (found, findings) = read(text);
        assert!(findings.is_empty(), "{text}: {findings:?}");
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!(found[0].which, which, "{text}");
        assert_eq!(found[0].table.entries[0].name(), "a", "{text}");
    }
}

#[test]
fn what_yaml_makes_of_a_tag_is_said() {
    for (written, meaning) in [
        ("1.20", "the number 1.2"),
        ("010", "the number 8"),
        ("0x1F", "the number 31"),
        ("1_000", "the number 1000"),
        ("y", "the truth value true"),
        ("off", "the truth value false"),
        ("true", "the truth value true"),
        ("[a]", "a list"),
        ("{a: b}", "a mapping"),
    ] {
        let text = format!("- name: a\n  newTag: {written}\n");
        let expected =
            format!("`newTag` of entry 1 is not a string: YAML reads `{written}` as {meaning}");
        assert_eq!(said(&text), [("override-not-a-string", expected)]);
    }
    for written in ["706798e8", "08", "20240102", "1e3"] {
        let text = format!("- name: a\n  newTag: {written}\n");
        assert_eq!(said(&text)[0].0, "override-not-a-string", "{written}");
    }
    for written in [
        "\"1.20\"",
        "v1",
        "1.2.3",
        "2024-01-02",
        "~",
        "null",
        "",
        "''",
        "!!str 1.20",
    ] {
        let text = format!("- name: a\n  newTag: {written}\n");
        assert_eq!(said(&text), [], "{written}");
    }
}

#[test]
fn all_faults_are_said_in_one_run() {
    let (found, findings) = read(
        "images:\n- nginx\n- name: a\n  newtag: '1'\n  tagSuffix: -x\n- name: 5\n  colour: red\n- \
         name: b\n",
    );
    let rules: Vec<_> = findings.iter().map(|finding| finding.rule).collect();
    assert_eq!(
        rules,
        [
            "override-not-an-entry",
            "override-unknown-field",
            "override-unknown-field",
            "override-not-a-string",
            "override-unknown-field",
        ]
    );
    assert_eq!(findings[1].help.as_deref(), Some("did you mean `newTag`?"));
    assert!(
        findings[2]
            .help
            .as_deref()
            .is_some_and(|help| help.contains("tagSuffix"))
    );
    let indices: Vec<_> = found[0]
        .table
        .entries
        .iter()
        .map(|entry| entry.index)
        .collect();
    assert_eq!(indices, [1, 2, 3], "sound entries keep their place");
}

#[test]
fn a_table_that_is_no_list_is_refused_and_null_is_none() {
    assert_eq!(said("images: {name: a}\n")[0].0, "override-not-a-list");
    assert_eq!(said("images: nginx\n")[0].0, "override-not-a-list");
    assert_eq!(said("nginx\n")[0].0, "override-not-a-list");
    for text in [
        "images: null\n",
        "images: []\n",
        "{}\n",
        "registries: {}\n",
        "kind: Package\n",
    ] {
        assert_eq!(said(text), [], "{text}");
    }
}

#[test]
fn a_file_without_a_table_says_so() {
    let (found, findings) = read("image:\n- name: a\n");
    assert!(found.is_empty());
    assert_eq!(findings[0].rule, "override-not-a-list");
    assert_eq!(
        findings[0].help.as_deref(),
        Some("did you mean `images` for `image`?")
    );
}
