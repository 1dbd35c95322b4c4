//! The steps of the GitHub Action without GitHub: read out of `action.yml` with the inputs and the
//! environment that they are given there, run with the debug binary, and with a `gh` that writes
//! down what it is asked. Also what `.pre-commit-hooks.yaml` runs. Unix only; passes, saying so,
//! where bash, jq or curl are absent.

#![cfg(unix)]
#![expect(clippy::print_stdout, reason = "a test says what it skipped")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[path = "action/steps.rs"]
mod steps;

use steps::{Action, Done};

const GOOD: &str =
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\ndata: {key: one}\n";
const BAD_TABLE: &str = "- {name: nginx, newTag: 1.20}\n- {name: redis, newTga: x}\n";

/// Answers as GitHub would, from files beside it, and keeps what it was asked.
const GH: &str = r#"#!/usr/bin/env bash
set -euo pipefail
here=$(dirname "$0")
echo "$*" >> "$here/asked"
[[ ! -e $here/refuses ]] || { echo 'gh: Resource not accessible by integration (HTTP 403)' >&2; exit 1; }
while [[ $# -gt 0 ]]; do
  if [[ $1 == --input ]]; then cp "$2" "$here/body"; fi
  if [[ $1 == --paginate ]]; then cat "$here/comments"; exit; fi
  shift
done
echo https://github.example.org/comment
"#;

/// A folder with a `gh`, and the environment of a job that has it and the binary on its PATH.
struct Job {
    folder: tempfile::TempDir,
    inputs: BTreeMap<String, String>,
}

impl Job {
    /// None, and a word, where a program of the steps is not installed.
    fn new(inputs: &[(&str, &str)]) -> Option<Self> {
        for program in ["bash", "jq", "curl", "tar", "gzip"] {
            let there = Command::new(program)
                .arg("--version")
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status();
            if there.is_err() {
                println!("skipped: {program} is not installed, the action is not run");
                return None;
            }
        }
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["bin", "temp", "repository", "home"] {
            fs::create_dir(folder.path().join(name)).expect("a folder");
        }
        let job = Self {
            folder,
            inputs: inputs
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
        };
        let binary = Path::new(env!("CARGO_BIN_EXE_forebay"));
        std::os::unix::fs::symlink(binary, job.at("bin/forebay")).expect("a link");
        job.write("bin/gh", GH);
        job.write("bin/comments", "[]");
        let made = Command::new("chmod")
            .arg("+x")
            .arg(job.at("bin/gh"))
            .status();
        assert!(made.expect("chmod runs").success());
        Some(job)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.at(name), text).expect("a file");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.at(name)).unwrap_or_default()
    }

    fn run(&self) -> Done {
        for name in ["bin/asked", "bin/body"] {
            let _ = fs::remove_file(self.at(name));
        }
        Action::read().run(self.folder.path(), &self.inputs)
    }
}

#[test]
fn findings_are_annotated_counted_and_fail_the_last_step() {
    let arguments = "--images=table.yaml\n\n--flux=embedded\n";
    let Some(job) = Job::new(&[("check", arguments)]) else {
        return;
    };
    job.write("repository/table.yaml", BAD_TABLE);
    let done = job.run();
    assert!(
        done.said.contains("::error file=table.yaml,line=1,"),
        "{}",
        done.said
    );
    assert_eq!(done.failed, [("verdict".to_owned(), 1)]);
    let output = |name| done.outputs[name].as_str();
    assert_eq!(output("code"), "1");
    assert_eq!(
        (output("errors"), output("warnings"), output("notes")),
        ("2", "1", "0")
    );
    assert!(fs::read_to_string(output("sarif")).is_ok_and(|text| text.contains("\"2.1.0\"")));
    assert_eq!((output("differs"), output("comment")), ("", ""));
    assert_eq!(
        job.read("bin/asked"),
        "",
        "nothing is asked of GitHub unless it is wanted"
    );
}

