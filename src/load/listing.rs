//! The texts of a snapshot: named, found and opened, but not read here, since they may be larger
//! than memory.

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use super::walk::{self, Found};
use super::{LoadError, Role, Skipped};

/// A text that can be opened.
#[derive(Debug)]
pub(crate) struct Listing {
    /// The name it is shown by.
    pub(crate) shown: String,
    /// Whether it was named, or is stdin.
    pub(crate) explicit: bool,
    /// The file; `None` for stdin.
    file: Option<PathBuf>,
}

/// The texts that the paths stand for, in order, each once; `-` is stdin, once at most.
pub(crate) fn listings(
    paths: &[PathBuf],
    skipped: &mut Skipped,
) -> Result<Vec<Listing>, LoadError> {
    let mut found = Vec::new();
    for path in paths {
        found.extend(walk::walk(path, Role::Manifest, skipped)?);
    }
    let listings: Vec<Listing> = walk::distinct(found)
        .into_iter()
        .map(
            |Found {
                 shown,
                 explicit,
                 file,
                 ..
             }| Listing {
                shown,
                explicit,
                file,
            },
        )
        .collect();
    if listings.iter().filter(|it| it.file.is_none()).count() > 1 {
        return Err(LoadError::StdinTwice);
    }
    Ok(listings)
}

impl Listing {
    /// Opens the text; `stdin` is what is read for `-`.
    pub(crate) fn open<'r>(
        &self,
        stdin: &'r mut dyn Read,
    ) -> Result<Box<dyn Read + 'r>, LoadError> {
        match &self.file {
            None => Ok(Box::new(stdin)),
            Some(path) => match File::open(path) {
                Ok(file) => Ok(Box::new(file)),
                Err(source) => Err(LoadError::Read {
                    path: self.shown.clone(),
                    source,
                }),
            },
        }
    }
}
