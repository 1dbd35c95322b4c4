//! A bundle while it is made: blobs beside the final name, all of it under the final name at once.
//!
//! Beside `NAME` stands `NAME.partial` while a run goes on, and after one that failed or was killed.
//! The next run verifies what it holds and goes on from there. What an earlier bundle under `NAME`
//! holds is used again too. Nothing appears under `NAME` before everything is there.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::client::Sink;
use super::digest::{Digest, Hasher};
use super::error::Error;
use super::layout::{Entry, Index, LAYOUT_TEXT, Layout};
use super::tar::Writer;
use crate::emit::exchange::exchange;

/// A bundle in the making.
pub(crate) struct Store {
    out: PathBuf,
    staging: PathBuf,
    /// What stands under the final name.
    old: Option<Layout>,
    /// What has blobs that need not be here.
    base: Option<Layout>,
    /// Blobs that were verified in this run.
    good: Mutex<BTreeSet<Digest>>,
    lock: (PathBuf, File),
}

impl Store {
    /// Begins, or goes on with, the bundle that will stand at `out`: a tar where the name ends in
    /// `.tar`. Blobs that `base` has are left out.
    ///
    /// # Errors
    ///
    /// Where something else stands there, where another run is at it, and where nothing can be
    /// written beside it.
    pub(crate) fn begin(out: &Path, base: Option<Layout>) -> Result<Store, Error> {
        let old = standing(out)?;
        let mut name = out.file_name().unwrap_or_default().to_owned();
        name.push(".partial");
        let staging = out.with_file_name(&name);
        name.push(".lock");
        let lock = out.with_file_name(name);
        fs::create_dir_all(staging.join("part")).map_err(|why| Error::write(&staging, why))?;
        let file = File::create(&lock).map_err(|why| Error::write(&lock, why))?;
        if file.try_lock().is_err() {
            return Err(Error::Busy {
                path: out.to_path_buf(),
            });
        }
        Ok(Store {
            out: out.to_path_buf(),
            staging,
            old,
            base,
            good: Mutex::default(),
            lock: (lock, file),
        })
    }

    /// Where a run that fails leaves what it fetched.
    pub(crate) fn staging(&self) -> &Path {
        &self.staging
    }

    /// Whether a blob is there and is what its digest says. What is damaged is removed.
    pub(crate) fn has(&self, digest: &Digest) -> Result<bool, Error> {
        if self.lock_good().contains(digest) {
            return Ok(true);
        }
        let path = self.path(digest);
        let mut there = match File::open(&path) {
            Ok(mut file) => {
                let mut hasher = digest.hasher();
                hasher
                    .drain(&mut file)
                    .map_err(|why| Error::read(&path, why))?;
                let good = hasher.finish() == *digest;
                if !good {
                    fs::remove_file(&path).map_err(|why| Error::write(&path, why))?;
                }
                good
            }
            Err(why) if why.kind() == io::ErrorKind::NotFound => false,
            Err(why) => return Err(Error::read(&path, why)),
        };
        if !there {
            there = self.take_over(digest)?;
        }
        if there {
            self.lock_good().insert(digest.clone());
        }
        Ok(there)
    }

    /// Whether the base has a blob of this digest and size; that it is sound is for `verify`.
    pub(crate) fn in_base(&self, digest: &Digest, size: u64) -> bool {
        let base = self.base.as_ref();
        base.is_some_and(|base| base.size(digest) == Some(size))
    }