#[test]
fn a_clean_run_passes_and_trouble_is_no_clean_run() {
    let Some(mut job) = Job::new(&[]) else { return };
    job.write("repository/a.yaml", GOOD);
    let done = job.run();
    assert_eq!(done.failed, [], "{}", done.said);
    assert_eq!(done.outputs["code"], "0");
    job.inputs
        .insert("check".to_owned(), "missing.yaml".to_owned());
    let done = job.run();
    assert_eq!(done.failed, [("verdict".to_owned(), 2)]);
    assert_eq!(done.outputs["errors"], "0");
    job.inputs.insert("check".to_owned(), String::new());
    job.inputs
        .insert("old".to_owned(), "missing.yaml".to_owned());
    let done = job.run();
    assert_eq!(done.failed, [("verdict".to_owned(), 2)]);
    assert_eq!(done.outputs["differs"], "");
    job.inputs.insert("key".to_owned(), "a-->b".to_owned());
    assert_eq!(job.run().failed[0], ("check".to_owned(), 2));
}

#[test]
fn a_comparison_is_one_comment_that_is_kept_up_to_date() {
    let inputs = [
        ("old", "old.yaml"),
        ("new", "new.yaml"),
        ("check", ""),
        ("comment", "true"),
    ];
    let Some(mut job) = Job::new(&inputs) else {
        return;
    };
    job.write("repository/old.yaml", GOOD);
    job.write("repository/new.yaml", GOOD);

    // Nothing differs and nothing did: no comment.
    let done = job.run();
    assert_eq!(
        (done.outputs["differs"].as_str(), done.failed.len()),
        ("false", 0)
    );
    assert!(
        !job.read("bin/asked").contains("--method"),
        "{}",
        job.read("bin/asked")
    );

    job.write(
        "repository/new.yaml",
        &GOOD.replace("one", "\"$(touch x) `x`\""),
    );
    let done = job.run();
    assert_eq!(done.failed, [], "a difference is no failure: {}", done.said);
    assert_eq!(done.outputs["differs"], "true");
    assert_eq!(
        done.outputs["comment"],
        "https://github.example.org/comment"
    );
    let asked = job.read("bin/asked");
    assert!(
        asked.contains("--method POST repos/o/r/issues/7/comments"),
        "{asked}"
    );
    let body = job.read("bin/body");
    assert!(
        body.contains("<!-- forebay: forebay -->\\n") && body.contains("$(touch x)"),
        "{body}"
    );
    assert!(job.read("summary").contains("$(touch x)"));

    // A marker in somebody else's comment is not ours; the second page is read too.
    let comments = r#"[{"id": 1, "user": {"login": "eve"}, "body": "<!-- forebay: forebay -->"}]
        [{"id": 42, "user": {"login": "github-actions[bot]"}, "body": "<!-- forebay: forebay -->\nold"}]"#;
    job.write("bin/comments", comments);
    job.run();
    let asked = job.read("bin/asked");
    assert!(
        asked.contains("--method PATCH repos/o/r/issues/comments/42"),
        "{asked}"
    );
    assert!(!asked.contains("POST"), "{asked}");

    // What no longer differs is said in the comment that said it did.
    job.write("repository/new.yaml", GOOD);
    job.run();
    assert!(job.read("bin/body").contains("No differences."));

    // Another key is another comment.
    job.inputs.insert("key".to_owned(), "prod".to_owned());
    job.write("repository/new.yaml", &GOOD.replace("one", "two"));
    job.run();
    assert!(job.read("bin/asked").contains("--method POST"));
}

#[test]
fn findings_reach_code_scanning_and_a_token_that_may_not_write_costs_a_warning() {
    let inputs = [
        ("check", "--images=table.yaml"),
        ("upload-sarif", "true"),
        ("old", "old.yaml"),
        ("new", "new.yaml"),
        ("comment", "true"),
    ];
    let Some(job) = Job::new(&inputs) else { return };
    job.write("repository/table.yaml", BAD_TABLE);
    job.write("repository/old.yaml", GOOD);
    job.write("repository/new.yaml", &GOOD.replace("one", "two"));
    job.run();
    let asked = job.read("bin/asked");
    assert!(
        asked.contains("--method POST repos/o/r/code-scanning/sarifs"),
        "{asked}"
    );
    let unpacked = Command::new("bash")
        .args(["-c", "jq -r .sarif body | base64 -d | gzip -dc | jq -c '[.version, .runs[0].automationDetails.id]'"])
        .current_dir(job.at("bin"))
        .output()
        .expect("bash runs");
    assert_eq!(
        String::from_utf8_lossy(&unpacked.stdout),
        "[\"2.1.0\",\"forebay/\"]\n"
    );
    assert!(
        job.read("bin/body")
            .contains("\"ref\": \"refs/pull/7/merge\"")
    );

    job.write("bin/refuses", "");
    let done = job.run();
    assert_eq!(done.failed, [("verdict".to_owned(), 1)], "{}", done.said);
    assert!(
        done.said.contains("::warning::the findings did not reach"),
        "{}",
        done.said
    );
    assert!(
        done.said
            .contains("::warning::the comment could not be read"),
        "{}",
        done.said
    );
}

