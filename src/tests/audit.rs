//! `forebay audit` over the snapshots of `../shared/scenarios`, through the real binary: every field
//! of what is expected, in YAML and as JSON, and each patch against the real kubectl.
//!
//! Passes, saying so, where the scenarios are absent; without `FOREBAY_KUBECTL` no patch is applied.

#![expect(clippy::print_stdout, reason = "a test says what it skipped")]
#![expect(
    clippy::unwrap_used,
    reason = "a panic with its line is all that a test needs to say"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Map, Value, json};
use yaml_rust2::{Yaml, YamlLoader};

fn scenarios() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/scenarios");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: {} is not there", folder.display());
    None
}

/// The snapshots with what is expected of each, by name.
fn snapshots(folder: &Path) -> Vec<(String, Value)> {
    let expected = fs::read_to_string(folder.join("expected.json")).unwrap();
    let expected: Map<String, Value> = serde_json::from_str(&expected).unwrap();
    let found: Vec<_> = expected
        .into_iter()
        .filter(|(_, scenario)| scenario["kind"] == "snapshot")
        .collect();
    assert!(found.len() > 40, "the snapshots are found");
    found
}

fn audit(scenario: &Value, files: &[PathBuf], more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_forebay"));
    command.arg("audit").args(files);
    command.args(["--hold", &scenario["holdMinutes"].to_string()]);
    if let Some(now) = scenario["now"].as_str() {
        command.args(["--now", now]);
    }
    let format = if more.is_empty() {
        &["--format", "json"]
    } else {
        more
    };
    command.args(format).output().unwrap()
}

fn files(folder: &Path, scenario: &Value) -> Vec<PathBuf> {
    let names = scenario["files"].as_array().unwrap();
    names
        .iter()
        .map(|name| folder.join(name.as_str().unwrap()))
        .collect()
}

fn as_set(value: &Value) -> BTreeSet<String> {
    value
        .as_array()
        .into_iter()
        .flatten()
        .map(ToString::to_string)
        .collect()
}

/// What differs from what is expected, field by field.
fn differences(expected: &Value, found: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    for field in ["snapshot", "orphans"] {
        if as_set(&expected[field]) != as_set(&found[field]) {
            wrong.push(format!("{field}: {}", found[field]));
        }
    }
    let objects = expected["objects"].as_object().unwrap();
    let none = Map::new();
    let there = found["objects"].as_object().unwrap_or(&none);
    if !objects
        .keys()
        .eq(objects.keys().filter(|name| there.contains_key(*name)))
        || objects.len() != there.len()
    {
        wrong.push(format!("objects: {:?}", there.keys()));
    }
    for (name, wanted) in objects {
        let object = &found["objects"][name];
        if as_set(&wanted["findings"]) != as_set(&object["findings"]) {
            wrong.push(format!("{name}: findings {}", object["findings"]));
        }
        for field in [
            "deleteOutcome",
            "action",
            "patch",
            "optionalAction",
            "optionalPatch",
        ] {
            if wanted[field] != object[field] {
                wrong.push(format!(
                    "{name}: {field} is {}, expected {}",
                    object[field], wanted[field]
                ));
            }
        }
    }
    wrong
}

