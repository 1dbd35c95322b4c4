//! The cases 69 to 76 and 84 of `../shared/cases`, through the real binary: what a diff shows, what
//! it leaves out and how it ends, and where findings land. Passes, saying so, where they are absent.

#![expect(clippy::print_stdout, reason = "a test says what it skipped")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const FORMATS: [&str; 5] = ["text", "unified", "markdown", "json", "html"];

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

fn forebay(place: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_forebay"))
        .args(arguments)
        .current_dir(place)
        .output()
        .expect("the binary runs")
}

/// The exit code and what is printed, of `old.yaml` against `new`.
fn diff(place: &Path, new: &str, more: &[&str]) -> (Option<i32>, String, String) {
    let mut arguments = vec!["diff", "old.yaml", new, "--exit-code"];
    arguments.extend(more);
    let done = forebay(place, &arguments);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (done.status.code(), text(&done.stdout), text(&done.stderr))
}

#[test]
fn case_69_order_and_quotes_are_no_difference() {
    let Some(place) = case("69-order-is-not-a-change") else {
        return;
    };
    for format in FORMATS {
        let (code, _, said) = diff(&place, "new.yaml", &["--format", format]);
        assert_eq!(code, Some(0));
        assert!(said.contains("no differences in 2 objects"), "{said}");
    }
    assert_eq!(diff(&place, "new.yaml", &[]).1, "");
}

#[test]
fn case_71_an_order_of_items_is_a_difference_and_said_as_one() {
    let Some(place) = case("71-order-can-be-a-change") else {
        return;
    };
    let (code, shown, _) = diff(&place, "new.yaml", &[]);
    assert_eq!(code, Some(1));
    assert_eq!(
        shown.matches("the same items in another order").count(),
        2,
        "{shown}"
    );
    assert!(
        shown.contains("[c].args") && shown.contains("[c].env"),
        "{shown}"
    );
    for format in FORMATS {
        let (code, shown, _) = diff(&place, "new.yaml", &["--format", format]);
        assert_eq!(code, Some(1), "{format}");
        assert!(
            shown.contains("args") && shown.contains("env"),
            "{format}: {shown}"
        );
    }
}

#[test]
fn case_72_secrets_are_masked_in_every_format_and_their_change_is_told() {
    let Some(place) = case("72-secrets-are-masked") else {
        return;
    };
    for format in FORMATS {
        let (code, shown, said) = diff(&place, "new.yaml", &["--format", format]);
        assert_eq!(code, Some(1));
        for secret in ["eyJ", "a2Vl", "bmV3", "open-sesame", "keep"] {
            assert!(
                !shown.contains(secret) && !said.contains(secret),
                "{format}: {secret}"
            );
        }
        for key in ["dockerconfigjson", "added", "plain", "rotated"] {
            assert!(shown.contains(key), "{format}: {key} is not in {shown}");
        }
    }
    let (_, shown, _) = diff(&place, "new.yaml", &[]);
    assert!(!shown.contains("data.same"), "{shown}");
    assert!(shown.contains("data.added\n    + ***\n"), "{shown}");
    assert!(
        shown.contains("stringData.plain\n    - *** (before)\n    + *** (after)\n"),
        "{shown}"
    );
    let (_, shown, _) = diff(&place, "new.yaml", &["--show-secrets"]);
    assert!(shown.contains("open-sesame-2"), "{shown}");
}

#[test]
fn case_73_a_removed_object_is_a_difference_and_a_broken_file_is_trouble() {
    let Some(place) = case("73-removed-objects-count") else {
        return;
    };
    for format in FORMATS {
        let with = |new| diff(&place, new, &["--format", format]);
        let (code, shown, _) = with("new.yaml");
        assert_eq!(code, Some(1), "{format}");
        assert!(shown.contains("gone"), "{format}: {shown}");
        assert_eq!(with("old.yaml").0, Some(0), "{format}");
        let (code, shown, said) = with("broken.yaml");
        assert_eq!((code, shown.as_str()), (Some(2), ""), "{format}");
        assert!(said.contains("broken.yaml:"), "{said}");
    }
    assert!(diff(&place, "new.yaml", &[]).1.contains("removed Pod gone"));
}

#[test]
fn case_74_what_many_objects_share_is_told_once_or_hidden_and_counted() {
    let Some(place) = case("74-chart-label-noise") else {
        return;
    };
    let (code, shown, _) = diff(&place, "new.yaml", &[]);
    assert_eq!(code, Some(1));
    for line in [
        "30 objects changed alike",
        "metadata.labels[\"helm.sh/chart\"]: app-1.8.0 → app-1.8.1",
        "metadata.labels[\"app.kubernetes.io/version\"]: 1.8.0 → 1.8.1",
        "metadata.annotations.checksum/config: another checksum in each",
    ] {
        assert_eq!(shown.matches(line).count(), 1, "{line} in {shown}");
    }
    assert!(shown.contains("changed ConfigMap cm7 ("), "{shown}");
    assert!(shown.contains("data.k\n    - old\n    + new\n"), "{shown}");
    let hide = [
        "--hide",
        "helm.sh/chart",
        "--hide",
        "app.kubernetes.io/version",
        "--hide",
        "checksum/*",
    ];
    let (code, shown, _) = diff(&place, "new.yaml", &hide);
    assert_eq!(code, Some(1));
    assert_eq!(
        shown,
        "changed ConfigMap cm7\n  data.k\n    - old\n    + new\n\n\
         1 changed, 29 the same; 90 differences hidden in 30 objects\n"
    );
}