#[test]
fn a_release_is_installed_only_with_its_checksum() {
    let Some(mut job) = Job::new(&[("version", "v9.9.9"), ("check", ".")]) else {
        return;
    };
    job.write("repository/a.yaml", GOOD);
    let packed = Command::new("bash")
        .args([
            "-euc",
            "mkdir -p releases/v9.9.9 forebay-9.9.9-x86_64-unknown-linux-musl
          ln bin/forebay forebay-9.9.9-x86_64-unknown-linux-musl/forebay 2> /dev/null \
            || cp -L bin/forebay forebay-9.9.9-x86_64-unknown-linux-musl/forebay
          archive=releases/v9.9.9/forebay-9.9.9-x86_64-unknown-linux-musl.tar.gz
          tar --dereference -cf - forebay-9.9.9-x86_64-unknown-linux-musl | gzip -1 > $archive
          rm bin/forebay
          if command -v sha256sum > /dev/null; then sum=sha256sum; else sum='shasum -a 256'; fi
          cd releases/v9.9.9 && $sum *.tar.gz > SHA256SUMS && cut -d' ' -f1 SHA256SUMS",
        ])
        .current_dir(job.folder.path())
        .output()
        .expect("bash runs");
    let right = String::from_utf8_lossy(&packed.stdout).trim().to_owned();
    assert_eq!(
        right.len(),
        64,
        "{}",
        String::from_utf8_lossy(&packed.stderr)
    );
    let releases = format!("file://{}", job.at("releases").display());
    job.inputs.insert("releases".to_owned(), releases);

    let done = job.run();
    assert_eq!(done.failed, [], "{}", done.said);
    assert!(done.path[0].ends_with("forebay-9.9.9-x86_64-unknown-linux-musl"));

    job.inputs.insert("sha256".to_owned(), right);
    assert_eq!(job.run().failed, []);
    job.inputs.insert("sha256".to_owned(), "0".repeat(64));
    let done = job.run();
    assert_eq!(done.failed[0], ("install".to_owned(), 2));
    assert!(
        done.said.contains("::error::the checksum of"),
        "{}",
        done.said
    );
    assert_eq!(done.path, Vec::<String>::new(), "nothing is put on PATH");

    job.inputs.remove("sha256");
    job.write("releases/v9.9.9/SHA256SUMS", "");
    assert!(job.run().said.contains("there is no checksum for"));
    job.inputs.insert("version".to_owned(), "8.0.0".to_owned());
    assert!(job.run().said.contains("cannot fetch"));
    job.inputs.insert("version".to_owned(), "../x".to_owned());
    assert!(job.run().said.contains("the `version` is none"));
    job.inputs.remove("version");
    assert!(job.run().said.contains("forebay is not on PATH"));
}

#[test]
fn no_input_is_ever_read_as_shell() {
    let action = Action::read();
    for step in &action.steps {
        assert_eq!(step.run, format!("\"$GITHUB_ACTION_PATH/{}\"", step.id));
    }
    for name in action.inputs.keys() {
        let used = format!("${{{{ inputs.{name} }}}}");
        assert!(
            action.text.contains(&used),
            "nothing reads the input `{name}`"
        );
    }
}

#[test]
fn the_hooks_of_pre_commit_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join(".pre-commit-hooks.yaml")).expect("the hooks");
    let entries: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("  entry: forebay "))
        .collect();
    assert_eq!(entries, ["check", "check"]);
    assert_eq!(text.matches("  args: [\".\"]\n").count(), entries.len());
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("a.yaml"), GOOD).expect("a file");
    let run = || {
        let done = Command::new(env!("CARGO_BIN_EXE_forebay"))
            .args(["check", "."])
            .current_dir(folder.path())
            .output()
            .expect("the binary runs");
        done.status.code()
    };
    assert_eq!(run(), Some(0));
    fs::write(folder.path().join("b.yaml"), "kind: [\n").expect("a file");
    assert_eq!(run(), Some(1));
}