    /// Takes a blob over from what stands under the final name, where that has it and it is sound.
    fn take_over(&self, digest: &Digest) -> Result<bool, Error> {
        let Some(old) = self.old.as_ref().filter(|old| old.size(digest).is_some()) else {
            return Ok(false);
        };
        let mut sink = self.sink(digest)?;
        sink.restart()?;
        let mut from = old.blob(digest)?;
        let mut hasher = digest.hasher();
        let mut buffer = vec![0; 256 << 10];
        loop {
            match from.read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => {
                    hasher.update(&buffer[..read]);
                    sink.take(&buffer[..read])?;
                }
                // What cannot be read is fetched anew.
                Err(_) => return Ok(false),
            }
        }
        if hasher.finish() != *digest {
            return Ok(false);
        }
        self.keep(digest, sink)?;
        Ok(true)
    }

    /// The bytes of a blob that [`Store::has`].
    pub(crate) fn read(&self, digest: &Digest) -> Result<Vec<u8>, Error> {
        let path = self.path(digest);
        fs::read(&path).map_err(|why| Error::read(&path, why))
    }

    /// Keeps a short blob.
    pub(crate) fn put(&self, digest: &Digest, bytes: &[u8]) -> Result<(), Error> {
        let mut sink = self.sink(digest)?;
        sink.restart()?;
        sink.take(bytes)?;
        self.keep(digest, sink)
    }

    /// Where a blob is written until it is whole: what an earlier run left of it is still there.
    pub(crate) fn sink(&self, digest: &Digest) -> Result<Part, Error> {
        let path =
            self.staging
                .join("part")
                .join(format!("{}-{}", digest.algorithm(), digest.hex()));
        let file = OpenOptions::new()
            .create(true)
            .read(true)
            .append(true)
            .open(&path)
            .map_err(|why| Error::write(&path, why))?;
        Ok(Part {
            path,
            file: BufWriter::with_capacity(256 << 10, file),
        })
    }

    /// Gives a whole, verified blob its name.
    pub(crate) fn keep(&self, digest: &Digest, part: Part) -> Result<(), Error> {
        let Part { path, file } = part;
        let into = file.into_inner().map_err(io::IntoInnerError::into_error);
        into.map_err(|why| Error::write(&path, why))?;
        let place = self.path(digest);
        let folder = place.parent().unwrap_or(&self.staging);
        fs::create_dir_all(folder)
            .and_then(|()| fs::rename(&path, &place))
            .map_err(|why| Error::write(&place, why))?;
        self.lock_good().insert(digest.clone());
        Ok(())
    }

    /// Puts the bundle under its final name: these entries, and these blobs, which are all there.
    /// Gives its digest.
    pub(crate) fn finish(
        self,
        entries: &[Entry],
        blobs: &BTreeSet<Digest>,
    ) -> Result<Digest, Error> {
        let base = self.base.as_ref().map(Layout::digest);
        let index = Index::of(entries, base.as_ref()).text();
        let digest = Digest::of(&index);
        self.sweep(blobs)
            .map_err(|why| Error::write(&self.staging, why))?;
        if is_tar(&self.out) {
            self.archive(&index, blobs)
        } else {
            self.folder(&index)
        }
        .map_err(|why| Error::write(&self.out, why))?;
        Ok(digest)
    }

    /// Removes everything but these blobs.
    fn sweep(&self, blobs: &BTreeSet<Digest>) -> io::Result<()> {
        fs::remove_dir_all(self.staging.join("part"))?;
        for entry in walkdir::WalkDir::new(&self.staging).min_depth(1) {
            let entry = entry?;
            let name = entry
                .path()
                .strip_prefix(&self.staging)
                .unwrap_or(entry.path());
            let name = name.to_string_lossy().replace('\\', "/");
            let wanted = blobs.iter().any(|digest| digest.path() == name);
            if entry.file_type().is_file() && !wanted {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }

    fn folder(&self, index: &[u8]) -> io::Result<()> {
        fs::create_dir_all(self.staging.join("blobs/sha256"))?;
        fs::write(self.staging.join("oci-layout"), LAYOUT_TEXT)?;
        fs::write(self.staging.join("index.json"), index)?;
        if self.out.exists() {
            exchange(&self.staging, &self.out)?;
            return fs::remove_dir_all(&self.staging);
        }
        fs::rename(&self.staging, &self.out)
    }

    fn archive(&self, index: &[u8], blobs: &BTreeSet<Digest>) -> io::Result<()> {
        let whole = self.staging.join("whole.tar");
        let mut writer = Writer::new(BufWriter::with_capacity(1 << 20, File::create(&whole)?));
        writer.folder("blobs")?;
        let mut folder = "";
        for digest in blobs {
            if digest.algorithm() != folder {
                folder = digest.algorithm();
                writer.folder(&format!("blobs/{folder}"))?;
            }
            let mut file = File::open(self.path(digest))?;
            let size = file.metadata()?.len();
            writer.file(&digest.path(), size, &mut file)?;
        }
        writer.file("index.json", index.len() as u64, &mut &index[..])?;
        let text = LAYOUT_TEXT.as_bytes();
        writer.file("oci-layout", text.len() as u64, &mut &text[..])?;
        writer.end()?.into_inner()?;
        fs::rename(&whole, &self.out)?;
        fs::remove_dir_all(&self.staging)
    }

    fn path(&self, digest: &Digest) -> PathBuf {
        self.staging.join(digest.path())
    }

    fn lock_good(&self) -> std::sync::MutexGuard<'_, BTreeSet<Digest>> {
        self.good.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        let _unlocked_with_the_process = self.lock.1.unlock();
        let _only_untidy = fs::remove_file(&self.lock.0);
    }
}

/// Whether a bundle of this name is a tar.
fn is_tar(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "tar")
}

/// What stands under the final name: nothing, nothing but an empty directory, or a bundle.
fn standing(out: &Path) -> Result<Option<Layout>, Error> {
    let metadata = match fs::metadata(out) {
        Ok(metadata) => metadata,
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(why) => return Err(Error::read(out, why)),
    };
    let refuse = || Error::InTheWay {
        path: out.to_path_buf(),
    };
    if metadata.is_dir() == is_tar(out) {
        return Err(refuse());
    }
    if metadata.is_dir() {
        let mut entries = fs::read_dir(out).map_err(|why| Error::read(out, why))?;
        if entries.next().is_none() {
            return Ok(None);
        }
    }
    Layout::open(out).map(Some).map_err(|_| refuse())
}

/// A blob that is being written.
pub(crate) struct Part {
    path: PathBuf,
    file: BufWriter<File>,
}

impl Part {
    /// How much of it is there, hashed for the digest.
    pub(crate) fn so_far(&self, digest: &Digest) -> Result<(u64, Hasher), Error> {
        let mut hasher = digest.hasher();
        let mut file = File::open(&self.path).map_err(|why| Error::read(&self.path, why))?;
        let have = hasher.drain(&mut file);
        Ok((have.map_err(|why| Error::read(&self.path, why))?, hasher))
    }
}

impl Sink for Part {
    fn take(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let written = self.file.write_all(bytes);
        written.map_err(|why| Error::write(&self.path, why))
    }

    fn restart(&mut self) -> Result<(), Error> {
        self.file
            .flush()
            .and_then(|()| self.file.get_ref().set_len(0))
            .map_err(|why| Error::write(&self.path, why))
    }
}