#[test]
fn case_75_one_value_in_two_spellings_is_no_difference() {
    let Some(place) = case("75-same-number-other-spelling") else {
        return;
    };
    let (code, shown, _) = diff(&place, "new.yaml", &[]);
    assert_eq!(code, Some(1));
    assert_eq!(
        shown,
        "changed X x\n  spec.d\n    - 9007199254740993\n    + 9007199254740992\n  \
         spec.e\n    - \"1\"\n    + 1\n  spec.f\n    - null\n\n1 changed\n"
    );
}

#[test]
fn case_76_a_comment_is_cut_between_objects_and_the_file_has_all() {
    let Some(place) = case("76-diff-too-long-for-a-comment") else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let full = folder.path().join("full.md");
    let full = full.to_str().expect("UTF-8");
    let (code, shown, _) = diff(
        &place,
        "new.yaml",
        &["--format", "markdown", "--full", full],
    );
    assert_eq!(code, Some(1));
    assert!(shown.chars().count() <= 65_000);
    assert_eq!(
        shown.matches("<details>").count(),
        shown.matches("</details>").count()
    );
    assert_eq!(shown.matches("```").count() % 2, 0);
    let summary = shown.split("<details>").next().expect("a summary");
    assert_eq!(
        summary.matches("| `ConfigMap dash").count(),
        60,
        "{summary}"
    );
    assert!(
        shown.contains("of 60 details are left out here; the whole diff is in `"),
        "{shown}"
    );
    let whole = fs::read_to_string(full).expect("it is written");
    assert_eq!(whole.matches("<details>").count(), 60);
}

#[test]
fn cozystacks_packages_differ_completely_and_the_same_way_every_time() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus/packages/sources");
    if !corpus.is_dir() {
        println!("skipped: ../shared/corpus/packages is not there");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (mut files, mut changed) = (0, 0);
    for entry in fs::read_dir(&corpus).expect("it is there").flatten() {
        let text = fs::read_to_string(entry.path()).unwrap_or_default();
        let new = text
            .replace("kind: HelmChart", "kind: GitRepository")
            .replace("name: ", "name:  ");
        fs::write(folder.path().join(entry.file_name()), &new).expect("a file");
        files += 1;
        changed += usize::from(new.replace("name:  ", "name: ") != text);
    }
    assert!(files > 0);
    let old = corpus.to_str().expect("UTF-8");
    let run = |more: &[&str]| {
        let mut arguments = vec!["diff", old, ".", "--exit-code"];
        arguments.extend(more);
        let done = forebay(folder.path(), &arguments);
        (done.status.code(), done.stdout)
    };
    let (code, shown) = run(&[]);
    assert_eq!(code, Some(i32::from(changed > 0)));
    assert_eq!(run(&["--jobs", "1"]), (code, shown));
    let (_, page) = run(&["--format", "markdown"]);
    assert!(String::from_utf8_lossy(&page).chars().count() <= 65_000);
}

#[test]
fn case_84_findings_land_on_their_lines_from_wherever_they_are_asked_for() {
    let Some(place) = case("84-sarif-locations") else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let prod = folder.path().join("deploy/prod");
    fs::create_dir_all(&prod).expect("a folder");
    for name in ["manifests.yaml", "values.yaml"] {
        fs::copy(place.join("deploy/prod").join(name), prod.join(name)).expect("a copy");
    }
    // A work tree is known by this alone.
    fs::create_dir(folder.path().join(".git")).expect("a folder");
    let run = |at: &Path, prefix: &str| {
        let (manifests, values) = (
            format!("{prefix}manifests.yaml"),
            format!("{prefix}values.yaml"),
        );
        let arguments = [
            "check", &manifests, "--images", &values, "--format", "sarif",
        ];
        forebay(at, &arguments).stdout
    };
    let root = run(folder.path(), "deploy/prod/");
    assert_eq!(root, run(&folder.path().join("deploy"), "prod/"));
    let absolute = format!("{}/", prod.display());
    assert_eq!(root, run(folder.path(), &absolute));
    let sarif: serde_json::Value = serde_json::from_slice(&root).expect("JSON");
    let run = &sarif["runs"][0];
    let declared = run["tool"]["driver"]["rules"].as_array().expect("rules");
    let mut lines = Vec::new();
    for result in run["results"].as_array().expect("results") {
        let at = &result["locations"][0]["physicalLocation"];
        assert_eq!(at["artifactLocation"]["uri"], "deploy/prod/values.yaml");
        assert!(declared.iter().any(|rule| rule["id"] == result["ruleId"]));
        assert!(result["level"].is_string());
        lines.push(at["region"]["startLine"].as_u64().expect("a line"));
    }
    assert_eq!(lines, [6, 8, 10, 11]);
}
