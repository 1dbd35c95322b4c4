//! Which entries of a directory its `.sourceignore` files leave out, as Flux leaves them out.
//!
//! Only names and patterns: where the files come from (a disk, a revision) is the caller's.

use std::path::Path;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// The name of the files that hold the patterns.
pub(super) const NAME: &str = ".sourceignore";

/// The `.sourceignore` files on the way to the present entry, each with the depth it stands at.
#[derive(Default)]
pub(super) struct Ignored(Vec<(usize, Gitignore)>);

impl Ignored {
    /// Goes into a directory at a depth; `text` is its own file, where it has one. A pattern that is
    /// none is passed over, as Flux passes over it.
    pub(super) fn enter(&mut self, directory: &Path, depth: usize, text: Option<&str>) {
        self.leave_to(depth);
        let Some(text) = text else { return };
        let mut builder = GitignoreBuilder::new(directory);
        for line in text.lines() {
            let _unreadable_pattern = builder.add_line(None, line);
        }
        if let Ok(matcher) = builder.build() {
            self.0.push((depth, matcher));
        }
    }

    /// Forgets the files of directories that an entry at this depth does not stand in.
    pub(super) fn leave_to(&mut self, depth: usize) {
        self.0.retain(|(at, _)| *at < depth);
    }

    /// Whether an entry is left out.
    pub(super) fn names(&self, path: &Path, directory: bool) -> bool {
        for (_, matcher) in self.0.iter().rev() {
            match matcher.matched(path, directory) {
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
                Match::None => {}
            }
        }
        false
    }
}
