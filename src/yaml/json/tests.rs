//! Tests of the readers over whole texts.

use serde_json::json;

use super::*;
use crate::source::SourceMap;
use crate::yaml::read_all;

fn read(text: &str, reader: Reader) -> Result<Value, String> {
    let source = SourceMap::default().add("a.yaml", text);
    let doc = read_all(&source).remove(0).map_err(|fault| fault.message)?;
    to_json(doc.root().expect("the text has a node"), reader).map_err(|fault| fault.message)
}

fn both(text: &str) -> (Value, Value) {
    let of = |reader| read(text, reader).expect("the text can be read");
    (of(Reader::Kubernetes), of(Reader::Kustomize))
}

#[test]
fn merge_keys_are_applied_as_each_reader_applies_them() {
    let text = "x: &b {i: 1, j: 2}\nz: {i: own, <<: *b}\ny1: {<<: [{i: a}, {i: b}], k: 1}\n";
    let (kubernetes, kustomize) = both(text);
    assert_eq!(kubernetes["z"], json!({"i": 1, "j": 2}));
    assert_eq!(kustomize["z"], json!({"i": "own", "j": 2}));
    assert_eq!(kustomize["y1"], json!({"k": 1, "i": "a"}));
    assert!(read("a: {<<: 5}\n", Reader::Kubernetes).is_err());
    assert_eq!(both("a: {\"<<\": {b: 1}}\n").0, json!({"a": {"<<": {"b": 1}}}));
}

#[test]
fn tags_are_honoured() {
    let text =
        "a: !!str 12\nb: !!int \"5\"\nc: !!null ~\nd: !!binary bmdpbng=\ne: !!float 3\nf: !x 1";
    let expected = json!({"a": "12", "b": 5, "c": null, "d": "nginx", "e": 3, "f": "1"});
    assert_eq!(both(text), (expected.clone(), expected));
    assert!(read("- !!null foo\n", Reader::Kustomize).unwrap_err().contains("`!!null`"));
}

#[test]
fn numbers_print_as_go_prints_them() {
    let text = "[1.0, 1.10, 1e3, 1e-7, 123456789012345678901234567890, 1234567890123.456, 1e21]";
    let printed = both(text).0.to_string();
    assert_eq!(printed, "[1,1.1,1000,1e-7,1.2345678901234568e+29,1234567890123.456,1e+21]");
}

#[test]
fn dates_stay_to_kubernetes_and_grow_to_kustomize() {
    let (kubernetes, kustomize) = both("a: 2024-01-02\n");
    assert_eq!(kubernetes, json!({"a": "2024-01-02"}));
    assert_eq!(kustomize, json!({"a": "2024-01-02T00:00:00Z"}));
}

#[test]
fn keys_become_text_and_the_last_of_two_counts() {
    assert_eq!(both("on: 1\n5: 2\na: 1\na: 3\n").0, json!({"true": 1, "5": 2, "a": 3}));
    assert!(read("~: 1\n", Reader::Kubernetes).is_err());
    assert!(read("[a]: 1\n", Reader::Kubernetes).is_err());
}

#[test]
fn cycles_bombs_and_deep_trees_are_refused() {
    assert!(read("&a [*a]\n", Reader::Kubernetes).unwrap_err().contains("itself"));
    assert!(read("x: &a {b: {c: *a}}\n", Reader::Kustomize).unwrap_err().contains("itself"));
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..9 {
        let alias = format!("*a{}", level - 1);
        bomb += &format!("a{level}: &a{level} [{}]\n", vec![alias; 10].join(", "));
    }
    assert!(read(&bomb, Reader::Kubernetes).unwrap_err().contains("million"));
    let deep = format!("{}x\n", "- ".repeat(9000));
    assert!(read(&deep, Reader::Kubernetes).unwrap_err().contains("deeper"));
}

#[test]
fn the_cases_read_as_kubectl_reads_them() {
    let cases = std::path::Path::new("../shared/cases");
    for case in [
        "33-numbers-stay-numbers",
        "34-octal-modes",
        "35-boolean-look-alikes",
        "37-dates-become-timestamps",
    ] {
        let folder = cases.join(case);
        let Ok(manifests) = std::fs::read_to_string(folder.join("manifests.yaml")) else {
            continue;
        };
        let read = |text: &str, reader| read(text, reader).expect("the case can be read");
        let oracle = |name: &str| -> Value {
            let text = std::fs::read_to_string(folder.join("oracle").join(name)).unwrap();
            serde_json::from_str(&text).unwrap()
        };
        let mut wanted = oracle("kubectl-reads-input.json");
        wanted["metadata"].as_object_mut().unwrap().remove("annotations");
        assert_eq!(sorted(&read(&manifests, Reader::Kubernetes)), sorted(&wanted), "{case}");
        let mut wanted = oracle("kubectl-reads-kustomize.json");
        wanted["metadata"].as_object_mut().unwrap().remove("annotations");
        let text = manifests.replace("registry.example.org/app:1.0", "mirror.example.net/app:2.0");
        let mut found = read(&text, Reader::Kustomize);
        if let Some(number) = found["spec"].get_mut("uint64") {
            *number = integer(i128::from(u64::MAX), Reader::Kubernetes);
        }
        assert_eq!(sorted(&found), sorted(&wanted), "{case}");
    }
}

/// The value as text with its keys sorted.
fn sorted(value: &Value) -> String {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<_> =
                map.iter().map(|(key, value)| format!("{key:?}:{}", sorted(value))).collect();
            entries.sort();
            format!("{{{}}}", entries.join(","))
        }
        Value::Array(items) => {
            format!("[{}]", items.iter().map(sorted).collect::<Vec<_>>().join(","))
        }
        other => other.to_string(),
    }
}
