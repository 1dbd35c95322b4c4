//! The cases of `../shared/cases` up to 66, through the real binary: small inputs after public bug
//! reports, each with what kustomize 5.7.1 made of it. Passes, saying so, where they are absent.

#![expect(clippy::print_stdout, reason = "a test says what it skipped")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use yaml_rust2::{Yaml, YamlLoader};

#[path = "cases/packages.rs"]
mod packages;

/// Case, manifests, table, the exit codes of `rewrite --mode build` and of `check`, and what
/// `check` says, each level and rule once.
type Row = (
    &'static str,
    &'static str,
    &'static str,
    i32,
    i32,
    &'static [&'static str],
);

#[rustfmt::skip]
const ROWS: &[Row] = &[
    ("01-tag-digest-newtag", "manifests.yaml", "values.yaml", 0, 0, &["W override-drops-digest"]),
    ("02-newname-only-keeps-pin", "manifests.yaml", "values.yaml", 0, 0, &[]),
    ("03-newtag-and-digest-both", "manifests.yaml", "values.yaml", 0, 0, &[]),
    ("05-tag-carrying-digest", "manifests.yaml", "values.yaml", 0, 0, &["N override-tag-carries-digest"]),
    ("06-registry-port", "manifests.yaml", "values.yaml", 0, 0, &[]),
    ("07-dot-is-a-wildcard", "manifests.yaml", "values.yaml", 0, 0, &["W override-name-too-wide"]),
    ("08-name-not-a-regexp", "manifests.yaml", "values.yaml", 1, 1, &["E override-name-not-a-pattern"]),
    ("09-star-and-pipe-match-everything", "pipe-manifests.yaml", "pipe-values.yaml", 0, 0, &["W override-unanchored"]),
    ("09-star-and-pipe-match-everything", "manifests.yaml", "values.yaml", 0, 0, &["W override-matches-empty"]),
    ("11-capture-groups-not-expanded", "manifests.yaml", "values.yaml", 0, 1, &["E override-value", "W override-name-too-wide"]),
    ("12-sha512-digest", "manifests.yaml", "values.yaml", 0, 0, &["W image-not-reached"]),
    ("13-newtag-not-a-string", "manifests.yaml", "values-00.yaml", 1, 1, &["E override-not-a-string"]),
    ("13-newtag-not-a-string", "manifests.yaml", "values-01.yaml", 1, 1, &["E override-not-a-string"]),
    ("13-newtag-not-a-string", "manifests.yaml", "values-02.yaml", 1, 1, &["E override-not-a-string"]),
    ("13-newtag-not-a-string", "manifests.yaml", "values-03.yaml", 1, 1, &["E override-not-a-string"]),
    ("13-newtag-not-a-string", "manifests.yaml", "values-04.yaml", 1, 1, &["E override-not-a-string"]),
    ("13-newtag-not-a-string", "manifests.yaml", "values-05.yaml", 1, 1, &["E override-not-a-string"]),
    ("13-newtag-not-a-string", "manifests.yaml", "values-06.yaml", 1, 1, &["E override-not-a-string"]),
    ("13-newtag-not-a-string", "manifests.yaml", "values-07.yaml", 1, 1, &["E override-not-a-string"]),
    ("13-newtag-not-a-string", "manifests.yaml", "values-08.yaml", 1, 1, &["E override-not-a-string"]),
    ("13-newtag-not-a-string", "manifests.yaml", "values-09.yaml", 1, 1, &["E override-not-a-string"]),
    ("13-newtag-not-a-string", "manifests.yaml", "values-10.yaml", 1, 1, &["E override-not-a-string"]),
    ("13-newtag-not-a-string", "manifests.yaml", "values-11.yaml", 1, 1, &["E override-not-a-string"]),
    ("15-bad-references-in-table", "manifests.yaml", "values-00.yaml", 0, 1, &["E override-value"]),
    ("15-bad-references-in-table", "manifests.yaml", "values-01.yaml", 0, 1, &["E override-value"]),
    ("15-bad-references-in-table", "manifests.yaml", "values-02.yaml", 0, 1, &["E override-value"]),
    ("15-bad-references-in-table", "manifests.yaml", "values-03.yaml", 0, 1, &["E override-value"]),
    ("15-bad-references-in-table", "manifests.yaml", "values-04.yaml", 0, 1, &["E override-value"]),
    ("15-bad-references-in-table", "manifests.yaml", "values-05.yaml", 0, 1, &["E override-value"]),
    ("15-bad-references-in-table", "manifests.yaml", "values-06.yaml", 0, 1, &["E override-value"]),
    ("15-bad-references-in-table", "manifests.yaml", "values-07.yaml", 0, 1, &["E override-value"]),
    ("15-bad-references-in-table", "manifests.yaml", "values-08.yaml", 0, 1, &["E override-value"]),
    ("15-bad-references-in-table", "manifests.yaml", "values-09.yaml", 0, 1, &["E override-value"]),
    ("15-bad-references-in-table", "manifests.yaml", "values-10.yaml", 0, 1, &["E override-value"]),
    ("15-bad-references-in-table", "manifests.yaml", "values-11.yaml", 0, 1, &["E override-value"]),
    ("16-same-name-twice", "manifests.yaml", "values.yaml", 0, 1, &["E override-duplicate-name"]),
    ("17-entries-chain", "manifests.yaml", "values.yaml", 0, 0, &["W override-chain"]),
    ("18-table-field-spelling", "manifests.yaml", "values-case.yaml", 1, 1, &["E override-unknown-field"]),
    ("18-table-field-spelling", "manifests.yaml", "values-notlist.yaml", 1, 1, &["E override-not-a-list"]),
    ("18-table-field-spelling", "manifests.yaml", "values-string.yaml", 1, 1, &["E override-not-an-entry"]),
    ("18-table-field-spelling", "manifests.yaml", "values-suffix.yaml", 1, 1, &["E override-unknown-field"]),
    ("18-table-field-spelling", "manifests.yaml", "values-typo.yaml", 1, 1, &["E override-unknown-field"]),
    ("19-entry-matches-nothing", "manifests.yaml", "values.yaml", 0, 0, &["W override-unused"]),
    ("20-hub-short-names", "manifests.yaml", "values.yaml", 0, 0, &["W image-not-reached"]),
    ("21-name-with-a-tag", "manifests.yaml", "values.yaml", 0, 0, &["W override-drops-digest"]),
    ("22-placeholders-in-tags", "manifests.yaml", "values.yaml", 0, 0, &["W image-not-reached"]),
    ("23-workload-positions", "manifests.yaml", "values.yaml", 0, 0, &[]),
    ("24-ephemeral-containers", "manifests.yaml", "values.yaml", 0, 0, &["W image-not-reached"]),
    ("25-image-volumes", "manifests.yaml", "values.yaml", 0, 0, &["W image-not-reached"]),
    ("26-custom-resource-images", "manifests.yaml", "values.yaml", 0, 0, &["W image-not-reached"]),
    ("28-crd-schemas-untouched", "manifests.yaml", "values.yaml", 0, 0, &[]),
    ("29-lists-are-unrolled", "manifests.yaml", "values.yaml", 0, 0, &[]),
    ("30-images-in-env-args-configmaps", "manifests.yaml", "values.yaml", 0, 0, &["W image-not-reached", "W override-unused"]),
    ("31-null-and-empty-images", "manifests.yaml", "values.yaml", 0, 0, &[]),
    ("32-comments-order-quotes", "manifests.yaml", "values.yaml", 0, 0, &[]),
    ("33-numbers-stay-numbers", "manifests.yaml", "values.yaml", 0, 0, &["W number-too-large"]),
    ("34-octal-modes", "manifests.yaml", "values.yaml", 0, 0, &[]),
    ("35-boolean-look-alikes", "manifests.yaml", "values.yaml", 0, 0, &["W yaml-word"]),
    ("37-dates-become-timestamps", "manifests.yaml", "values.yaml", 0, 0, &["W yaml-word"]),
    ("38-anchors-and-merge-keys", "manifests.yaml", "values.yaml", 0, 0, &[]),
    ("40-duplicate-keys", "manifests.yaml", "values.yaml", 1, 1, &["E duplicate-key"]),
    ("41-multi-line-strings", "manifests.yaml", "values.yaml", 0, 0, &[]),
    ("42-crlf-and-bom", "manifests-bom.yaml manifests-crlf.yaml", "values.yaml", 0, 0, &[]),
    ("44-empty-documents", "manifests.yaml", "values.yaml", 0, 0, &[]),
    ("45-json-manifests", "manifests.yaml", "values.yaml", 0, 0, &[]),
    ("46-malformed-input", "manifests-indent.yaml", "values-indent.yaml", 1, 1, &["E malformed-input"]),
    ("46-malformed-input", "manifests-nokind.yaml", "values-nokind.yaml", 1, 1, &["E document-without-kind"]),
    ("46-malformed-input", "manifests-second.yaml", "values-second.yaml", 1, 1, &["E malformed-input"]),
    ("46-malformed-input", "manifests-tab.yaml", "values-tab.yaml", 1, 1, &["E malformed-input"]),
];

fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/cases");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: ../shared/cases is not there");
    None
}

fn forebay(place: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_forebay"))
        .args(arguments)
        .current_dir(place)
        .output()
        .expect("the binary runs")
}

/// The objects of a text, lists unrolled.
fn objects(text: &str) -> Vec<Yaml> {
    let mut queue = YamlLoader::load_from_str(text).expect("the output is YAML");
    let mut found = Vec::new();
    while let Some(object) = queue.pop() {
        match (&object["kind"], &object["items"]) {
            (Yaml::String(kind), Yaml::Array(items))
                if kind.ends_with("List") && object["metadata"]["name"].is_badvalue() =>
            {
                queue.extend(items.iter().cloned());
            }
            _ => found.push(object),
        }
    }
    found
}

/// The value under `a.b[0].c`; merge keys count.
fn at<'y>(object: &'y Yaml, path: &str) -> Option<&'y Yaml> {
    let mut value = object;
    for step in path.split(['.', '[']) {
        value = match step.strip_suffix(']') {
            Some(index) => value.as_vec()?.get(index.parse::<usize>().ok()?)?,
            None if value[step].is_badvalue() => &value["<<"][step],
            None => &value[step],
        };
    }
    Some(value)
}

/// A scalar as the oracle's list shows it.
fn shown(value: &Yaml) -> Option<String> {
    match value {
        Yaml::String(text) => Some(text.clone()),
        Yaml::Integer(number) => Some(number.to_string()),
        Yaml::Null => Some("null".to_owned()),
        _ => None,
    }
}

