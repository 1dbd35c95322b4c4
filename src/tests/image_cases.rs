//! The cases of `../shared/cases` about lists of images, through the real binary. Passes, saying so,
//! where they are absent.

#![expect(clippy::print_stdout, reason = "a test says what it skipped")]

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// The list of a case as JSON, with these arguments; `None` where the case is absent.
fn images(case: &str, arguments: &[&str]) -> Option<Value> {
    let root = Path::new("../shared/cases").join(case);
    if !root.is_dir() {
        println!("skipped: no {}", root.display());
        return None;
    }
    let output = Command::new(env!("CARGO_BIN_EXE_forebay"))
        .current_dir(&root)
        .args(["images", "manifests.yaml", "--format", "json"])
        .args(arguments)
        .output()
        .expect("the binary runs");
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Some(serde_json::from_slice(&output.stdout).expect("JSON"))
}

/// The rewritten references of a grade, in the order of the list.
fn graded<'v>(list: &'v Value, grade: &str) -> Vec<&'v str> {
    let images = list["images"].as_array().expect("a list");
    let of = images.iter().filter(|image| image["grade"] == grade);
    of.map(|image| image["rewritten"].as_str().expect("a text"))
        .collect()
}

/// How many findings of a rule there are.
fn count(list: &Value, rule: &str) -> usize {
    let findings = list["findings"].as_array().expect("a list");
    findings.iter().filter(|it| it["rule"] == rule).count()
}

#[test]
fn only_the_spelling_of_the_entry_is_rewritten_and_the_others_are_told() {
    let Some(list) = images("20-hub-short-names", &["--images", "values.yaml"]) else {
        return;
    };
    assert_eq!(
        graded(&list, "certain"),
        [
            "docker.io/redis:7",
            "index.docker.io/library/redis:7",
            "library/redis:7",
            "mirror.example.net/redis:7",
            "redis:7"
        ]
    );
    assert_eq!(count(&list, "image-not-reached"), 4);
}

#[test]
fn a_name_with_a_tag_tells_containers_apart() {
    let Some(list) = images("21-name-with-a-tag", &["--images", "values.yaml"]) else {
        return;
    };
    let images = list["images"].as_array().expect("a list");
    let moved = images.iter().filter(|it| !it["override"].is_null());
    let moved: Vec<&str> = moved.filter_map(|it| it["rewritten"].as_str()).collect();
    assert_eq!(moved, ["registry.example.org/agent:server-2"; 2]);
}

#[test]
fn hidden_images_are_possible_and_addresses_are_none() {
    let Some(list) = images(
        "30-images-in-env-args-configmaps",
        &["--images", "values.yaml"],
    ) else {
        return;
    };
    assert_eq!(
        graded(&list, "certain"),
        ["registry.example.org/operator:3.1"]
    );
    let proxy = format!("registry.example.org/proxy@sha256:{}", "a1".repeat(32));
    assert_eq!(
        graded(&list, "possible"),
        [
            "registry.example.org/agent:0.9",
            "registry.example.org/app:1.0",
            "registry.example.org/exporter:1.2",
            &proxy,
            "registry.example.org/worker"
        ]
    );
}

#[test]
fn what_no_entry_meets_stays_in_the_list() {
    let Some(list) = images("51-flux-install-by-digest", &["--images", "values.yaml"]) else {
        return;
    };
    let certain = graded(&list, "certain");
    assert_eq!(certain.len(), 6);
    assert_eq!(certain[0], "docker.example.org/library/busybox:1.36");
    let moved = "mirror.example.net/fluxcd/";
    assert!(
        certain[1..]
            .iter()
            .all(|image| image.starts_with(moved) && image.contains('@'))
    );
}

#[test]
fn an_image_is_listed_once_in_each_spelling() {
    let Some(list) = images("77-list-images-once", &[]) else {
        return;
    };
    let digest = format!("@sha256:{}", "a1".repeat(32));
    let (tagged, bare) = (
        format!("registry.example.org/app:1{digest}"),
        format!("registry.example.org/app{digest}"),
    );
    assert_eq!(
        graded(&list, "certain"),
        [
            "docker.io/library/redis:latest",
            "redis",
            "redis:latest",
            "registry.example.org/app:1",
            &tagged,
            &bare,
            "registry.example.org/data:4",
            "registry.example.org/debug:3",
            "registry.example.org/init:2",
            "registry.example.org:5000/app"
        ]
    );
    assert_eq!(count(&list, "image-without-tag"), 2);
}
