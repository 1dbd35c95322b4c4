//! A tree put into a directory: whole or not at all.
//!
//! `design/cli.md`, "Habits": the directory is new, empty, or forebay's own. A new tree is written
//! beside it and exchanged for it. Where that cannot be (a mount point, the working directory, a
//! directory that also holds files of someone else's) the new files are written first, inside, and
//! then renamed one by one, stale files last.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::exchange::exchange;
use super::{Tree, marker};

/// Why a tree cannot be written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WriteError {
    /// The system refuses.
    #[error("cannot write `{}`", path.display())]
    Write {
        /// What was to be written.
        path: PathBuf,
        /// What the system says.
        #[source]
        source: io::Error,
    },
    /// The path names something else.
    #[error("`{}` is a file, expected a directory", path.display())]
    File {
        /// The path as typed.
        path: PathBuf,
    },
    /// The directory belongs to someone else.
    #[error(
        "`{}` holds files that are not forebay's, expected a new or empty directory, or one with \
         forebay's own `.forebay.json`",
        path.display()
    )]
    Foreign {
        /// The path as typed.
        path: PathBuf,
    },
    /// A file of someone else's stands in the way.
    #[error("`{}` is not forebay's and would be overwritten", path.display())]
    InTheWay {
        /// The file.
        path: PathBuf,
    },
}

/// A directory that a tree may be put into.
#[derive(Debug)]
pub(crate) struct Target {
    /// The path as typed.
    typed: PathBuf,
    /// The directory itself, links followed.
    place: PathBuf,
    /// The files that its marker lists; `None` where it is not there or empty.
    own: Option<BTreeSet<String>>,
    /// Whether the directory is there.
    exists: bool,
}

impl Target {
    /// Looks at a directory and refuses what must not be overwritten. Writes nothing.
    pub(crate) fn look(path: &Path) -> Result<Target, WriteError> {
        let fault = |source| WriteError::Write {
            path: path.to_path_buf(),
            source,
        };
        let typed = path.to_path_buf();
        let metadata = match fs::metadata(path) {
            Ok(metadata) => metadata,
            Err(why) if why.kind() == io::ErrorKind::NotFound => {
                if fs::symlink_metadata(path).is_ok() {
                    return Err(fault(why));
                }
                return Ok(Target {
                    place: typed.clone(),
                    typed,
                    own: None,
                    exists: false,
                });
            }
            Err(why) => return Err(fault(why)),
        };
        if !metadata.is_dir() {
            return Err(WriteError::File { path: typed });
        }
        let place = fs::canonicalize(path).map_err(fault)?;
        let own = match fs::read(place.join(marker::MARKER)) {
            Ok(text) => {
                let files = marker::files(&text);
                Some(files.ok_or_else(|| WriteError::Foreign {
                    path: typed.clone(),
                })?)
            }
            Err(why) if why.kind() == io::ErrorKind::NotFound => {
                // A fresh file system brings `lost+found`, which is no one's file.
                let mut entries = fs::read_dir(&place).map_err(fault)?;
                let foreign = |entry: io::Result<fs::DirEntry>| {
                    entry.map_or(true, |entry| entry.file_name() != "lost+found")
                };
                if entries.any(foreign) {
                    return Err(WriteError::Foreign { path: typed });
                }
                None
            }
            Err(why) => return Err(fault(why)),
        };
        Ok(Target {
            typed,
            place,
            own,
            exists: true,
        })
    }

    /// Forebay's files as they stand in the directory, the marker left out; what is listed and not
    /// there is not in the result.
    pub(crate) fn standing(&self) -> Result<Tree, WriteError> {
        let mut tree = Tree::default();
        for name in self.own.iter().flatten() {
            let path = self.place.join(name);
            match fs::read(&path) {
                Ok(content) => {
                    tree.files.insert(name.clone(), content);
                }
                Err(why) if why.kind() == io::ErrorKind::NotFound => {}
                Err(source) => return Err(WriteError::Write { path, source }),
            }
        }
        Ok(tree)
    }

    /// Whether writing the tree would change the directory.
    pub(crate) fn would_change(&self, tree: &Tree) -> Result<bool, WriteError> {
        Ok(self.own.is_none()
            || self.own != Some(tree.files.keys().cloned().collect())
            || self.standing()? != *tree)
    }

    /// Puts the tree into the directory.
    pub(crate) fn write(&self, tree: &Tree) -> Result<(), WriteError> {
        if !self.exists {
            return self.create(tree);
        }
        if self.holds_others()? || self.is_held() {
            return self.fill(tree);
        }
        match self.replace(tree) {
            Err(WriteError::Write { source, .. }) if immovable(&source) => self.fill(tree),
            done => done,
        }
    }

    /// Writes a directory that is not there yet.
    fn create(&self, tree: &Tree) -> Result<(), WriteError> {
        if let Some(parent) = self
            .place
            .parent()
            .filter(|parent| !parent.as_os_str().is_empty())
        {
            fs::create_dir_all(parent).map_err(|source| self.fault(source))?;
        }
        let new = Beside::new(&self.place, tree).map_err(|source| self.fault(source))?;
        fs::rename(&new.0, &self.place).map_err(|source| self.fault(source))
    }

