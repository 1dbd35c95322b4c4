//! A revision's files as a tree of names, links followed inside it.
//!
//! What a file holds is not here; [`super::ask`] reads it.

use std::collections::BTreeMap;

use super::ask::{self, GitFault, Objects};

/// How many links may lead to one entry, as Linux has it.
const MOST_LINKS: usize = 40;

/// One entry of a tree.
#[derive(Debug)]
pub(super) enum Item {
    /// A directory; its names stand beside it.
    Directory(BTreeMap<String, Item>),
    /// A file, by the name of its object.
    File(String),
    /// A link and where it leads.
    Link(String),
    /// Another repository, whose files this one does not hold.
    Submodule,
}

/// All files of a revision.
#[derive(Debug)]
pub(super) struct Tree {
    root: Item,
}

impl Tree {
    /// The tree of that object.
    pub(super) fn read(root: &str, objects: &mut Objects) -> Result<Tree, GitFault> {
        let mut tree = Item::Directory(BTreeMap::new());
        for entry in ask::entries(root)? {
            let item = match entry.mode.as_str() {
                "160000" => Item::Submodule,
                "120000" => {
                    let target = objects.read(&entry.object)?;
                    Item::Link(String::from_utf8(target).map_err(|_| GitFault::Name)?)
                }
                _ => Item::File(entry.object),
            };
            insert(&mut tree, &entry.path, item);
        }
        Ok(Tree { root: tree })
    }

    /// The entry at a path, every link on the way followed, and the path that it really has; `None`
    /// where nothing is, or where a link leads out of the repository.
    pub(super) fn follow(&self, path: &str) -> Result<Option<(String, &Item)>, GitFault> {
        let mut path = path.to_owned();
        for _ in 0..MOST_LINKS {
            match self.step(&path) {
                Step::Found(item) => return Ok(Some((path, item))),
                Step::Missing => return Ok(None),
                Step::Link(next) => match next {
                    Some(next) => path = next,
                    None => return Ok(None),
                },
            }
        }
        Err(GitFault::Links(path))
    }

    /// The names in a directory, in byte order.
    pub(super) fn names(&self, directory: &str) -> Vec<&str> {
        match self.step(directory) {
            Step::Found(Item::Directory(names)) => names.keys().map(String::as_str).collect(),
            _ => Vec::new(),
        }
    }

    fn step(&self, path: &str) -> Step<'_> {
        let mut item = &self.root;
        let mut done = String::new();
        let mut parts = path.split('/').filter(|part| !part.is_empty());
        while let Some(part) = parts.next() {
            let Item::Directory(names) = item else {
                return Step::Missing;
            };
            let Some(next) = names.get(part) else {
                return Step::Missing;
            };
            if let Item::Link(target) = next {
                let rest: Vec<&str> = parts.collect();
                let whole = format!("{target}/{}", rest.join("/"));
                let inside = !target.starts_with('/');
                return Step::Link(inside.then(|| joined(&done, &whole)).flatten());
            }
            if !done.is_empty() {
                done.push('/');
            }
            done.push_str(part);
            item = next;
        }
        Step::Found(item)
    }
}

enum Step<'t> {
    Found(&'t Item),
    Missing,
    /// Where it goes on; `None` outside the repository.
    Link(Option<String>),
}

fn insert(tree: &mut Item, path: &str, item: Item) {
    let mut place = tree;
    let mut parts = path.split('/').peekable();
    while let Some(part) = parts.next() {
        let Item::Directory(names) = place else {
            return;
        };
        if parts.peek().is_none() {
            names.insert(part.to_owned(), item);
            return;
        }
        place = names
            .entry(part.to_owned())
            .or_insert_with(|| Item::Directory(BTreeMap::new()));
    }
}

/// A path from a directory on, without `.` and `..`; `None` where it leads above the root.
pub(super) fn joined(directory: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = directory.split('/').filter(|it| !it.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
