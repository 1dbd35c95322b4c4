//! The cases 78, 79, 81 and 82 of `../shared/cases`, as their `expected.md` have it.

use std::path::{Path, PathBuf};

use crate::program::Place;

fn case(name: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../shared/cases")
        .join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: ../shared/cases/{name} is not there");
    None
}

#[test]
fn case_78_every_broken_blob_is_named_with_its_image() {
    let Some(folder) = case("78-bundle-with-broken-blobs") else {
        return;
    };
    let place = Place::new();
    let verify = |name: &str| place.run(&format!("bundle verify {}", folder.join(name).display()));
    assert_eq!(verify("good").code, 0);
    for (name, digest, what) in [
        ("missing", "36021f8b1f95", "is not there"),
        ("corrupt", "c26d78298f66", "does not hash to its name"),
        (
            "truncated",
            "754d03c23e1b",
            "is shorter than its descriptor says",
        ),
    ] {
        let done = verify(name);
        assert_eq!(done.code, 1, "{name}: {}", done.stderr);
        let line = done.stdout.lines().next().unwrap_or_default();
        for part in [digest, what, "`registry.example.org/app:1`"] {
            assert!(line.contains(part), "{name}: {line}");
        }
    }
}

#[test]
fn case_79_holes_of_an_index_are_named_by_platform() {
    let Some(folder) = case("79-bundle-with-a-partial-index") else {
        return;
    };
    let place = Place::new();
    let done = place.run(&format!(
        "bundle verify {}",
        folder.join("bundle").display()
    ));
    assert_eq!(done.code, 1);
    for part in [
        "4e96feabcb12",
        "has linux/amd64",
        "linux/arm64 (sha256:050e3ff18b33",
        "an attestation (sha256:db43bbced3ec",
    ] {
        assert!(done.stdout.contains(part), "{part}: {}", done.stdout);
    }
    let bundle = folder.join("bundle");
    let refused = place.trouble(&format!(
        "bundle push {} oci://127.0.0.1:1",
        bundle.display()
    ));
    assert!(refused.stderr.contains("linux/arm64"), "{}", refused.stderr);
}

#[test]
fn case_81_artifacts_are_told_from_images() {
    let Some(folder) = case("81-artifacts-that-are-not-images") else {
        return;
    };
    let place = Place::new();
    let bundle = folder.join("bundle");
    place.good(&format!("bundle verify {}", bundle.display()));
    let list = place.good(&format!("bundle list {} --format json", bundle.display()));
    let list: serde_json::Value = serde_json::from_str(&list.stdout).expect("JSON");
    let told: Vec<(&str, &str, usize)> = list["entries"]
        .as_array()
        .expect("entries")
        .iter()
        .map(|entry| {
            let text = |key: &str| entry[key].as_str().unwrap_or_default();
            let platforms = entry["platforms"].as_array().map_or(9, Vec::len);
            (text("name"), text("type"), platforms)
        })
        .collect();
    assert_eq!(
        told,
        [
            ("registry.example.org/packages:v1", "flux-artifact", 0),
            ("registry.example.org/charts/app:1.2.3", "helm-chart", 0),
            ("registry.example.org/app:1", "image", 1),
        ]
    );
}

#[test]
fn case_82_each_reference_has_its_account() {
    let Some(folder) = case("82-docker-config-keys") else {
        return;
    };
    let place = Place::new();
    let references = std::fs::read_to_string(folder.join("references.txt")).expect("references");
    let references: Vec<&str> = references.split_whitespace().collect();
    let config = folder.join("config.json");
    let line = format!(
        "bundle login-status -v --registry-auth-file {} {}",
        config.display(),
        references.join(" ")
    );
    let done = place.good(&line);
    let accounts = [
        "user `hub`",
        "user `hub`",
        "user `hub`",
        "user `hub`",
        "user `legacy`",
        "user `plain`",
        "anonymous",
        "user `port`",
        "an identity token",
        "user `team-a`",
        "user `all`",
        "user `robot$mirror`",
        "anonymous",
        "anonymous",
    ];
    assert_eq!(done.stdout.lines().count(), accounts.len());
    for ((line, reference), account) in done.stdout.lines().zip(references).zip(accounts) {
        let wanted = format!("{reference}: {account}");
        assert!(line.starts_with(&wanted), "{line}, wanted {wanted}");
    }
    assert!(!format!("{}{}", done.stdout, done.stderr).contains("fake-"));
}
