//! `git:REV[:PATH]`: the files of a revision, read out of git's own objects.
//!
//! Lives here: what the words mean, and the walk, which leaves out what the walk on a disk leaves
//! out. Below: the questions that `git` is asked ([`ask`]). Nothing is checked out.

mod ask;
mod tree;

use std::collections::BTreeSet;
use std::path::Path;

use super::ignored::{Ignored, NAME as IGNORE_FILE};
use super::walk::{Found, hidden, is_kustomization, is_manifest};
use super::{LoadError, Role, Skipped};
pub(crate) use ask::GitFault;
use ask::Objects;
use tree::{Item, Tree};

/// A revision and a path in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// What was typed, with `git:`.
    typed: String,
    /// The revision.
    revision: String,
    /// The path: from the repository's root, or with `./` or `../` from the working directory.
    path: Option<String>,
}

/// What a PATH says of git; `None` where it names something else. A file whose own name begins with
/// `git:` is named with `./` before it.
pub(super) fn place(path: &Path) -> Result<Option<Place>, LoadError> {
    let Some(typed) = path.to_str().filter(|text| text.starts_with("git:")) else {
        return Ok(None);
    };
    let rest = &typed["git:".len()..];
    let (revision, path) = match rest.split_once(':') {
        Some((revision, path)) => (revision, Some(path.to_owned())),
        None => (rest, None),
    };
    let place = Place {
        typed: typed.to_owned(),
        revision: revision.to_owned(),
        path,
    };
    if revision.is_empty() {
        return Err(place.fault(GitFault::NoRevision));
    }
    Ok(Some(place))
}

impl Place {
    fn fault(&self, source: GitFault) -> LoadError {
        LoadError::Git {
            path: self.typed.clone(),
            source,
        }
    }

    /// The name that a file of the revision is shown by.
    fn shown(&self, path: &str) -> String {
        format!("git:{}:{path}", self.revision)
    }
}

/// The one file that a place names, never a directory.
pub(super) fn named(place: &Place, role: Role) -> Result<Found, LoadError> {
    let mut found = walk(place, role, &mut Skipped::default())?;
    match (found.pop(), found.is_empty()) {
        (Some(file), true) if file.explicit => Ok(file),
        _ => Err(LoadError::Directory {
            path: place.typed.clone(),
        }),
    }
}

/// What a place stands for, in name order: one file, or the manifests below a directory.
pub(super) fn walk(
    place: &Place,
    role: Role,
    skipped: &mut Skipped,
) -> Result<Vec<Found>, LoadError> {
    let fault = |source| place.fault(source);
    let root = ask::tree_of(&place.revision).map_err(fault)?;
    let path = match place.path.as_deref() {
        None => String::new(),
        Some(path) if path == "." || path.starts_with("./") || path.starts_with("../") => {
            let prefix = ask::prefix().map_err(fault)?;
            tree::joined(&prefix, path).ok_or_else(|| fault(GitFault::Outside(path.to_owned())))?
        }
        Some(path) => {
            tree::joined("", path).ok_or_else(|| fault(GitFault::Outside(path.to_owned())))?
        }
    };
    let mut objects = Objects::open().map_err(fault)?;
    let tree = Tree::read(&root, &mut objects).map_err(fault)?;
    let mut walk = Walk {
        place,
        root: path.clone(),
        role,
        tree: &tree,
        objects: &mut objects,
        ignored: Ignored::new(Path::new(""), Vec::new()),
        skipped,
        found: Vec::new(),
    };
    match tree.follow(&path).map_err(fault)? {
        Some((_, Item::File(object))) => walk.take("", object)?,
        Some((real, Item::Directory(_))) => {
            walk.look_above()?;
            walk.directory("", &real, 0, &mut BTreeSet::new())?;
        }
        Some((_, Item::Submodule)) => return Err(fault(GitFault::Submodule(path))),
        None | Some((_, Item::Link(_))) => return Err(fault(GitFault::NoPath(path))),
    }
    let found = walk.found;
    objects.close().map_err(fault)?;
    Ok(found)
}

