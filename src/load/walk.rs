//! Which files a PATH stands for.
//!
//! Directories are walked in name order. Hidden entries, what a `.sourceignore` names, chart trees
//! and kustomize's own files are left out; links are followed, so that a mounted `ConfigMap`, whose
//! files are links into a hidden directory, reads like any other (`design/cli.md`, "Habits").

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::git;
use super::ignored::{Ignored, NAME as IGNORE_FILE};
use super::name::shown;
use super::{LoadError, Place, RenderedBy, Role, Skipped};

/// The endings of files that hold manifests.
const EXTENSIONS: [&str; 3] = ["yaml", "yml", "json"];

/// The names that kustomize looks for.
const KUSTOMIZATIONS: [&str; 3] = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

/// One text to be read.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// The name it is shown by.
    pub(super) shown: String,
    /// Its path below the directory that was named; empty where it was named itself.
    pub(super) below: String,
    /// The file; `None` for stdin and for what [`Found::carried`] holds.
    pub(super) file: Option<PathBuf>,
    /// What it is to the run.
    pub(super) role: Role,
    /// Whether it was named, or is stdin.
    pub(super) explicit: bool,
    /// Where the file stands in its repository.
    pub(super) place: Option<Place>,
    /// Whether it is one of kustomize's own, found by walking.
    pub(super) kustomization: bool,
    /// The HelmRelease that rendered it.
    pub(super) rendered_by: Option<RenderedBy>,
    /// Content that is at hand already.
    pub(super) carried: Option<Vec<u8>>,
}

impl Found {
    /// A text that is part of a program.
    pub(super) fn carried(shown: String, role: Role, content: Vec<u8>) -> Found {
        Found {
            carried: Some(content),
            ..Found::text(shown, role, false)
        }
    }

    /// A file that was found.
    pub(super) fn file(shown: String, role: Role, file: PathBuf) -> Found {
        Found {
            file: Some(file),
            ..Found::text(shown, role, false)
        }
    }

    /// A text that is no file.
    fn text(shown: String, role: Role, explicit: bool) -> Found {
        Found {
            shown,
            below: String::new(),
            file: None,
            role,
            explicit,
            place: None,
            kustomization: false,
            rendered_by: None,
            carried: None,
        }
    }
}

/// Whether the path means stdin.
pub(super) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// A file that was named, or stdin; never a directory.
pub(super) fn named(path: &Path, role: Role) -> Result<Found, LoadError> {
    if let Some(place) = git::place(path)? {
        return git::named(&place, role);
    }
    if is_stdin(path) {
        return Ok(Found::text("-".to_owned(), role, true));
    }
    let shown = show(path)?;
    let metadata = fs::metadata(path).map_err(|source| unreadable(&shown, source))?;
    if metadata.is_dir() {
        return Err(LoadError::Directory { path: shown });
    }
    let place = fs::canonicalize(path).ok().map(|file| {
        let tree = work_tree(&file).map(Path::to_path_buf);
        let whole = tree.is_none();
        let directory = file.parent().map(Path::to_path_buf).unwrap_or_default();
        Place {
            root: tree.unwrap_or(directory),
            file,
            below: String::new(),
            whole,
        }
    });
    Ok(Found {
        file: Some(path.to_path_buf()),
        place,
        ..Found::text(shown, role, true)
    })
}

/// The root of the git work tree that a path stands in.
fn work_tree(path: &Path) -> Option<&Path> {
    path.ancestors().find(|place| place.join(".git").exists())
}

/// What a PATH stands for, in name order.
pub(super) fn walk(
    path: &Path,
    role: Role,
    skipped: &mut Skipped,
) -> Result<Vec<Found>, LoadError> {
    if is_stdin(path) {
        return Ok(vec![named(path, role)?]);
    }
    if let Some(place) = git::place(path)? {
        return git::walk(&place, role, skipped);
    }
    let shown = show(path)?;
    if !fs::metadata(path)
        .map_err(|source| unreadable(&shown, source))?
        .is_dir()
    {
        return Ok(vec![named(path, role)?]);
    }
    let top = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let tree = work_tree(&top).map(Path::to_path_buf);
    let mut ignored = Ignored::new(path, patterns_above(&top, tree.as_deref()));
    let root = tree.unwrap_or_else(|| top.clone());
    let whole = root == top;
    let mut found = Vec::new();
    let mut entries = WalkDir::new(path)
        .follow_links(true)
        .sort_by_file_name()
        .into_iter();
    while let Some(entry) = entries.next() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) if excuses(&ignored, &error) => continue,
            Err(error) => return Err(fault(&error, path)),
        };
        let directory = entry.file_type().is_dir();
        ignored.leave_to(entry.depth());
        if entry.depth() > 0 && (hidden(entry.path()) || ignored.names(entry.path(), directory)) {
            if directory {
                entries.skip_current_dir();
            }
            continue;
        }
        if directory {
            show(entry.path())?;
            if entry.path().join("Chart.yaml").is_file() {
                skipped.charts += 1;
                skipped.trees.push(entry.path().to_path_buf());
                entries.skip_current_dir();
            } else {
                let text = patterns_in(entry.path());
                ignored.enter(entry.path(), entry.depth(), text.as_deref());
            }
        } else {
            let kustomization = is_kustomization(entry.path());
            if kustomization {
                skipped.kustomizations += 1;
            } else if !is_manifest(entry.path()) || is_own(entry.path()) {
                continue;
            }
            let shown = show(entry.path())?;
            let below = entry.path().strip_prefix(path).unwrap_or(entry.path());
            let place = Place {
                root: root.clone(),
                below: below.to_string_lossy().replace('\\', "/"),
                file: top.join(below),
                whole,
            };
            found.push(Found {
                below: place.below.clone(),
                place: Some(place),
                kustomization,
                file: Some(entry.into_path()),
                ..Found::text(shown, role, false)
            });
        }
    }
    Ok(found)
}

