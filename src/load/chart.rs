//! What a chart tree says of images: its `values.yaml`, those of its subcharts, and the references
//! in `images/*.tag`. Templates are never read.

use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::walk::{Found, show};
use super::{LoadError, Role};

/// The source of charts that `--charts` tells the content of.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ChartSource {
    /// Its kind.
    pub(crate) kind: String,
    /// Its namespace.
    pub(crate) namespace: String,
    /// Its name.
    pub(crate) name: String,
}

/// Where the content of a chart source is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ChartContent {
    /// In a directory, as chart trees.
    Directory(PathBuf),
    /// In a registry, which alone has it; kept as typed.
    Registry(String),
    /// What a registry gave: the names of the files that count, and their contents.
    #[cfg(feature = "registry")]
    Fetched(Vec<(String, Vec<u8>)>),
}

impl ChartContent {
    /// Reads what was typed.
    pub(crate) fn of(text: &str) -> ChartContent {
        if text.starts_with("oci://") {
            ChartContent::Registry(text.to_owned())
        } else {
            ChartContent::Directory(text.into())
        }
    }

    /// The texts in it.
    pub(super) fn texts(&self) -> Result<Vec<Found>, LoadError> {
        match self {
            ChartContent::Directory(path) => texts(path),
            ChartContent::Registry(name) => Err(LoadError::NoRegistry {
                name: format!("--charts …={name}"),
            }),
            #[cfg(feature = "registry")]
            ChartContent::Fetched(files) => {
                let carried = files.iter().map(|(name, content)| {
                    Found::carried(name.clone(), Role::Chart, content.clone())
                });
                Ok(carried.collect())
            }
        }
    }
}

/// Whether a file of a chart tree says something of images, by its path; `beside` tells whether there
/// is a file of a name in its directory.
pub(crate) fn counts(path: &Path, beside: impl Fn(&Path) -> bool) -> bool {
    let parent = path.parent().unwrap_or(Path::new(""));
    let values = path.ends_with("values.yaml") && beside(&parent.join("Chart.yaml"));
    values || path.extension().is_some_and(|end| end == "tag") && parent.ends_with("images")
}

/// The texts of every chart tree at or below a directory.
pub(super) fn texts(directory: &Path) -> Result<Vec<Found>, LoadError> {
    let mut found = Vec::new();
    for entry in WalkDir::new(directory)
        .follow_links(true)
        .sort_by_file_name()
    {
        let entry = entry.map_err(|error| LoadError::Read {
            path: directory.display().to_string(),
            source: error.into(),
        })?;
        let path = entry.path();
        if entry.file_type().is_file() && counts(path, Path::is_file) {
            let file: PathBuf = path.to_path_buf();
            found.push(Found::file(show(path)?, Role::Chart, file));
        }
    }
    Ok(found)
}