/// A walk that is under way.
struct Walk<'w> {
    place: &'w Place,
    /// The path that was named, from the repository's root.
    root: String,
    role: Role,
    tree: &'w Tree,
    objects: &'w mut Objects,
    ignored: Ignored,
    skipped: &'w mut Skipped,
    found: Vec<Found>,
}

impl Walk<'_> {
    /// Takes a file; `below` is its path in the directory that was named, empty for a file that was.
    fn take(&mut self, below: &str, object: &str) -> Result<(), LoadError> {
        let content = self.objects.read(object);
        let content = content.map_err(|source| self.place.fault(source))?;
        self.found.push(Found {
            below: below.to_owned(),
            explicit: below.is_empty(),
            ..Found::carried(self.shown(below), self.role, content)
        });
        Ok(())
    }

    fn shown(&self, below: &str) -> String {
        self.place
            .shown(&tree::joined(&self.root, below).unwrap_or_default())
    }

    /// Takes in the patterns that stand above the directory that was named.
    fn look_above(&mut self) -> Result<(), LoadError> {
        let mut above = Vec::new();
        for (at, _) in self.root.match_indices('/').chain([(self.root.len(), "")]) {
            let directory = self.root[..at]
                .rsplit_once('/')
                .map_or("", |(before, _)| before);
            if at == 0 {
                continue;
            }
            let file = tree::joined(directory, IGNORE_FILE).unwrap_or_default();
            if let Ok(Some((_, Item::File(object)))) = self.tree.follow(&file) {
                let text = self.objects.read(object);
                let text = text.map_err(|source| self.place.fault(source))?;
                let way = self.root[directory.len()..].trim_start_matches('/');
                above.push((way.into(), String::from_utf8_lossy(&text).into_owned()));
            }
        }
        self.ignored = Ignored::new(Path::new(""), above);
        Ok(())
    }

    /// Takes what stands below a directory that is called `path` and is `real`, links followed.
    fn directory(
        &mut self,
        path: &str,
        real: &str,
        depth: usize,
        above: &mut BTreeSet<String>,
    ) -> Result<(), LoadError> {
        let fault = |source| self.place.fault(source);
        if !above.insert(real.to_owned()) {
            return Err(LoadError::Loop {
                path: self.shown(path),
                ancestor: self.place.shown(real),
            });
        }
        let tree = self.tree;
        let within = |name: &str| tree::joined(real, name).unwrap_or_default();
        let file = |name: &str| match tree.follow(&within(name)) {
            Ok(Some((_, Item::File(object)))) => Some(object),
            _ => None,
        };
        if file("Chart.yaml").is_some() {
            self.skipped.charts += 1;
            above.remove(real);
            return Ok(());
        }
        let patterns = match file(IGNORE_FILE) {
            Some(object) => Some(self.objects.read(object).map_err(fault)?),
            None => None,
        };
        let patterns = patterns.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        self.ignored
            .enter(Path::new(path), depth, patterns.as_deref());
        for name in tree.names(real) {
            let called = tree::joined(path, name).unwrap_or_default();
            let shown = Path::new(&called);
            let (target, item) = match tree.follow(&within(name)) {
                Ok(Some(found)) => found,
                missing => {
                    let wanted = !hidden(shown) && is_manifest(shown);
                    self.ignored.leave_to(depth + 1);
                    if wanted && !self.ignored.names(shown, false) {
                        let why = missing.err().unwrap_or(GitFault::NoPath(called));
                        return Err(self.place.fault(why));
                    }
                    continue;
                }
            };
            let directory = !matches!(item, Item::File(_));
            self.ignored.leave_to(depth + 1);
            if hidden(shown) || self.ignored.names(shown, directory) {
                continue;
            }
            match item {
                Item::Directory(_) => self.directory(&called, &target, depth + 1, above)?,
                Item::Submodule => return Err(self.place.fault(GitFault::Submodule(called))),
                Item::File(object) if is_kustomization(shown) => {
                    self.skipped.kustomizations += 1;
                    self.take(&called, object)?;
                    if let Some(file) = self.found.last_mut() {
                        file.kustomization = true;
                    }
                }
                Item::File(object) if is_manifest(shown) => self.take(&called, object)?,
                Item::File(_) | Item::Link(_) => {}
            }
        }
        above.remove(real);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