/// The same list with every text once a role, where it stood first; named once is named.
pub(super) fn distinct(found: Vec<Found>) -> Vec<Found> {
    let mut places = BTreeMap::new();
    let mut kept: Vec<Found> = Vec::new();
    for text in found {
        if text.file.is_none() {
            kept.push(text);
            continue;
        }
        let place = *places
            .entry((text.role, text.rendered_by.clone(), text.shown.clone()))
            .or_insert(kept.len());
        if place == kept.len() {
            kept.push(text);
        } else {
            kept[place].explicit |= text.explicit;
        }
    }
    kept
}

/// The text of a directory's `.sourceignore`, where it has one.
fn patterns_in(directory: &Path) -> Option<String> {
    let file = directory.join(IGNORE_FILE);
    let bytes = file.is_file().then(|| fs::read(file).unwrap_or_default())?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Those above a directory that is walked, up to the root of its git work tree, the outermost first,
/// each with the way to the directory. Without a work tree nothing is above.
fn patterns_above(walked: &Path, tree: Option<&Path>) -> Vec<(PathBuf, String)> {
    let within = |place: &&Path| tree.is_some_and(|tree| place.starts_with(tree));
    let mut found: Vec<_> = walked
        .ancestors()
        .skip(1)
        .filter(within)
        .filter_map(|place| {
            let way = walked.strip_prefix(place).unwrap_or(Path::new(""));
            Some((way.to_path_buf(), patterns_in(place)?))
        })
        .collect();
    found.reverse();
    found
}

/// Whether the walk met something it cannot follow in an entry that it would leave out anyway.
fn excuses(ignored: &Ignored, error: &walkdir::Error) -> bool {
    let Some(path) = error.path().filter(|_| error.depth() > 0) else {
        return false;
    };
    let missing = error
        .io_error()
        .is_some_and(|why| why.kind() == io::ErrorKind::NotFound);
    hidden(path)
        || ignored.names(path, false)
        || ignored.names(path, true)
        || missing && path.extension().is_some() && !is_manifest(path)
}

/// Whether an entry's name begins with a dot.
pub(super) fn hidden(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

/// Whether a file's name is one of manifests.
pub(super) fn is_manifest(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| EXTENSIONS.iter().any(|known| extension == *known))
}

/// forebay's own configuration, which is never a manifest.
fn is_own(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "forebay.yaml")
}

/// Whether a file's name is one that kustomize looks for.
pub(super) fn is_kustomization(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|name| KUSTOMIZATIONS.iter().any(|known| name == *known))
}

/// The name that a path is shown by.
pub(super) fn show(path: &Path) -> Result<String, LoadError> {
    let base = env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
    shown(path, &base)
}

fn unreadable(shown: &str, source: io::Error) -> LoadError {
    LoadError::Read {
        path: shown.to_owned(),
        source,
    }
}

fn fault(error: &walkdir::Error, root: &Path) -> LoadError {
    let path = match show(error.path().unwrap_or(root)) {
        Ok(path) => path,
        Err(error) => return error,
    };
    if let Some(ancestor) = error.loop_ancestor() {
        return match show(ancestor) {
            Ok(ancestor) => LoadError::Loop { path, ancestor },
            Err(error) => error,
        };
    }
    let source = error.io_error().map_or_else(
        || io::Error::other("the entry cannot be read"),
        |why| match why.raw_os_error() {
            Some(code) => io::Error::from_raw_os_error(code),
            None => io::Error::from(why.kind()),
        },
    );
    LoadError::Read { path, source }
}
