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
        let parent = path.parent().unwrap_or(Path::new(""));
        let values = path.ends_with("values.yaml") && parent.join("Chart.yaml").is_file();
        let tag = path.extension().is_some_and(|end| end == "tag") && parent.ends_with("images");
        if entry.file_type().is_file() && (values || tag) {
            let file: PathBuf = path.to_path_buf();
            found.push(Found::file(show(path)?, Role::Chart, file));
        }
    }
    Ok(found)
}
