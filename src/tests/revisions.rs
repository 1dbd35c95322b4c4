//! `git:REV[:PATH]` through the real binary, on repositories that git makes here.

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

fn git(place: &Path, words: &[&str]) {
    let done = Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@example.org"])
        .args(words)
        .current_dir(place)
        .env("GIT_CONFIG_GLOBAL", "")
        .output()
        .expect("git runs");
    assert!(done.status.success(), "{words:?}: {done:?}");
}

#[test]
fn revisions_are_compared_with_files_and_missing_ones_are_trouble() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path();
    git(place, &["init", "-q"]);
    fs::create_dir_all(place.join("deploy")).expect("a folder");
    fs::write(place.join("deploy/a.yaml"), map("a", "one")).expect("a file");
    git(place, &["add", "."]);
    git(place, &["commit", "-qm", "one"]);
    git(place, &["tag", "v1"]);
    fs::write(place.join("deploy/a.yaml"), map("a", "two")).expect("a file");
    git(place, &["commit", "-qam", "two"]);
    git(place, &["gc", "-q"]);
    let run = |old: &str, new: &str, at: &str| {
        let done = forebay(&place.join(at), &["diff", old, new, "--exit-code"]);
        (done.status.code(), text(&done.stdout), text(&done.stderr))
    };
    for (old, new, at) in [
        ("git:v1:deploy", "deploy", ""),
        ("git:v1", "git:HEAD", ""),
        ("git:v1:./a.yaml", "a.yaml", "deploy"),
        ("git:v1:deploy/a.yaml", "git:HEAD:deploy/a.yaml", "deploy"),
    ] {
        let (code, shown, said) = run(old, new, at);
        assert_eq!(code, Some(1), "{old} {new}: {said}");
        assert!(shown.contains("- one\n    + two\n\n1 changed"), "{shown}");
    }
    assert_eq!(run("git:HEAD:deploy", "deploy", "").0, Some(0));
    for (old, why) in [
        ("git:v2", "no revision `v2`"),
        ("git:v1:prod", "no `prod`"),
        ("git:", "names no revision"),
    ] {
        let (code, shown, said) = run(old, "deploy", "");
        assert_eq!((code, shown.as_str()), (Some(2), ""), "{old}");
        assert!(said.contains(why), "{said}");
    }
    let done = forebay(
        place,
        &[
            "render",
            "--flux",
            "none",
            "deploy",
            "--against",
            "git:v1:deploy",
        ],
    );
    assert!(
        text(&done.stdout).contains("- one\n    + two\n"),
        "{done:?}"
    );
}

#[cfg(unix)]
#[test]
fn a_tree_with_links_and_packs_is_walked_like_a_disk() {
    use std::os::unix::fs::symlink;
    let root = tempfile::tempdir().expect("temporary directory");
    let at = |name: &str| root.path().join(name);
    git(root.path(), &["init", "-q"]);
    for folder in ["deploy/.data", "chart", "deploy/out"] {
        fs::create_dir_all(at(folder)).expect("a folder");
    }
    let write = |name: &str, text: &str| fs::write(at(name), text).expect("a file");
    write("deploy/.data/a.yaml", "a: 1\n");
    write("deploy/b.yaml", "b: 1\n");
    write("deploy/out/c.yaml", "c: 1\n");
    write("deploy/.sourceignore", "out\n");
    write("deploy/kustomization.yaml", "{}\n");
    write("chart/Chart.yaml", "{}\n");
    write("chart/d.yaml", "{}\n");
    symlink(".data/a.yaml", at("deploy/a.yaml")).expect("a link");
    symlink("../chart", at("deploy/linked")).expect("a link");
    symlink("nowhere", at("deploy/broken")).expect("a link");
    git(root.path(), &["add", "."]);
    git(root.path(), &["commit", "-qm", "x"]);
    git(root.path(), &["gc", "-q"]);
    git(root.path(), &["tag", "v1"]);
    let run = |words: &[&str], place: &Path| {
        let done = forebay(place, words);
        (done.status.code(), text(&done.stderr))
    };
    let (code, said) = run(&["check", "git:v1:deploy"], root.path());
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("2 documents") && said.contains("1 chart"),
        "{said}"
    );
    assert!(
        run(&["check", "git:v1:./"], &at("deploy"))
            .1
            .contains("2 documents")
    );
    for (place, why) in [
        ("git:nope", "has no revision `nope`"),
        ("git:v1:none", "has no `none`"),
        ("git:v1:../x", "leads out of the repository"),
        ("git:--help", "has no revision `--help`"),
    ] {
        let (code, said) = run(&["check", place], root.path());
        assert_eq!(code, Some(2), "{place}: {said}");
        assert!(said.contains(why), "{said}");
    }
    let elsewhere = tempfile::tempdir().expect("temporary directory");
    let (code, said) = run(&["check", "git:v1"], elsewhere.path());
    assert_eq!(code, Some(2));
    assert!(said.contains("git says: not a git repository"), "{said}");
}
