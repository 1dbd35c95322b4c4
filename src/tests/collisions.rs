//! Collisions over the shared material, through the real binary: the cases 54 to 59 and 67 of
//! `../shared/cases`, and the real packages of `../shared/corpus`, alone and with a scaffold beside
//! them. Passes, saying so, where they are absent.

#![expect(clippy::print_stdout, reason = "a test says what it skipped")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn shared(folder: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../shared")
        .join(folder);
    if path.is_dir() {
        return Some(path);
    }
    println!("skipped: ../shared/{folder} is not there");
    None
}

/// The exit code of `check` and its findings.
fn check(place: &Path, arguments: &[&str]) -> (Option<i32>, Vec<Value>) {
    let done = Command::new(env!("CARGO_BIN_EXE_forebay"))
        .args(["check", "--format", "json"])
        .args(arguments)
        .current_dir(place)
        .output()
        .expect("the binary runs");
    let report: Value = serde_json::from_slice(&done.stdout)
        .unwrap_or_else(|why| panic!("{why}: {}", String::from_utf8_lossy(&done.stderr)));
    let findings = report["findings"].as_array().expect("a list");
    (done.status.code(), findings.clone())
}

/// Rule and message of each finding.
fn told(findings: &[Value]) -> Vec<(&str, &str)> {
    findings
        .iter()
        .map(|finding| {
            let text = |key: &str| finding[key].as_str().unwrap_or_default();
            (text("rule"), text("message"))
        })
        .collect()
}

/// The one finding of a case: its rule, and words of its message.
fn one(case: &str, arguments: &[&str], rule: &str, words: &[&str]) {
    let Some(place) = shared(&format!("cases/{case}")) else {
        return;
    };
    let (code, findings) = check(&place, arguments);
    let told = told(&findings);
    assert_eq!((code, told.len()), (Some(1), 1), "{case}: {told:?}");
    assert_eq!(told[0].0, rule, "{case}");
    for word in words {
        assert!(
            told[0].1.contains(word),
            "{case}: no {word} in {}",
            told[0].1
        );
    }
}

#[test]
fn case_54_a_release_of_the_installer_is_not_taken() {
    let case = "54-release-takes-the-installers-name";
    let arguments = [
        "packages.yaml",
        "sources.yaml",
        "--snapshot",
        "installed-releases.json",
    ];
    let words = [
        "cozy-system/cozystack",
        "Package/example.proxy",
        "`proxy`",
        "the installer",
    ];
    one(case, &arguments, "release-taken", &words);
    let Some(place) = shared(&format!("cases/{case}")) else {
        return;
    };
    let help = check(&place, &arguments).1[0]["help"].clone();
    assert!(
        help.as_str()
            .is_some_and(|help| help.contains("such as `proxy`")),
        "{help}"
    );
}

#[test]
fn case_55_one_storage_and_one_name_are_one_release() {
    let words = [
        "helm-storage/alpha-test",
        "helm-storage/beta-test",
        "helm-storage/test",
    ];
    let case = "55-same-release-same-storage";
    one(case, &["manifests.yaml"], "helm-release-collision", &words);
}

#[test]
fn case_56_one_name_in_other_namespaces_is_nothing() {
    if let Some(place) = shared("cases/56-same-name-other-namespace-is-fine") {
        let (code, findings) = check(&place, &["manifests.yaml"]);
        assert_eq!((code, told(&findings)), (Some(0), Vec::new()));
    }
}

#[test]
fn case_57_default_names_that_meet_are_one_release() {
    let words = ["flux-apps/c", "flux-apps/b-c", "flux-apps/a-b-c"];
    let case = "57-default-names-that-meet";
    one(case, &["manifests.yaml"], "helm-release-collision", &words);
}

#[test]
fn case_59_two_packages_of_one_release_are_both_named() {
    let words = [
        "cozy-shared/agent",
        "Package/example.one",
        "Package/example.two",
        "`agenttwo`",
    ];
    let case = "59-two-packages-one-helmrelease";
    one(
        case,
        &["packages.yaml", "sources.yaml"],
        "release-collision",
        &words,
    );
}

