//! The manifest scenarios of `../shared/scenarios` (`m*`), through the real binary: the same codes,
//! levels and objects; effect, owners and fields in the message; keys in the report of `render`.
//! Passes, saying so, where they are absent.

#![expect(clippy::print_stdout, reason = "a test says what it skipped")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Levels are fixed per code, but for those that an expectation gives.
const WARNINGS: [&str; 4] = ["RN006", "RN009", "RN014", "RN017"];
const NOTES: [&str; 4] = ["RN002", "RN005", "RN015", "RN016"];

fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/scenarios");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: ../shared/scenarios is not there");
    None
}

/// Runs the binary and reads the JSON that it prints, or that it writes with `--report`.
fn json(folder: &Path, arguments: &[&str], report: Option<&Path>) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_forebay"));
    command.args(arguments).current_dir(folder);
    if let Some(report) = report {
        command.arg("--report").arg(report);
    }
    let done = command.output().expect("the binary runs");
    let text = report.map_or(done.stdout, |report| {
        fs::read(report).expect("a report is written")
    });
    serde_json::from_slice(&text).unwrap_or_else(|why| {
        panic!(
            "{arguments:?}: {why}: {}",
            String::from_utf8_lossy(&done.stderr)
        )
    })
}

/// The texts of a list; nothing where there is none.
fn texts<'v>(value: &'v Value, key: &str) -> impl Iterator<Item = &'v str> {
    let list = value[key].as_array().into_iter().flatten();
    list.filter_map(Value::as_str)
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

/// The HelmReleases of a finding as the expectations write them.
fn releases(finding: &Value) -> BTreeSet<String> {
    let related = finding["related"].as_array().into_iter().flatten();
    std::iter::once(finding)
        .chain(related)
        .map(|place| &place["object"])
        .filter(|object| text(object, "kind") == "HelmRelease")
        .map(|object| {
            let namespace = Some(text(object, "namespace")).filter(|it| !it.is_empty());
            format!("{}/{}", namespace.unwrap_or("?"), text(object, "name"))
        })
        .collect()
}

fn level(expected: &Value) -> &str {
    let code = text(expected, "code");
    match expected["severity"].as_str() {
        Some(level) => level,
        None if WARNINGS.contains(&code) => "warning",
        None if NOTES.contains(&code) => "note",
        None => "error",
    }
}

/// What is wrong with the findings of one scenario.
fn judge(id: &str, expected: &Value, found: &[Value]) -> Vec<String> {
    let mut left: Vec<&Value> = found
        .iter()
        .filter(|finding| texts(finding, "ids").any(|id| id.starts_with("RN")))
        .collect();
    let mut wrong = Vec::new();
    let lists = ["findings", "notes"];
    for wanted in lists
        .iter()
        .flat_map(|list| expected[list].as_array().expect("a list"))
    {
        let objects: BTreeSet<String> = texts(wanted, "objects").map(str::to_owned).collect();
        let place = left.iter().position(|finding| {
            texts(finding, "ids").any(|id| id == text(wanted, "code"))
                && releases(finding) == objects
                && text(finding, "level") == level(wanted)
        });
        let Some(place) = place else {
            wrong.push(format!("{id}: missing {wanted}"));
            continue;
        };
        let finding = left.remove(place);
        let lists = ["owners", "fields"]
            .iter()
            .filter_map(|list| wanted[list].as_array());
        let words = lists.flatten().chain(wanted.get("effect"));
        for word in words.filter_map(Value::as_str) {
            if !text(finding, "message").contains(word) {
                wrong.push(format!("{id}: no `{word}` in {}", finding["message"]));
            }
        }
    }
    wrong.extend(
        left.iter()
            .map(|finding| format!("{id}: not expected {finding}")),
    );
    wrong
}

#[test]
fn every_manifest_scenario_is_judged_as_expected() {
    let Some(folder) = folder() else { return };
    let expected = fs::read_to_string(folder.join("expected.json")).expect("it is there");
    let expected: BTreeMap<String, Value> = serde_json::from_str(&expected).expect("JSON");
    let place = tempfile::tempdir().expect("temporary directory");
    let report = place.path().join("report.json");
    let mut wrong = Vec::new();
    let mut seen = 0;
    for (id, expected) in expected.iter().filter(|(id, _)| id.starts_with('m')) {
        let old = format!("{id}.old.yaml");
        let changed = text(expected, "kind") == "manifest-diff";
        let new = if changed {
            format!("{id}.new.yaml")
        } else {
            format!("{id}.yaml")
        };
        let mut check = vec!["check", &new, "--format", "json"];
        let mut render = vec!["render", &new, "--fail-on", "never"];
        if changed {
            check.extend(["--against", &old]);
            render.extend(["--against", &old]);
        }
        let found = json(&folder, &check, None);
        let found = found["findings"].as_array().expect("a list");
        wrong.extend(judge(id, expected, found));
        let reported = json(&folder, &render, Some(&report));
        wrong.extend(judge(
            &format!("{id} (render)"),
            expected,
            reported["findings"].as_array().expect("a list"),
        ));
        if reported["releases"] != expected["keys"] {
            wrong.push(format!("{id}: keys {}", reported["releases"]));
        }
        seen += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen > 30, "{seen} scenarios");
}
