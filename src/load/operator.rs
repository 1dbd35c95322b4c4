//! Flux's manifests out of an operator's binary, where Go's `embed` put them (`--flux operator:…`).
//!
//! Here stands the way from a binary's bytes to the files of one directory: `memory` reads the
//! ELF, `table` finds Go's lists of embedded files in it, `controllers` tells Flux's directory from
//! the others. Finding the binary (on disk, in an image's layers) is the caller's, and so is
//! reading the files as YAML.
//!
//! # Why not a YAML parser
//!
//! An operator embeds many directories, of which one is read afterwards. A directory is chosen by
//! lines that look like a workload's container images, so that text which is no YAML at all (web
//! pages, templates) cannot stop the search.

mod controllers;
mod error;
mod headers;
mod memory;
mod table;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use controllers::Controllers;
pub(crate) use error::{FoundDirectory, OperatorError};
use memory::Memory;
use table::{Budget, Table};

/// One file of the chosen directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EmbeddedFile<'a> {
    /// Its name as `embed.FS` has it, the directory included: `manifests/fluxcd.yaml`.
    pub(crate) name: String,
    /// Its content, where it stands in the binary.
    pub(crate) data: &'a [u8],
}

/// Takes Flux's manifests out of an operator's ELF binary (`spec/bundle.md`, "Flux from the
/// operator").
///
/// Gives the `*.yaml`, `*.yml` and `*.json` of the one embedded directory whose workloads run the
/// most of Flux's controllers, in the byte order of their names. A directory is what `fs.ReadDir`
/// of one `embed.FS` would list: two variables that both embed `manifests` are two directories, and
/// subdirectories are directories of their own.
///
/// Time and memory are linear in the size of the binary, whatever it holds.
///
/// # Errors
///
/// Each variant of [`OperatorError`] says what is wrong with the binary.
pub(crate) fn extract<'a>(binary: &'a [u8]) -> Result<Vec<EmbeddedFile<'a>>, OperatorError> {
    let memory = Memory::of(binary)?;
    let mut budget = Budget::for_binary(binary);
    let declared = directories(table::declared(&memory, &mut budget)?);
    let mut chosen = choose(&declared, &mut budget)?;
    let bare;
    if chosen.is_none() {
        // Compilers other than Go's own do not put the slice header before the entries.
        bare = directories(table::bare(&memory, &mut budget)?);
        chosen = choose(&bare, &mut budget)?;
    }
    let Some(directory) = chosen else {
        return Err(nothing_found(binary, &declared));
    };
    let file = |(name, data): (&&str, &&'a [u8])| EmbeddedFile {
        name: (*name).to_owned(),
        data,
    };
    Ok(directory.manifests.iter().map(file).collect())
}

/// What `fs.ReadDir` of one `embed.FS` lists.
#[derive(Default)]
struct Directory<'a> {
    /// Its path, `.` for the root.
    path: &'a str,
    /// The files that may be manifests, by full name.
    manifests: BTreeMap<&'a str, &'a [u8]>,
}

impl<'a> Directory<'a> {
    /// Whether both hold the same files under the same last names.
    fn same_files(&self, other: &Directory<'a>) -> bool {
        let files = |directory: &Directory<'a>| -> Vec<(&'a str, &'a [u8])> {
            let last = |(name, data): (&&'a str, &&'a [u8])| (split(name).1, *data);
            directory.manifests.iter().map(last).collect()
        };
        files(self) == files(other)
    }
}

/// Every directory of every table, by the order of the tables in memory and then by path.
fn directories<'a>(tables: BTreeMap<u64, Table<'a>>) -> Vec<Directory<'a>> {
    let mut all = Vec::new();
    for table in tables.into_values() {
        let mut by_path: BTreeMap<&str, Directory<'a>> = BTreeMap::new();
        for (name, data) in table.files {
            let path = split(name).0;
            let directory = by_path.entry(path).or_default();
            directory.path = path;
            if is_manifest(name) {
                directory.manifests.entry(name).or_insert(data);
            }
        }
        all.extend(by_path.into_values());
    }
    all
}

/// A name's directory, `.` for none, and its last part.
fn split(name: &str) -> (&str, &str) {
    name.rsplit_once('/').unwrap_or((".", name))
}

/// Whether a file of this name is read when a directory is walked (`design/cli.md`, Habits).
fn is_manifest(name: &str) -> bool {
    [".yaml", ".yml", ".json"]
        .iter()
        .any(|extension| name.ends_with(extension))
}

/// The directory that runs the most of Flux's controllers; none where no directory runs any.
///
/// Two that run equally many are an error, unless they hold the same files.
fn choose<'d, 'a>(
    directories: &'d [Directory<'a>],
    budget: &mut Budget,
) -> Result<Option<&'d Directory<'a>>, OperatorError> {
    // Files of one content are one text in the binary, listed by as many tables as embed it.
    let mut known: BTreeMap<(*const u8, usize), Controllers> = BTreeMap::new();
    let mut best: Vec<&Directory<'a>> = Vec::new();
    let mut most = 0;
    for directory in directories {
        let mut controllers = Controllers::default();
        for data in directory.manifests.values() {
            let seen = match known.entry((data.as_ptr(), data.len())) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => {
                    budget.spend(data.len() as u64)?;
                    new.insert(Controllers::run_by(data))
                }
            };
            controllers.add(seen);
        }
        let count = controllers.count();
        if count > most {
            most = count;
            best.clear();
        }
        if count > 0 && count == most {
            best.push(directory);
        }
    }
    let Some((first, rest)) = best.split_first() else {
        return Ok(None);
    };
    if rest.iter().all(|other| first.same_files(other)) {
        return Ok(Some(first));
    }
    Err(OperatorError::Ambiguous {
        found: best.into_iter().map(FoundDirectory::from).collect(),
    })
}

/// Why there is nothing to give, as far as the binary tells.
fn nothing_found(binary: &[u8], declared: &[Directory<'_>]) -> OperatorError {
    /// Opens the build information that Go's linker leaves also in a stripped binary
    /// (`debug/buildinfo`, Go 1.18).
    const GO_BUILD_INFO: &[u8] = b"\xff Go buildinf:";
    if !declared.is_empty() {
        return OperatorError::NoFlux {
            found: declared.iter().map(FoundDirectory::from).collect(),
        };
    }
    match memchr::memmem::find(binary, GO_BUILD_INFO) {
        Some(_) => OperatorError::NothingEmbedded,
        None => OperatorError::NotGo,
    }
}

impl From<&Directory<'_>> for FoundDirectory {
    fn from(directory: &Directory<'_>) -> FoundDirectory {
        let first = directory.manifests.keys().next();
        FoundDirectory {
            path: directory.path.to_owned(),
            first: first.map(|name| split(name).1.to_owned()),
            manifests: directory.manifests.len(),
        }
    }
}