#[test]
fn case_67_all_places_of_one_object_are_told() {
    let Some(place) = shared("cases/67-two-owners-of-one-object") else {
        return;
    };
    let (code, findings) = check(&place, &["."]);
    assert_eq!(code, Some(1));
    let mut places: Vec<(String, u64)> = findings
        .iter()
        .filter(|finding| finding["rule"] == "duplicate-object")
        .flat_map(|finding| {
            let related = finding["related"].as_array().into_iter().flatten();
            std::iter::once(finding).chain(related).collect::<Vec<_>>()
        })
        .map(|place| {
            let file = place["file"].as_str().unwrap_or_default().to_owned();
            (file, place["line"].as_u64().unwrap_or_default())
        })
        .collect();
    places.sort();
    places.dedup();
    assert_eq!(places.len(), 3, "{places:?}");
}

/// The rules that say two things meet.
const COLLISIONS: [&str; 8] = [
    "application-release-collision",
    "artifact-collision",
    "duplicate-artifact-name",
    "helm-chart-collision",
    "helm-release-collision",
    "orphan-label",
    "release-collision",
    "release-target-shared",
];

#[test]
fn the_real_packages_of_all_bundles_at_once_do_not_collide() {
    let Some(corpus) = shared("corpus/packages") else {
        return;
    };
    let inputs = [
        "sources",
        "platform-packagesource.yaml",
        "packages",
        "platform",
        "rest",
    ];
    let (_, findings) = check(&corpus, &inputs);
    let found: Vec<_> = told(&findings)
        .into_iter()
        .filter(|(rule, _)| COLLISIONS.contains(rule) || rule.starts_with("release-"))
        .collect();
    assert_eq!(found, []);
    let (_, findings) = check(&corpus, &["sources", "packages/isp-full.yaml"]);
    let rules: Vec<_> = told(&findings).into_iter().map(|(rule, _)| rule).collect();
    assert_eq!(rules, ["override-without-install"]);
}

#[test]
fn a_scaffold_beside_the_real_packages_is_found_with_both_owners() {
    let Some(corpus) = shared("corpus/packages") else {
        return;
    };
    // What `cozypkg init` writes: a namespace and no `releaseName`.
    let text = "apiVersion: cozystack.io/v1alpha1\nkind: PackageSource\nmetadata: {name: \
                acme.postgres}\nspec:\n  sourceRef: {kind: OCIRepository, name: acme, namespace: \
                cozy-system}\n  variants:\n  - name: default\n    components:\n    - {name: \
                postgres, path: apps/postgres}\n    - {name: postgres-rd, path: \
                system/postgres-rd, install: {namespace: cozy-system}}\n---\napiVersion: \
                cozystack.io/v1alpha1\nkind: Package\nmetadata: {name: acme.postgres}\n";
    let place = tempfile::tempdir().expect("temporary directory");
    let scaffold = place.path().join("scaffold.yaml");
    fs::write(&scaffold, text).expect("a file can be written");
    let scaffold = scaffold.to_str().expect("UTF-8");
    let (code, findings) = check(&corpus, &["sources", "packages/isp-full.yaml", scaffold]);
    let found: Vec<_> = told(&findings)
        .into_iter()
        .filter(|(rule, _)| COLLISIONS.contains(rule))
        .collect();
    assert_eq!((code, found.len()), (Some(1), 1), "{found:?}");
    for word in [
        "cozy-system/postgres-rd",
        "Package/acme.postgres",
        "Package/cozystack.postgres-application",
    ] {
        assert!(found[0].1.contains(word), "{}", found[0].1);
    }
}

/// HelmReleases in pairs that share a Helm release.
fn releases(count: usize) -> String {
    let one = |at: usize| {
        format!(
            "---\napiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {{name: r{at}, \
             namespace: apps}}\nspec: {{releaseName: s{}, interval: 5m, chartRef: {{kind: \
             OCIRepository, name: c}}}}\n",
            at / 2
        )
    };
    let all: Vec<String> = (0..count).map(one).collect();
    all.concat()
}

#[test]
fn thousands_of_releases_are_checked_against_all_others() {
    let place = tempfile::tempdir().expect("temporary directory");
    fs::write(place.path().join("all.yaml"), releases(9_000)).expect("a file can be written");
    let (_, findings) = check(place.path(), &["all.yaml"]);
    let pairs = told(&findings);
    let pairs = pairs
        .iter()
        .filter(|(rule, _)| *rule == "helm-release-collision");
    assert_eq!(pairs.count(), 4_500);
}