/// Whether every image stands where kustomize's output has it.
fn images_agree(case: &Path, output: &str) -> Result<(), String> {
    let Ok(wanted) = fs::read_to_string(case.join("oracle/images.txt")) else {
        return Ok(());
    };
    let objects = objects(output.trim_start_matches('\u{FEFF}'));
    for line in wanted.lines().filter(|line| !line.trim().is_empty()) {
        let parts: Vec<&str> = line.split("  ").collect();
        let [object, path, image] = parts[..] else {
            return Err(format!("odd line {line}"));
        };
        let (kind, name) = object.split_once('/').ok_or("an object has a name")?;
        let found = objects
            .iter()
            .filter(|it| {
                it["kind"].as_str() == Some(kind) && it["metadata"]["name"].as_str() == Some(name)
            })
            .filter_map(|it| at(it, path))
            .any(|value| shown(value).as_deref() == Some(image));
        if !found {
            return Err(format!("{object} {path} is not {image}"));
        }
    }
    Ok(())
}

fn judge(folder: &Path, row: &Row) -> Result<(), String> {
    let (case, manifests, values, rewrite, check, findings) = *row;
    let place = folder.join(case);
    let manifests: Vec<&str> = manifests.split(' ').collect();
    let with = |before: &[&'static str], behind: &[&'static str]| {
        let given = manifests.iter().copied().chain(["--images", values]);
        let all: Vec<&str> = before
            .iter()
            .copied()
            .chain(given)
            .chain(behind.iter().copied())
            .collect();
        forebay(&place, &all)
    };
    let done = with(&["rewrite", "--mode", "build"], &[]);
    if done.status.code() != Some(rewrite) {
        return Err(format!(
            "rewrite ends with {:?}, wanted {rewrite}",
            done.status.code()
        ));
    }
    let output = String::from_utf8_lossy(&done.stdout);
    if rewrite != 0 && !output.is_empty() {
        return Err("rewrite refuses and prints all the same".to_owned());
    }
    // Where a case has several inputs, its images are those of the ones named plainly.
    if rewrite == 0 && values == "values.yaml" {
        images_agree(&place, &output)?;
    }
    let done = with(&["check"], &["--format", "json"]);
    let report: serde_json::Value =
        serde_json::from_slice(&done.stdout).map_err(|why| why.to_string())?;
    let mut said: Vec<String> = report["findings"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|finding| {
            let level = finding["level"].as_str().unwrap_or_default()[..1].to_uppercase();
            format!("{level} {}", finding["rule"].as_str().unwrap_or_default())
        })
        .collect();
    said.sort();
    said.dedup();
    if said != findings {
        return Err(format!("check says {said:?}, wanted {findings:?}"));
    }
    match done.status.code() {
        Some(code) if code == check => Ok(()),
        code => Err(format!("check ends with {code:?}, wanted {check}")),
    }
}

