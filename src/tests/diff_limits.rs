//! Bad and large inputs of `diff`, through the real binary: each is said, bounded in time, and never
//! a wrong "no differences". Patches are applied by kubectl too, where scripts/test brings it.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn forebay(place: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_forebay"))
        .args(arguments)
        .current_dir(place)
        .output()
        .expect("the binary runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn map(name: &str, value: &str) -> String {
    format!(
        "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\ndata:\n  k: {value}\n"
    )
}

#[test]
fn a_tree_with_one_broken_file_is_trouble_with_its_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path();
    for side in ["old", "new"] {
        fs::create_dir(place.join(side)).expect("a folder");
        fs::write(place.join(side).join("a.yaml"), map("a", "v")).expect("a file");
    }
    for (name, bytes, why) in [
        ("broken.yaml", &b"a: [\n"[..], "broken.yaml:2"),
        ("binary.yaml", &b"\x7fELF\xff\xfe\x00"[..], "binary.yaml:1"),
        (
            "twice.yaml",
            &map("a", "v").into_bytes()[..],
            "stands twice",
        ),
    ] {
        for side in ["old", "new"] {
            let file = place.join(side).join(name);
            fs::write(&file, bytes).expect("a file");
            let done = forebay(place, &["diff", "old", "new", "--exit-code"]);
            assert_eq!(done.status.code(), Some(2), "{name}");
            assert!(done.stdout.is_empty());
            assert!(text(&done.stderr).contains(why), "{}", text(&done.stderr));
            fs::remove_file(file).expect("it was there");
        }
    }
    assert_eq!(
        forebay(place, &["diff", "old", "new", "--exit-code"])
            .status
            .code(),
        Some(0)
    );
}

#[test]
fn many_objects_and_a_huge_value_are_compared_in_bounds() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path();
    let many = |count: usize, value: &str| {
        let mut text = String::new();
        for at in 0..count {
            let value = if at % 1_000 == 7 { value } else { "same" };
            text.push_str(&map(&format!("c{at}"), value));
        }
        text
    };
    let count = 20_000;
    fs::write(place.join("old.yaml"), many(count, "one")).expect("a file");
    fs::write(place.join("new.yaml"), many(count, "two")).expect("a file");
    let done = forebay(place, &["diff", "old.yaml", "new.yaml", "--exit-code"]);
    assert_eq!(done.status.code(), Some(1));
    assert!(text(&done.stdout).ends_with("20 changed, 19980 the same\n"));

    let huge = |word: &str| {
        let mut text =
            String::from("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: h}\ndata:\n  k: |\n");
        for at in 0..60_000 {
            writeln!(text, "    {word} line {at} of a text that is long").expect("a string");
        }
        text
    };
    let old = huge("a");
    let changed = old
        .replace("line 30000 of", "line one of")
        .replace("line 59999 of", "the end of");
    fs::write(place.join("old.yaml"), &old).expect("a file");
    fs::write(place.join("new.yaml"), changed).expect("a file");
    let done = forebay(place, &["diff", "old.yaml", "new.yaml", "--exit-code"]);
    let shown = text(&done.stdout);
    assert_eq!(done.status.code(), Some(1));
    assert!(
        shown.contains("+ a line one of") && shown.lines().count() < 30,
        "{shown}"
    );
    // Nothing in common: said, and not millions of lines.
    fs::write(place.join("new.yaml"), huge("b")).expect("a file");
    let done = forebay(place, &["diff", "old.yaml", "new.yaml", "--exit-code"]);
    assert_eq!(done.status.code(), Some(1));
    assert!(text(&done.stdout).contains("more lines"));
    assert!(text(&done.stdout).lines().count() < 50_000);
}

#[test]
fn kubectl_makes_the_new_object_of_the_old_one_with_our_patch() {
    let Some(kubectl) = std::env::var_os("FOREBAY_KUBECTL") else {
        println!("skipped: no kubectl, patches were not applied by it");
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path();
    let pod = |containers: &str, labels: &str| {
        format!(
            "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n  namespace: ns\n  labels: {labels}\n\
             spec:\n  containers: {containers}\n"
        )
    };
    let old = pod(
        "[{name: a, image: 'x:1', args: [one, two, three], env: [{name: E, value: '1'}]}, {name: b, image: yy}]",
        "{app.kubernetes.io/name: a, til~de: x}",
    );
    for new in [
        pod(
            "[{name: b, image: yy}, {name: a, image: 'x:2', args: [two, three, four]}]",
            "{a: b}",
        ),
        pod(
            "[{name: c, image: z}, {name: a, image: 'x:1', args: [three, one]}, {name: b, image: yy}]",
            "{til~de: z}",
        ),
        pod("[]", "{app.kubernetes.io/name: 'null', til~de: ''}"),
    ] {
        fs::write(place.join("old.yaml"), &old).expect("a file");
        fs::write(place.join("new.yaml"), &new).expect("a file");
        let done = forebay(place, &["diff", "old.yaml", "new.yaml", "--format", "json"]);
        let diff: serde_json::Value = serde_json::from_slice(&done.stdout).expect("JSON");
        fs::write(place.join("patch"), diff["objects"][0]["patch"].to_string()).expect("a file");
        let done = Command::new(&kubectl)
            .args(["patch", "--local", "-f", "old.yaml", "--type", "json"])
            .args(["--patch-file", "patch", "-o", "yaml"])
            .current_dir(place)
            .env("HOME", place)
            .output()
            .expect("kubectl runs");
        assert!(done.status.success(), "{}", text(&done.stderr));
        fs::write(place.join("made.yaml"), &done.stdout).expect("a file");
        let done = forebay(place, &["diff", "made.yaml", "new.yaml", "--exit-code"]);
        assert_eq!(done.status.code(), Some(0), "{}", text(&done.stdout));
    }
}

#[test]
fn every_format_ends_alike_and_twice_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/diff");
    let (old, new) = (data.join("old"), data.join("new"));
    let (old, new) = (old.to_str().expect("UTF-8"), new.to_str().expect("UTF-8"));
    for format in ["text", "unified", "markdown", "json", "html"] {
        let run = |from: &str, to: &str, jobs: &str| {
            let words = [
                "diff",
                from,
                to,
                "--exit-code",
                "--format",
                format,
                "--jobs",
                jobs,
            ];
            let done = forebay(place, &words);
            (done.status.code(), done.stdout)
        };
        let first = run(old, new, "1");
        assert_eq!(first.0, Some(1), "{format}");
        assert_eq!(first, run(old, new, "4"), "{format}");
        assert_eq!(run(old, old, "2").0, Some(0), "{format}");
        assert_eq!(run(old, "nowhere", "2"), (Some(2), Vec::new()), "{format}");
    }
}
