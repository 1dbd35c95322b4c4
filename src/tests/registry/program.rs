//! Running forebay as a user would, in a folder of its own with nothing in the environment.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder that forebay runs in, which is also its home.
pub(crate) struct Place {
    folder: tempfile::TempDir,
}

/// What came of a run.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Place {
    pub(crate) fn new() -> Place {
        Place {
            folder: tempfile::tempdir().expect("a folder"),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn join(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }

    pub(crate) fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_forebay"));
        command
            .args(line.split_whitespace())
            .current_dir(self.path())
            .env_clear()
            .env("HOME", self.path())
            .env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command
    }

    pub(crate) fn run(&self, line: &str) -> Done {
        done(&self.command(line).output().expect("forebay runs"))
    }

    /// Runs what must end well.
    pub(crate) fn good(&self, line: &str) -> Done {
        let done = self.run(line);
        assert_eq!(done.code, 0, "{line}\n{}{}", done.stdout, done.stderr);
        done
    }

    /// Runs what cannot be done.
    pub(crate) fn trouble(&self, line: &str) -> Done {
        let done = self.run(line);
        assert_eq!(done.code, 2, "{line}\n{}{}", done.stdout, done.stderr);
        done
    }

    /// Runs another program, which must end well; `None` where it is not installed.
    pub(crate) fn other(&self, program: &str, arguments: &[&str]) -> Option<Done> {
        let run = Command::new(program)
            .args(arguments)
            .current_dir(self.path())
            .output();
        let Ok(output) = run else {
            println!("skipped: {program} is not installed");
            return None;
        };
        let done = done(&output);
        assert_eq!(done.code, 0, "{program} {arguments:?}: {}", done.stderr);
        Some(done)
    }
}

fn done(output: &Output) -> Done {
    Done {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Every file below a folder, by path, for comparing two.
pub(crate) fn files(folder: &Path) -> std::collections::BTreeMap<PathBuf, Vec<u8>> {
    let mut found = std::collections::BTreeMap::new();
    for entry in walkdir::WalkDir::new(folder) {
        let entry = entry.expect("an entry");
        if entry.file_type().is_file() {
            let name = entry.path().strip_prefix(folder).expect("below").to_owned();
            found.insert(name, std::fs::read(entry.path()).expect("a file"));
        }
    }
    found
}
