//! Which entries of a directory `.sourceignore` files leave out, as Flux leaves them out.
//!
//! Only names and patterns: where the files come from (a disk, a revision) is the caller's.

use std::path::{Path, PathBuf};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// The name of the files that hold the patterns.
pub(super) const NAME: &str = ".sourceignore";

/// The `.sourceignore` files that count for the present entry.
pub(super) struct Ignored {
    /// The directory that is walked.
    walked: PathBuf,
    /// Those above it, the outermost first, each with the way from it to the walked directory.
    above: Vec<(PathBuf, Gitignore)>,
    /// Those on the way to the entry, each with the depth it stands at.
    within: Vec<(usize, Gitignore)>,
}

impl Ignored {
    /// For a walk through a directory; `above` are the texts that stand above it, the outermost
    /// first, each with the way from its directory to the walked one. Source-controller packs a
    /// whole repository and looks for these files from its root on.
    pub(super) fn new(walked: &Path, above: impl IntoIterator<Item = (PathBuf, String)>) -> Self {
        // Without a root of its own the matcher takes paths as they are given.
        let matcher = |(way, text): (PathBuf, String)| Some((way, matcher(Path::new(""), &text)?));
        Ignored {
            walked: walked.to_path_buf(),
            above: above.into_iter().filter_map(matcher).collect(),
            within: Vec::new(),
        }
    }

    /// Goes into a directory at a depth; `text` is its own file, where it has one.
    pub(super) fn enter(&mut self, directory: &Path, depth: usize, text: Option<&str>) {
        self.leave_to(depth);
        let matcher = text.and_then(|text| matcher(directory, text));
        self.within.extend(matcher.map(|matcher| (depth, matcher)));
    }

    /// Forgets the files of directories that an entry at this depth does not stand in.
    pub(super) fn leave_to(&mut self, depth: usize) {
        self.within.retain(|(at, _)| *at < depth);
    }

    /// Whether the nearest file that speaks of the path leaves it out.
    pub(super) fn names(&self, path: &Path, directory: bool) -> bool {
        let within = self.within.iter().rev();
        let mut told = within.map(|(_, matcher)| matcher.matched(path, directory).map(drop));
        let told = told.find(|told| !told.is_none()).or_else(|| {
            let inner = path.strip_prefix(&self.walked).unwrap_or(path);
            let above = self.above.iter().rev();
            above
                .map(|(way, matcher)| matcher.matched(way.join(inner), directory).map(drop))
                .find(|told| !told.is_none())
        });
        matches!(told, Some(Match::Ignore(())))
    }
}

/// What a text says of paths below `root`. A pattern that is none is passed over, as Flux passes
/// over it.
fn matcher(root: &Path, text: &str) -> Option<Gitignore> {
    let mut builder = GitignoreBuilder::new(root);
    for line in text.lines() {
        let _unreadable_pattern = builder.add_line(None, line);
    }
    builder.build().ok()
}
