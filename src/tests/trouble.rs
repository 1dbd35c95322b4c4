//! Bad input and a bad world, through the real binary: the right exit code, a message with the place,
//! nothing half-written, and the tree that stood there untouched.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const TABLE: &str = "- {name: ghcr.io/fluxcd/source-controller, newName: r.example.org/source}\n";

/// A fresh folder with a good table, a table that is a mapping, and a text that is no YAML.
fn place() -> tempfile::TempDir {
    let place = tempfile::tempdir().expect("a folder");
    for (name, text) in [
        ("table.yaml", TABLE),
        ("mapping.yaml", "images: {a: b}\n"),
        ("broken.yaml", "kind: A\nx: [\n"),
        ("file", "hello"),
    ] {
        fs::write(place.path().join(name), text).expect("a file");
    }
    place
}

fn command(place: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_forebay"));
    command
        .args(arguments)
        .current_dir(place)
        .stdin(Stdio::null());
    command
}

fn forebay(place: &Path, arguments: &[&str]) -> Output {
    command(place, arguments).output().expect("the binary runs")
}

/// Runs and expects an exit code, nothing on stdout, and this on stderr.
fn refused(place: &Path, arguments: &[&str], code: i32, says: &str) {
    let done = forebay(place, arguments);
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!(done.status.code(), Some(code), "{arguments:?}: {said}");
    assert!(done.stdout.is_empty(), "{arguments:?} printed something");
    assert!(said.contains(says), "{arguments:?}: {said}");
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in walkdir::WalkDir::new(folder).into_iter().flatten() {
        if entry.file_type().is_file() {
            let name = entry.path().to_string_lossy().into_owned();
            found.insert(name, fs::read(entry.path()).unwrap_or_default());
        }
    }
    found
}

#[test]
fn what_is_not_there_or_no_manifest_is_named() {
    let place = place();
    let run = |arguments: &[&str], code, says| refused(place.path(), arguments, code, says);
    run(
        &["render", "broken.yaml", "-o", "new"],
        1,
        "broken.yaml:3:1",
    );
    run(
        &["render", "nowhere", "-o", "new"],
        2,
        "cannot read `nowhere`",
    );
    run(
        &["render", "--flux", "nowhere", "-o", "new"],
        2,
        "cannot read `nowhere`",
    );
    run(
        &["render", "--images", "mapping.yaml", "-o", "new"],
        1,
        "mapping.yaml:1:9",
    );
    run(
        &["render", "--flux", "operator:file", "-o", "new"],
        2,
        "out of `file`",
    );
    run(
        &["check", "--images", "nowhere.yaml"],
        2,
        "cannot read `nowhere.yaml`",
    );
    assert!(!place.path().join("new").exists());
}

#[test]
fn an_output_that_cannot_be_one_is_left_as_it_was() {
    let place = place();
    let run = |arguments: &[&str], says| refused(place.path(), arguments, 2, says);
    fs::create_dir(place.path().join("mine")).expect("a folder");
    fs::write(place.path().join("mine/own.txt"), "own").expect("a file");
    let before = files(place.path());
    run(
        &["render", "-o", "file"],
        "`file` is a file, expected a directory",
    );
    run(&["render", "-o", "file/new"], "cannot write `file/new`");
    run(
        &["render", "-o", "mine"],
        "`mine` holds files that are not forebay's",
    );
    run(
        &["render", "--report", "file/report"],
        "cannot write `file/report`",
    );
    run(&["man", "file"], "`file`");
    assert_eq!(files(place.path()), before);
}

#[test]
fn a_run_that_is_refused_leaves_the_old_tree() {
    let place = place();
    let made = forebay(
        place.path(),
        &["render", "--images", "table.yaml", "-o", "tree"],
    );
    assert_eq!(made.status.code(), Some(0));
    let before = files(place.path());
    assert!(before.len() > 10, "a tree was made");
    for (input, code) in [("broken.yaml", 1), ("nowhere", 2)] {
        let done = forebay(
            place.path(),
            &["render", "--flux", "none", input, "-o", "tree"],
        );
        assert_eq!(done.status.code(), Some(code));
    }
    refused(
        place.path(),
        &["rewrite", "-i", "--images", "mapping.yaml", "tree"],
        1,
        "expected a list",
    );
    assert_eq!(files(place.path()), before);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_trouble_and_a_reader_that_went_away_is_none() {
    let place = place();
    let full = || {
        fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .expect("it is there")
    };
    for arguments in [
        &["render"][..],
        &["check", "broken.yaml"],
        &["overrides", "--images", "table.yaml"],
    ] {
        let done = command(place.path(), arguments)
            .stdout(full())
            .stderr(Stdio::piped())
            .spawn()
            .and_then(std::process::Child::wait_with_output)
            .expect("the binary runs");
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains("cannot write to stdout"), "{said}");
    }
    refused(
        place.path(),
        &["render", "--report", "/dev/full"],
        2,
        "cannot write `/dev/full`",
    );
    for arguments in [
        &["render"][..],
        &["explain"],
        &["completions", "bash"],
        &["--help"],
    ] {
        let mut child = command(place.path(), arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary starts");
        drop(child.stdout.take());
        let done = child.wait().expect("the binary ends");
        assert_eq!(done.code(), Some(0), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn links_that_lead_nowhere_and_names_that_are_no_text_are_trouble() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;

    let place = place();
    let at = |name: &str| place.path().join(name);
    let run = |arguments: &[&str], says| refused(place.path(), arguments, 2, says);
    fs::create_dir_all(at("loop/a")).expect("a folder");
    symlink("..", at("loop/a/up")).expect("a link");
    run(
        &["check", "loop"],
        "`loop/a/up` is a link that leads back to `loop`",
    );
    symlink("self", at("self")).expect("a link");
    run(&["check", "self"], "cannot read `self`");
    fs::create_dir(at("links")).expect("a folder");
    symlink("gone", at("links/a.yaml")).expect("a link");
    run(&["check", "links"], "cannot read `links/a.yaml`");
    fs::create_dir(at("names")).expect("a folder");
    let odd = at("names").join(OsStr::from_bytes(b"a\xFF.yaml"));
    fs::write(odd, "kind: A\n").expect("a file");
    run(&["check", "names"], "is not UTF-8");
}

/// A limit on addresses that leaves no room for the stack ends a run with a message, never in a crash.
/// The second stands where the allocator of a static program takes a gibibyte and leaves too little.
#[test]
#[cfg(target_os = "linux")]
fn a_limit_on_memory_is_trouble_with_a_message() {
    let place = place();
    let forebay = env!("CARGO_BIN_EXE_forebay");
    for (kibibytes, codes) in [(200_000, [2, 2]), (1_200_000, [0, 2]), (2_000_000, [0, 0])] {
        let run = format!("ulimit -v {kibibytes}; exec {forebay:?} --version");
        let mut shell = Command::new("sh");
        let shell = shell.args(["-c", &run]).current_dir(place.path());
        let done = shell.output().expect("a shell");
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        let code = done.status.code().expect(&said);
        assert!(codes.contains(&code), "{kibibytes}: {code}: {said}");
        let told = said.contains("no memory for a stack of 256 MiB");
        assert_eq!(told, code == 2, "{kibibytes}: {said}");
    }
}
