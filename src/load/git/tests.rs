//! Revisions read out of repositories that git makes here.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::tree::joined;
use super::*;

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
fn a_place_has_a_revision_and_perhaps_a_path() {
    let read = |text: &str| place(Path::new(text)).expect("a place");
    assert_eq!(read("deploy"), None);
    assert_eq!(read("./git:x"), None);
    let found = read("git:main:deploy/prod").expect("it is git's");
    assert_eq!(
        (found.revision.as_str(), found.path.as_deref()),
        ("main", Some("deploy/prod"))
    );
    assert_eq!(read("git:v1").expect("it is git's").path, None);
    assert!(place(Path::new("git:")).is_err() && place(Path::new("git::x")).is_err());
}

#[test]
fn paths_are_joined_inside_the_root_only() {
    assert_eq!(joined("a/b", "../c/./d").as_deref(), Some("a/c/d"));
    assert_eq!(joined("", "a//b/").as_deref(), Some("a/b"));
    assert_eq!(joined("a", "../.."), None);
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
    let listed = Command::new("git")
        .args(["rev-parse", "v1^{tree}"])
        .current_dir(root.path())
        .output()
        .expect("git runs");
    assert!(listed.status.success());
    // The program asks git in its working directory, which tests share; so the binary is asked.
    let binary = std::env::current_exe().expect("it runs");
    let binary = binary.ancestors().nth(2).map(|it| it.join("forebay"));
    let Some(binary) = binary.filter(|it| it.is_file()) else {
        return;
    };
    let run = |words: &[&str], place: &Path| {
        let done = Command::new(&binary)
            .args(words)
            .current_dir(place)
            .output()
            .expect("it runs");
        (
            done.status.code(),
            String::from_utf8_lossy(&done.stderr).into_owned(),
        )
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
