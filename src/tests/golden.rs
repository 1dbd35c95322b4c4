//! Runs every `golden/**/cmd` with the real binary and compares all that it leaves behind.
//!
//! A case is a folder. `cmd` holds `in: FOLDER` (copied from `testdata/`, optional) and one or more
//! `run: ARGUMENTS`; `needs: registry` where a build without that feature cannot do it, and
//! `lacks: registry` where it is about such a build. `stdin` is fed to each run. Expected are
//! `stdout`, `stderr`, `code` and `tree/`; what is absent is empty, or 0. Without `tree/` the input
//! must stay as it was. Each case runs twice, in two fresh folders, and must agree: the second time
//! with the full reader alone. `GOLDEN=bless` rewrites the expectations; review is the diff.
//! `GOLDEN_ONLY` takes the cases alone whose path or `cmd` holds its text.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

type Files = BTreeMap<String, Vec<u8>>;

#[derive(Debug, Default, PartialEq, Eq)]
struct Outcome {
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    code: String,
    tree: Files,
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every folder below that holds a `cmd`, in name order.
fn cases(folder: &Path) -> Vec<PathBuf> {
    let entries = walkdir::WalkDir::new(folder).sort_by_file_name();
    let cmd = |entry: walkdir::DirEntry| {
        let case = entry.path().parent().map(Path::to_path_buf);
        case.filter(|_| entry.file_name() == "cmd" && entry.file_type().is_file())
    };
    entries.into_iter().flatten().filter_map(cmd).collect()
}

/// All files below a folder, by their path in it.
fn files(folder: &Path, prefix: &str, found: &mut Files) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            files(&entry.path(), &format!("{name}/"), found);
        } else {
            found.insert(name, fs::read(entry.path()).unwrap_or_default());
        }
    }
}

fn write_all(folder: &Path, contents: &Files) {
    for (name, content) in contents {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).expect("a folder can be made");
        }
        fs::write(path, content).expect("a file can be written");
    }
}

