//! Single files, replaced whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// How many bytes of output are collected before they are written.
pub(crate) const BUFFER: usize = 32 << 10;

/// A file that waits beside its place.
#[derive(Debug)]
pub(crate) struct Waiting {
    beside: PathBuf,
    place: PathBuf,
}

impl Waiting {
    /// Puts the file in its place.
    pub(crate) fn put(self) -> io::Result<()> {
        fs::rename(&self.beside, &self.place)
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let _gone_already = fs::remove_file(&self.beside);
    }
}

/// What gives a file its content, part by part.
pub(crate) type Fill<'f> = &'f mut dyn FnMut(&mut dyn Write) -> io::Result<()>;

/// Writes a file beside its place, with the permissions of the one that stands there. What is no
/// regular file (a pipe, a device) is written right away: `None`.
pub(crate) fn prepare(path: &Path, content: &[u8]) -> io::Result<Option<Waiting>> {
    prepare_from(path, &mut |file| file.write_all(content))
}

/// The same, of content that is made while it is written.
pub(crate) fn prepare_from(path: &Path, fill: Fill<'_>) -> io::Result<Option<Waiting>> {
    let place = match fs::canonicalize(path) {
        Ok(place) => place,
        Err(why) if why.kind() == io::ErrorKind::NotFound => path.to_path_buf(),
        Err(why) => return Err(why),
    };
    let standing = fs::metadata(&place).ok();
    if standing
        .as_ref()
        .is_some_and(|standing| !standing.is_file())
    {
        let pipe = OpenOptions::new().write(true).open(path)?;
        let mut pipe = BufWriter::with_capacity(BUFFER, pipe);
        fill(&mut pipe)?;
        pipe.flush()?;
        return Ok(None);
    }
    let name = place
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let directory = match place.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_path_buf(),
        _ => PathBuf::from("."),
    };
    let beside = directory.join(format!(".{name}.forebay-{}", std::process::id()));
    let waiting = Waiting { beside, place };
    let mut new = BufWriter::with_capacity(BUFFER, File::create(&waiting.beside)?);
    fill(&mut new)?;
    let new = new.into_inner()?;
    if let Some(standing) = standing {
        new.set_permissions(standing.permissions())?;
    }
    new.sync_all()?;
    Ok(Some(waiting))
}

/// Writes a file whole or not at all.
pub(crate) fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    prepare(path, content)?.map_or(Ok(()), Waiting::put)
}

/// Writes a file whole or not at all, of content that is made while it is written.
pub(crate) fn write_from(path: &Path, fill: Fill<'_>) -> io::Result<()> {
    prepare_from(path, fill)?.map_or(Ok(()), Waiting::put)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_waits_leaves_nothing_behind() {
        let root = tempfile::tempdir().expect("temporary directory");
        let path = root.path().join("a.txt");
        write(&path, b"one").expect("written");
        drop(prepare(&path, b"two").expect("prepared"));
        assert_eq!(fs::read(&path).expect("file"), b"one");
        write(&path, b"three").expect("written");
        assert_eq!(fs::read(&path).expect("file"), b"three");
        assert_eq!(fs::read_dir(root.path()).expect("directory").count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link() {
        let root = tempfile::tempdir().expect("temporary directory");
        let (file, link) = (root.path().join("file"), root.path().join("link"));
        fs::write(&file, "old").expect("file");
        std::os::unix::fs::symlink("file", &link).expect("link");
        write(&link, b"new").expect("written");
        assert!(fs::symlink_metadata(&link).expect("link").is_symlink());
        assert_eq!(fs::read(&file).expect("file"), b"new");
    }
}