#[test]
fn scenarios_are_told_as_expected() {
    let Some(folder) = scenarios() else { return };
    let mut wrong = Vec::new();
    for (name, scenario) in snapshots(&folder) {
        let output = audit(&scenario, &files(&folder, &scenario), &[]);
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        let differences = differences(&scenario, &found);
        wrong.extend(differences.into_iter().map(|it| format!("{name}: {it}")));
        let errors = found["details"]
            .as_array()
            .unwrap()
            .iter()
            .any(|detail| detail["level"] == "error");
        assert_eq!(output.status.code(), Some(i32::from(errors)), "{name}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn json_says_the_same_as_yaml() {
    let Some(folder) = scenarios() else { return };
    let place = tempfile::tempdir().unwrap();
    for (name, scenario) in snapshots(&folder) {
        let text = fs::read_to_string(&files(&folder, &scenario)[0]).unwrap();
        let file = place.path().join("snapshot.json");
        fs::write(&file, as_json(&text)).unwrap();
        let output = audit(&scenario, &[file], &[]);
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(differences(&scenario, &found), [""; 0], "{name}");
    }
}

fn as_json(text: &str) -> String {
    let docs = YamlLoader::load_from_str(text).unwrap();
    serde_json::to_string_pretty(&value(&docs[0])).unwrap()
}

fn value(yaml: &Yaml) -> Value {
    match yaml {
        Yaml::Hash(entries) => entries
            .iter()
            .map(|(key, item)| (key.as_str().unwrap_or("?").to_owned(), value(item)))
            .collect(),
        Yaml::Array(items) => items.iter().map(value).collect(),
        Yaml::String(text) => json!(text),
        Yaml::Boolean(flag) => json!(flag),
        Yaml::Integer(number) => json!(number),
        _ => Value::Null,
    }
}

#[test]
fn no_payload_is_ever_printed() {
    let Some(folder) = scenarios() else { return };
    for (name, scenario) in snapshots(&folder) {
        for format in ["text", "json", "sarif", "github", "junit"] {
            let output = audit(&scenario, &files(&folder, &scenario), &["--format", format]);
            for stream in [output.stdout, output.stderr] {
                let text = String::from_utf8(stream).unwrap();
                assert!(!text.contains("UkVEQUNURUQ="), "{name} {format}");
            }
        }
    }
}

/// The HelmRelease of that name, as kubectl reads it.
fn object(text: &str, wanted: &str) -> Value {
    let docs = YamlLoader::load_from_str(text).unwrap();
    let list = value(&docs[0]);
    let items = list["items"].as_array().unwrap();
    let named = |item: &&Value| {
        let metadata = &item["metadata"];
        let name = [&metadata["namespace"], &metadata["name"]].map(|it| it.as_str().unwrap());
        item["kind"] == "HelmRelease" && name.join("/") == wanted
    };
    items.iter().find(named).unwrap().clone()
}

fn kubectl_patches(kubectl: &str, object: &Value, patch: &Value, place: &Path) -> Option<Value> {
    let file = place.join("object.json");
    fs::write(&file, object.to_string()).unwrap();
    let output = Command::new(kubectl)
        .args(["patch", "--local", "--type", "json", "-o", "json", "-f"])
        .arg(&file)
        .args(["-p", &patch.to_string()])
        .output()
        .unwrap();
    output
        .status
        .success()
        .then(|| serde_json::from_slice(&output.stdout).unwrap())
}

#[test]
fn patches_apply_and_are_refused_after_any_write() {
    let Some(folder) = scenarios() else { return };
    let Ok(kubectl) = std::env::var("FOREBAY_KUBECTL") else {
        println!("skipped: FOREBAY_KUBECTL is not set, no patch is applied");
        return;
    };
    let place = tempfile::tempdir().unwrap();
    let mut applied = 0;
    for (name, scenario) in snapshots(&folder) {
        let file = &files(&folder, &scenario)[0];
        let text = fs::read_to_string(file).unwrap();
        let output = audit(&scenario, std::slice::from_ref(file), &[]);
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        for (release, verdict) in found["objects"].as_object().unwrap() {
            for patch in [&verdict["patch"], &verdict["optionalPatch"]] {
                if patch.is_null() {
                    continue;
                }
                let mut object = object(&text, release);
                let result = kubectl_patches(&kubectl, &object, patch, place.path());
                let result = result.unwrap_or_else(|| panic!("{name}: {release} is refused"));
                let lifts = patch.to_string().contains("/spec/suspend");
                assert!(!lifts || result["spec"]["suspend"].is_null(), "{name}");
                object["metadata"]["resourceVersion"] = json!("1");
                let refused = kubectl_patches(&kubectl, &object, patch, place.path());
                assert!(refused.is_none(), "{name}: {release} is not refused");
                applied += 1;
            }
        }
    }
    assert!(applied > 10, "{applied} patches");
    println!("{applied} patches applied, and refused after a change of resourceVersion");
}