#[test]
fn cases_up_to_47_are_rewritten_and_checked_as_they_say() {
    let Some(folder) = folder() else { return };
    let failures: Vec<String> = ROWS
        .iter()
        .filter_map(|row| {
            Some(format!(
                "{} {} {}: {}",
                row.0,
                row.1,
                row.2,
                judge(&folder, row).err()?
            ))
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn case_48_two_objects_of_one_identity_and_one_without_a_name() {
    let Some(folder) = folder() else { return };
    let place = folder.join("48-duplicate-objects-and-generate-name");
    let render = |file| forebay(&place, &["render", "--flux", "none", file, "-o", "-"]);
    let twice = render("manifests-dup.yaml");
    let said = String::from_utf8_lossy(&twice.stderr).into_owned();
    assert_eq!(twice.status.code(), Some(1));
    assert!(
        twice.stdout.is_empty() && said.contains("error[duplicate-object]"),
        "{said}"
    );
    assert!(
        said.contains("the first one"),
        "both places are named: {said}"
    );
    let nameless = String::from_utf8_lossy(&render("manifests-gen.yaml").stderr).into_owned();
    assert!(nameless.contains("[object-without-name]"), "{nameless}");
    let fine = render("manifests-ns.yaml");
    assert_eq!(fine.status.code(), Some(0));
    assert!(fine.stderr.is_empty());
}

#[test]
fn case_49_namespaces_and_definitions_come_first() {
    let Some(folder) = folder() else { return };
    let place = folder.join("49-apply-order");
    let done = forebay(
        &place,
        &["render", "--flux", "none", "manifests.yaml", "-o", "-"],
    );
    assert_eq!(done.status.code(), Some(0));
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    let kinds: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("kind: "))
        .collect();
    let first = |kind: &str| matches!(kind, "Namespace" | "CustomResourceDefinition");
    let staged = kinds.iter().take_while(|kind| first(kind)).count();
    assert!(
        staged > 0 && !kinds[staged..].iter().any(|kind| first(kind)),
        "{kinds:?}"
    );
}

#[test]
fn case_50_a_large_definition_is_rendered_whole_and_spoken_of() {
    let Some(folder) = folder() else { return };
    let place = folder.join("50-object-too-big-for-client-side-apply");
    let done = forebay(
        &place,
        &["render", "--flux", "none", "manifests.yaml", "-o", "-"],
    );
    assert_eq!(done.status.code(), Some(0));
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(
        said.contains("[object-too-large]") && said.contains("--server-side"),
        "{said}"
    );
    let input = fs::read_to_string(place.join("manifests.yaml")).expect("it is there");
    assert!(
        String::from_utf8_lossy(&done.stdout)
            .contains(input.trim_start_matches("---\n").trim_end())
    );
}

#[test]
fn case_65_two_image_tables_are_told_with_what_each_flux_makes_of_them() {
    let Some(folder) = folder() else { return };
    let place = folder.join("65-flux-kustomization-images-merge");
    let said = |more: &[&str]| {
        let done = forebay(&place, &[&["check", "."], more].concat());
        assert_eq!(done.status.code(), Some(0), "a warning at most");
        String::from_utf8_lossy(&done.stdout).into_owned()
    };
    let (replaced, merged) = (
        "`mirror.example.net/app`",
        "`mirror.example.net/app:v1.2.3`",
    );
    let both = said(&[]);
    assert!(
        both.contains("warning[image-tables-merged]")
            && both.contains(replaced)
            && both.contains(merged),
        "{both}"
    );
    let before = said(&["--flux-version", "2.8"]);
    assert!(
        before.contains(replaced) && !before.contains(merged),
        "{before}"
    );
    let later = said(&["--flux-version", "2.10"]);
    assert!(
        later.contains(merged) && !later.contains(replaced),
        "{later}"
    );
}