/// Arguments as a shell would part them: blanks, and double quotes around what holds some.
fn arguments(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, part) in line.split('"').enumerate() {
        if at % 2 == 1 {
            found.push(part.to_owned());
        } else {
            found.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    found
}

/// What the second run has on top: the slow way to the same bytes.
const SLOWLY: [&str; 2] = ["--reader", "full"];

fn run(case: &Path, input: &Files, runs: &[&str], more: &[&str]) -> Outcome {
    let place = tempfile::tempdir().expect("a folder for the run");
    write_all(place.path(), input);
    let mut outcome = Outcome::default();
    let mut codes = Vec::new();
    for line in runs {
        let mut child = Command::new(env!("CARGO_BIN_EXE_forebay"))
            .args(arguments(line))
            .args(more)
            .current_dir(place.path())
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let stdin = fs::read(case.join("stdin")).unwrap_or_default();
        child
            .stdin
            .take()
            .expect("it was piped")
            .write_all(&stdin)
            .unwrap_or_default();
        let done = child.wait_with_output().expect("the binary ends");
        outcome.stdout.extend(done.stdout);
        outcome.stderr.extend(done.stderr);
        codes.push(
            done.status
                .code()
                .map_or("signal".to_owned(), |code| code.to_string()),
        );
    }
    outcome.code = codes.join(" ");
    files(place.path(), "", &mut outcome.tree);
    outcome
}

fn expected(case: &Path, input: &Files, runs: usize) -> Outcome {
    let mut tree = Files::new();
    if case.join("tree").is_dir() {
        files(&case.join("tree"), "", &mut tree);
    } else {
        tree.clone_from(input);
    }
    let clean = vec!["0"; runs].join(" ");
    Outcome {
        stdout: fs::read(case.join("stdout")).unwrap_or_default(),
        stderr: fs::read(case.join("stderr")).unwrap_or_default(),
        code: fs::read_to_string(case.join("code")).map_or(clean, |code| code.trim().to_owned()),
        tree,
    }
}

fn bless(case: &Path, outcome: &Outcome, input: &Files, runs: usize) {
    let put = |name: &str, content: &[u8]| {
        let path = case.join(name);
        if content.is_empty() {
            fs::remove_file(path).unwrap_or_default();
        } else {
            fs::write(path, content).expect("an expectation can be written");
        }
    };
    put("stdout", &outcome.stdout);
    put("stderr", &outcome.stderr);
    let clean = vec!["0"; runs].join(" ");
    let code = if outcome.code == clean {
        String::new()
    } else {
        format!("{}\n", outcome.code)
    };
    put("code", code.as_bytes());
    fs::remove_dir_all(case.join("tree")).unwrap_or_default();
    if outcome.tree != *input {
        write_all(&case.join("tree"), &outcome.tree);
    }
}

fn difference(name: &str, wanted: &[u8], found: &[u8], report: &mut String) {
    if wanted != found {
        let (wanted, found) = (
            String::from_utf8_lossy(wanted),
            String::from_utf8_lossy(found),
        );
        let diff = similar::TextDiff::from_lines(wanted.as_ref(), found.as_ref());
        write!(report, "{}", diff.unified_diff().header(name, "found"))
            .expect("a string takes everything");
    }
}

fn judge(case: &Path) -> Result<(), String> {
    let cmd = fs::read_to_string(case.join("cmd")).map_err(|why| why.to_string())?;
    let left_out = if cfg!(feature = "registry") {
        "lacks: registry"
    } else {
        "needs: registry"
    };
    if cmd.lines().any(|line| line == left_out) {
        return Ok(());
    }
    let mut input = Files::new();
    for folder in cmd.lines().filter_map(|line| line.strip_prefix("in: ")) {
        files(&root().join("testdata").join(folder.trim()), "", &mut input);
    }
    let runs: Vec<&str> = cmd
        .lines()
        .filter_map(|line| line.strip_prefix("run: "))
        .collect();
    let first = run(case, &input, &runs, &[]);
    if first != run(case, &input, &runs, &SLOWLY) {
        return Err("two runs differ, the second with the full reader".to_owned());
    }
    if std::env::var("GOLDEN").is_ok_and(|value| value == "bless") {
        bless(case, &first, &input, runs.len());
        return Ok(());
    }
    let wanted = expected(case, &input, runs.len());
    let mut report = String::new();
    difference(
        "code",
        wanted.code.as_bytes(),
        first.code.as_bytes(),
        &mut report,
    );
    difference("stdout", &wanted.stdout, &first.stdout, &mut report);
    difference("stderr", &wanted.stderr, &first.stderr, &mut report);
    for name in wanted.tree.keys().chain(
        first
            .tree
            .keys()
            .filter(|it| !wanted.tree.contains_key(*it)),
    ) {
        match (wanted.tree.get(name), first.tree.get(name)) {
            (Some(wanted), Some(found)) => difference(name, wanted, found, &mut report),
            (Some(_), None) => {
                writeln!(report, "missing: {name}").expect("a string takes everything");
            }
            _ => {
                writeln!(report, "not expected: {name}").expect("a string takes everything");
            }
        }
    }
    if report.is_empty() {
        Ok(())
    } else {
        Err(report)
    }
}

#[test]
fn every_case_is_as_expected() {
    let found = cases(&root().join("golden"));
    assert!(!found.is_empty(), "there are cases");
    let only = std::env::var("GOLDEN_ONLY").unwrap_or_default();
    let holds = |case: &&PathBuf| {
        let cmd = fs::read_to_string(case.join("cmd")).unwrap_or_default();
        case.to_string_lossy().contains(&only) || cmd.contains(&only)
    };
    let chosen = found.iter().filter(holds);
    let failures: Vec<String> = chosen
        .filter_map(|case| Some(format!("{}\n{}", case.display(), judge(case).err()?)))
        .collect();
    assert!(
        failures.is_empty(),
        "{} cases differ\n{}",
        failures.len(),
        failures.join("\n")
    );
}
