//! `action.yml` read and run as a runner does: inputs with their defaults, steps one after the other,
//! outputs by `GITHUB_OUTPUT`, and nothing after a step that fails. Reads only the plain shapes that
//! the file is written in, and panics at any other.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The action as it is written.
pub(crate) struct Action {
    pub(crate) text: String,
    pub(crate) inputs: BTreeMap<String, String>,
    outputs: BTreeMap<String, String>,
    pub(crate) steps: Vec<Step>,
}

/// A step that runs a script.
#[derive(Default)]
pub(crate) struct Step {
    pub(crate) id: String,
    pub(crate) run: String,
    place: String,
    environment: Vec<(String, String)>,
}

/// What a run of all steps leaves.
pub(crate) struct Done {
    /// Everything printed, to either stream.
    pub(crate) said: String,
    /// The step that failed and its exit code; the last one that ran.
    pub(crate) failed: Vec<(String, i32)>,
    pub(crate) outputs: BTreeMap<String, String>,
    /// What was put on the PATH of later steps.
    pub(crate) path: Vec<String>,
}

fn home() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(".github/actions/forebay")
}

fn plain(value: &str) -> String {
    let value = value.trim();
    for quote in ['"', '\''] {
        if let Some(inner) = value.strip_prefix(quote) {
            return inner
                .strip_suffix(quote)
                .expect("one quote style")
                .to_owned();
        }
    }
    value.to_owned()
}

impl Action {
    /// Reads the file.
    pub(crate) fn read() -> Self {
        let text = fs::read_to_string(home().join("action.yml")).expect("action.yml");
        let (mut inputs, mut outputs, mut steps) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
        let (mut part, mut name) = (String::new(), String::new());
        for line in text.lines() {
            let trimmed = line.trim_start();
            if trimmed.is_empty() || trimmed.starts_with('#') {
                continue;
            }
            let (key, value) = trimmed.split_once(':').expect("a key on each line");
            match (line.len() - trimmed.len(), part.as_str()) {
                (0, _) => key.clone_into(&mut part),
                (2, "inputs" | "outputs") => key.clone_into(&mut name),
                (4, "inputs") if key == "default" => {
                    inputs.insert(name.clone(), plain(value));
                }
                (4, "outputs") if key == "value" => {
                    outputs.insert(name.clone(), plain(value));
                }
                (4, "runs") => {
                    assert_eq!(key, "- id");
                    steps.push(Step {
                        id: plain(value),
                        ..Step::default()
                    });
                }
                (6, "runs") => {
                    let step = steps.last_mut().expect("a step begins with its id");
                    match key {
                        "run" => step.run = plain(value),
                        "working-directory" => step.place = plain(value),
                        "shell" | "env" => {}
                        other => panic!("steps have no `{other}`"),
                    }
                }
                (8, "runs") => {
                    let step = steps.last_mut().expect("a step begins with its id");
                    step.environment.push((key.to_owned(), plain(value)));
                }
                _ => {}
            }
        }
        Self {
            text,
            inputs,
            outputs,
            steps,
        }
    }

    /// Runs the steps in `repository/` of a folder that has `bin/` on its PATH.
    pub(crate) fn run(&self, folder: &Path, given: &BTreeMap<String, String>) -> Done {
        let mut known = BTreeMap::from([
            ("github.token".to_owned(), "token".to_owned()),
            (
                "github.event.pull_request.number".to_owned(),
                "7".to_owned(),
            ),
        ]);
        for (name, default) in &self.inputs {
            let value = given.get(name).unwrap_or(default);
            known.insert(format!("inputs.{name}"), value.clone());
        }
        assert!(given.keys().all(|name| self.inputs.contains_key(name)));
        let mut done = Done {
            said: String::new(),
            failed: Vec::new(),
            outputs: BTreeMap::new(),
            path: Vec::new(),
        };
        let _ = fs::remove_file(folder.join("summary"));
        for step in &self.steps {
            let code = step.run(folder, &mut known, &mut done);
            if code != 0 {
                done.failed.push((step.id.clone(), code));
                break;
            }
        }
        done.outputs = self
            .outputs
            .iter()
            .map(|(name, value)| (name.clone(), resolved(value, &known)))
            .collect();
        done
    }
}

impl Step {
    fn run(&self, folder: &Path, known: &mut BTreeMap<String, String>, done: &mut Done) -> i32 {
        let file = |name: &str| {
            let path = folder.join(name);
            fs::write(&path, "").expect("a file");
            path
        };
        let (output, added) = (file("output"), file("added"));
        let mut path = done.path.join(":");
        path.push_str(":PATHS:/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin");
        let path = path.replace("PATHS", &folder.join("bin").to_string_lossy());
        let place = folder.join("repository").join(resolved(&self.place, known));
        let mut command = Command::new("bash");
        command
            .args(["--noprofile", "--norc", "-eo", "pipefail", "-c", &self.run])
            .current_dir(place)
            .env_clear()
            .env("PATH", path.trim_start_matches(':'))
            .env("HOME", folder.join("home"))
            .env("GITHUB_ACTION_PATH", home())
            .env("GITHUB_OUTPUT", &output)
            .env("GITHUB_PATH", &added)
            .env("GITHUB_STEP_SUMMARY", folder.join("summary"))
            .env("GITHUB_REPOSITORY", "o/r")
            .env("GITHUB_REF", "refs/pull/7/merge")
            .env("GITHUB_SHA", "0123456789012345678901234567890123456789")
            .env("RUNNER_TEMP", folder.join("temp"))
            .env("RUNNER_OS", "Linux")
            .env("RUNNER_ARCH", "X64");
        for (name, value) in &self.environment {
            command.env(name, resolved(value, known));
        }
        let ended = command.output().expect("bash runs");
        for stream in [&ended.stdout, &ended.stderr] {
            done.said.push_str(&String::from_utf8_lossy(stream));
        }
        for line in fs::read_to_string(&output).expect("it was made").lines() {
            let (name, value) = line.split_once('=').expect("a name and a value");
            known.insert(
                format!("steps.{}.outputs.{name}", self.id),
                value.to_owned(),
            );
        }
        let added = fs::read_to_string(&added).expect("it was made");
        done.path.extend(added.lines().map(str::to_owned));
        ended.status.code().unwrap_or(-1)
    }
}

/// A value with its one expression resolved, as a runner does: what is not there is empty.
fn resolved(value: &str, known: &BTreeMap<String, String>) -> String {
    let inner = value
        .strip_prefix("${{ ")
        .and_then(|rest| rest.strip_suffix(" }}"));
    match inner {
        None => value.to_owned(),
        // An input's default may be an expression itself.
        Some(name) => known
            .get(name)
            .map_or_else(String::new, |value| resolved(value, known)),
    }
}
