//! What `git` is asked, and how it answers.
//!
//! # Why the program and not a library
//!
//! Whoever writes `git:REV` has git. It reads what no library reads whole: packs of every kind,
//! alternates, replaced objects, reference tables, SHA-256, objects that a partial clone fetches
//! when they are needed; and it means by a revision what the user means. A library that opens
//! packs and revisions is some seventy crates more. Only plumbing is called, whose output is a
//! promise, and it runs no hook and changes nothing.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Why a revision cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum GitFault {
    /// Nothing between the colons.
    #[error("it names no revision, expected `git:REV` or `git:REV:PATH`")]
    NoRevision,
    /// The program is not there.
    #[error("`git` cannot be started")]
    Start(#[source] io::Error),
    /// git says no.
    #[error("git says: {0}")]
    Says(String),
    /// A revision that git does not know.
    #[error("the repository has no revision `{0}`")]
    Unknown(String),
    /// A path that the revision does not have.
    #[error("the revision has no `{0}`")]
    NoPath(String),
    /// A path above the root.
    #[error("`{0}` leads out of the repository")]
    Outside(String),
    /// Links that lead round.
    #[error("`{0}` is reached by more than 40 links")]
    Links(String),
    /// A directory that is another repository.
    #[error("`{0}` is a submodule, whose files this repository does not hold")]
    Submodule(String),
    /// A name that no output could hold.
    #[error("a name in the revision is not UTF-8")]
    Name,
    /// An object that is not there.
    #[error("the object {0} is missing")]
    Missing(String),
    /// A pipe that broke.
    #[error("git stopped while it was read")]
    Stopped(#[source] io::Error),
}

impl GitFault {
    /// How to mend it, where that is known.
    pub(crate) fn help(&self) -> Option<&'static str> {
        match self {
            GitFault::Unknown(_) => Some(
                "a shallow clone holds few revisions; `git fetch` brings the one that is missing",
            ),
            GitFault::NoPath(_) => {
                Some("a path counts from the repository's root, with `./` from here")
            }
            GitFault::Start(_) => Some("install git, or name files"),
            GitFault::Submodule(_) => Some("name a path that holds no submodule"),
            _ => None,
        }
    }
}

fn git(words: &[&OsStr]) -> Command {
    let mut command = Command::new("git");
    command
        .args(words)
        .env("LC_ALL", "C")
        .env("GIT_OPTIONAL_LOCKS", "0")
        .stdin(Stdio::null())
        .stderr(Stdio::piped());
    command
}

/// What git prints when it is content.
fn answer(words: &[&str]) -> Result<Vec<u8>, GitFault> {
    let words: Vec<&OsStr> = words.iter().map(OsStr::new).collect();
    let done = git(&words).output().map_err(GitFault::Start)?;
    if done.status.success() {
        return Ok(done.stdout);
    }
    Err(GitFault::Says(said(&done.stderr)))
}

/// The first line of a complaint, without the word that opens it.
fn said(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let line = text.lines().find(|line| !line.trim().is_empty());
    let line = line.unwrap_or("nothing").trim();
    line.strip_prefix("fatal: ").unwrap_or(line).to_owned()
}

/// The object of the tree that a revision has.
pub(super) fn tree_of(revision: &str) -> Result<String, GitFault> {
    answer(&["rev-parse", "--git-dir"])?;
    let tree = format!("{revision}^{{tree}}");
    let found = answer(&[
        "rev-parse",
        "--verify",
        "--quiet",
        "--end-of-options",
        &tree,
    ])
    .map_err(|_| GitFault::Unknown(revision.to_owned()))?;
    Ok(String::from_utf8_lossy(&found).trim().to_owned())
}

/// The working directory from the root of the work tree; empty at the root and in a bare repository.
pub(super) fn prefix() -> Result<String, GitFault> {
    let prefix = answer(&["rev-parse", "--show-prefix"])?;
    let prefix = String::from_utf8(prefix).map_err(|_| GitFault::Name)?;
    Ok(prefix.trim_end_matches('\n').to_owned())
}

/// A line of a tree's list.
pub(super) struct Entry {
    /// What it is, in octal.
    pub(super) mode: String,
    /// Its object.
    pub(super) object: String,
    /// Where it stands.
    pub(super) path: String,
}

/// Every entry below a tree that is no directory.
pub(super) fn entries(tree: &str) -> Result<Vec<Entry>, GitFault> {
    let list = answer(&["ls-tree", "-r", "-z", "--full-tree", tree])?;
    let list = String::from_utf8(list).map_err(|_| GitFault::Name)?;
    let entry = |line: &str| {
        let (about, path) = line.split_once('\t')?;
        let mut words = about.split(' ');
        let (mode, _, object) = (words.next()?, words.next()?, words.next()?);
        Some(Entry {
            mode: mode.to_owned(),
            object: object.to_owned(),
            path: path.to_owned(),
        })
    };
    Ok(list.split('\0').filter_map(entry).collect())
}

/// A `git cat-file --batch` that is running.
pub(super) struct Objects {
    child: Child,
    asks: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Objects {
    /// Starts it.
    pub(super) fn open() -> Result<Objects, GitFault> {
        let words = ["cat-file", "--batch"].map(OsStr::new);
        let mut child = git(&words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(GitFault::Start)?;
        let asks = child.stdin.take().expect("it was piped");
        let answers = BufReader::new(child.stdout.take().expect("it was piped"));
        Ok(Objects {
            child,
            asks,
            answers,
        })
    }

    /// The content of an object.
    pub(super) fn read(&mut self, object: &str) -> Result<Vec<u8>, GitFault> {
        let stopped = GitFault::Stopped;
        writeln!(self.asks, "{object}").map_err(stopped)?;
        self.asks.flush().map_err(stopped)?;
        let mut head = String::new();
        self.answers.read_line(&mut head).map_err(stopped)?;
        let size = head
            .trim_end()
            .rsplit_once(' ')
            .and_then(|(_, size)| size.parse().ok());
        let Some(size) = size else {
            return Err(GitFault::Missing(object.to_owned()));
        };
        let mut content = Vec::new();
        let mut rest = (&mut self.answers).take(size);
        let read = rest.read_to_end(&mut content).map_err(stopped)?;
        let mut end = [0];
        self.answers.read_exact(&mut end).map_err(stopped)?;
        if read as u64 != size {
            return Err(GitFault::Missing(object.to_owned()));
        }
        Ok(content)
    }

    /// Ends it.
    pub(super) fn close(mut self) -> Result<(), GitFault> {
        drop(self.asks);
        self.child.wait().map(drop).map_err(GitFault::Stopped)
    }
}