    /// Writes the tree beside the directory and exchanges the two.
    fn replace(&self, tree: &Tree) -> Result<(), WriteError> {
        let new = Beside::new(&self.place, tree).map_err(|source| self.fault(source))?;
        let permissions = fs::metadata(&self.place).map(|metadata| metadata.permissions());
        permissions
            .and_then(|permissions| fs::set_permissions(&new.0, permissions))
            .and_then(|()| exchange(&new.0, &self.place))
            .map_err(|source| self.fault(source))
    }

    /// Renames files into the directory one by one: new ones, the marker, then stale ones go.
    fn fill(&self, tree: &Tree) -> Result<(), WriteError> {
        let own = self.own.clone().unwrap_or_default();
        for name in tree.files.keys() {
            let path = self.place.join(name);
            if !own.contains(name) && fs::symlink_metadata(&path).is_ok() {
                return Err(WriteError::InTheWay { path });
            }
        }
        let inside = self.place.join("new");
        let new = Beside::new(&inside, tree).map_err(|source| self.fault(source))?;
        let put = |name: &str| {
            let place = self.place.join(name);
            fs::create_dir_all(place.parent().unwrap_or(&self.place))?;
            fs::rename(new.0.join(name), place)
        };
        // The marker lists old and new files until all is done, so that a run that is stopped here
        // leaves nothing that the next one would not know for its own.
        let both = own.iter().chain(tree.files.keys()).cloned().collect();
        super::file::write(&self.place.join(marker::MARKER), &marker::listing(both))
            .map_err(|source| self.fault(source))?;
        for name in tree.files.keys() {
            put(name).map_err(|source| self.fault(source))?;
        }
        let stale: Vec<_> = own
            .iter()
            .filter(|name| !tree.files.contains_key(*name))
            .collect();
        for name in stale {
            remove(&self.place, name).map_err(|source| self.fault(source))?;
        }
        put(marker::MARKER).map_err(|source| self.fault(source))
    }

    /// Whether the directory holds anything that the marker does not list.
    fn holds_others(&self) -> Result<bool, WriteError> {
        let own = self.own.clone().unwrap_or_default();
        for entry in walkdir::WalkDir::new(&self.place).min_depth(1) {
            let entry = entry.map_err(|why| self.fault(why.into()))?;
            let name = entry
                .path()
                .strip_prefix(&self.place)
                .unwrap_or(entry.path());
            let name = name.to_string_lossy().replace('\\', "/");
            if !entry.file_type().is_dir() && name != marker::MARKER && !own.contains(&name) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the directory cannot be exchanged: a mount point, or where the program runs.
    fn is_held(&self) -> bool {
        let runs_here = env::current_dir()
            .and_then(fs::canonicalize)
            .is_ok_and(|here| here.starts_with(&self.place));
        runs_here || self.is_mount_point()
    }

    #[cfg(unix)]
    fn is_mount_point(&self) -> bool {
        use std::os::unix::fs::MetadataExt;
        let device = |path: &Path| fs::metadata(path).map(|metadata| metadata.dev());
        match self.place.parent() {
            Some(parent) => device(parent).ok() != device(&self.place).ok(),
            None => true,
        }
    }

    #[cfg(not(unix))]
    fn is_mount_point(&self) -> bool {
        self.place.parent().is_none()
    }

    fn fault(&self, source: io::Error) -> WriteError {
        WriteError::Write {
            path: self.typed.clone(),
            source,
        }
    }
}

/// Whether a directory cannot be moved, or nothing can be written beside it.
fn immovable(why: &io::Error) -> bool {
    matches!(
        why.kind(),
        io::ErrorKind::ResourceBusy
            | io::ErrorKind::CrossesDevices
            | io::ErrorKind::PermissionDenied
            | io::ErrorKind::ReadOnlyFilesystem
    )
}

/// Removes a file and the directories that it leaves empty.
fn remove(root: &Path, name: &str) -> io::Result<()> {
    let path = root.join(name);
    match fs::remove_file(&path) {
        Err(why) if why.kind() != io::ErrorKind::NotFound => return Err(why),
        _ => {}
    }
    let directories = path
        .ancestors()
        .skip(1)
        .take_while(|directory| *directory != root);
    for directory in directories {
        if fs::remove_dir(directory).is_err() {
            break;
        }
    }
    Ok(())
}

/// A directory beside another, gone with this value whatever stands there then.
struct Beside(PathBuf);

impl Beside {
    /// Writes a tree and its marker into a directory beside `place`.
    fn new(place: &Path, tree: &Tree) -> io::Result<Beside> {
        let name = place.file_name().unwrap_or_default().to_string_lossy();
        let path = place.with_file_name(format!(".{name}.forebay-{}", std::process::id()));
        fs::create_dir(&path)?;
        let beside = Beside(path);
        for (name, content) in &tree.files {
            let file = beside.0.join(name);
            fs::create_dir_all(file.parent().unwrap_or(&beside.0))?;
            fs::write(file, content)?;
        }
        fs::write(beside.0.join(marker::MARKER), marker::text(tree))?;
        Ok(beside)
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        let _in_its_place_already = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests;
