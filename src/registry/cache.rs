//! What was fetched before, by digest, in the user's cache directory.
//!
//! `forebay/blobs/sha256/<hex>` holds content, `forebay/references/<name>` the digest that a tag
//! stood for when it was last asked for. A cache is a convenience: one that cannot be written to is
//! none, and what does not hash to its name is not there.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use super::client::{Client, Fetched, Place};
use super::digest::Digest;
use super::error::Error;
use super::manifest::{Descriptor, Manifest};
use crate::model::reference::Reference;

/// Content from the cache, or from a registry by way of the cache.
pub(crate) struct Cached<'c> {
    /// Who asks registries; `None` asks none.
    pub(crate) client: Option<&'c Client>,
    /// Where the cache is, where there is one.
    pub(crate) folder: Option<PathBuf>,
}

/// The user's cache directory for forebay; `None` where the environment names none.
pub(crate) fn folder() -> Option<PathBuf> {
    let set = |name| {
        env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let base = if cfg!(windows) {
        set("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        set("HOME").map(|home| home.join("Library/Caches"))
    } else {
        set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")))
    };
    Some(base?.join("forebay"))
}

impl Cached<'_> {
    /// The manifest that a reference means. Online a tag is always asked for.
    ///
    /// # Errors
    ///
    /// Offline, where it was never fetched.
    pub(crate) fn manifest(&self, reference: &Reference) -> Result<Fetched, Error> {
        let place = Place::of(reference);
        let offline = || Error::Offline {
            what: reference.to_string(),
        };
        if let Some(digest) = reference.digest.as_deref().and_then(Digest::parse) {
            return self.by_digest(&place, &digest)?.ok_or_else(offline);
        }
        let Some(client) = self.client else {
            let known = self
                .reference_file(reference)
                .and_then(|path| fs::read_to_string(path).ok());
            let digest = known.and_then(|text| Digest::parse(text.trim()));
            let digest = digest.ok_or_else(offline)?;
            return self.by_digest(&place, &digest)?.ok_or_else(offline);
        };
        let fetched = if let Some(digest) = client.resolve(&place, reference.asked())? {
            self.by_digest(&place, &digest)?.ok_or_else(offline)?
        } else {
            let fetched = client.manifest(&place, reference.asked())?;
            self.keep(&fetched.digest, &fetched.bytes);
            fetched
        };
        if let Some(path) = self.reference_file(reference) {
            write(&path, fetched.digest.as_str().as_bytes());
        }
        Ok(fetched)
    }

    /// A manifest of an index that was fetched.
    ///
    /// # Errors
    ///
    /// Offline, where it was never fetched.
    pub(crate) fn child(&self, place: &Place, child: &Descriptor) -> Result<Fetched, Error> {
        let what = place.with(child.digest.as_str());
        self.by_digest(place, &child.digest)?
            .ok_or(Error::Offline { what })
    }

    fn by_digest(&self, place: &Place, digest: &Digest) -> Result<Option<Fetched>, Error> {
        if let Some(bytes) = self.kept(digest)
            && let Ok(manifest) = Manifest::read(&bytes, "")
        {
            let digest = digest.clone();
            return Ok(Some(Fetched {
                digest,
                bytes,
                manifest,
            }));
        }
        let Some(client) = self.client else {
            return Ok(None);
        };
        let fetched = client.manifest(place, digest.as_str())?;
        self.keep(&fetched.digest, &fetched.bytes);
        Ok(Some(fetched))
    }

    /// A blob of at most `limit` bytes.
    ///
    /// # Errors
    ///
    /// Where it is larger, and offline where it was never fetched.
    pub(crate) fn blob(
        &self,
        place: &Place,
        descriptor: &Descriptor,
        limit: u64,
    ) -> Result<Vec<u8>, Error> {
        let what = place.with(descriptor.digest.as_str());
        if descriptor.size > limit {
            return Err(Error::Size {
                what,
                wanted: limit,
                found: format!("{}, more than can be looked into", descriptor.size),
            });
        }
        if let Some(bytes) = self.kept(&descriptor.digest) {
            return Ok(bytes);
        }
        let client = self.client.ok_or(Error::Offline { what })?;
        let bytes = client.small_blob(place, &descriptor.digest, descriptor.size)?;
        self.keep(&descriptor.digest, &bytes);
        Ok(bytes)
    }

    fn kept(&self, digest: &Digest) -> Option<Vec<u8>> {
        let bytes = fs::read(self.folder.as_ref()?.join(digest.path())).ok()?;
        digest.fits(&bytes).then_some(bytes)
    }

    fn keep(&self, digest: &Digest, bytes: &[u8]) {
        if let Some(folder) = &self.folder {
            write(&folder.join(digest.path()), bytes);
        }
    }

    fn reference_file(&self, reference: &Reference) -> Option<PathBuf> {
        let name = reference.clone().with_default_tag().to_string();
        let name = name.replace(['/', ':', '[', ']'], "+");
        Some(self.folder.as_ref()?.join("references").join(name))
    }
}

/// Writes a file of the cache whole; where that cannot be, there is no such file.
fn write(path: &Path, bytes: &[u8]) {
    let folder = path.parent().unwrap_or(path);
    let _a_cache_may_fail =
        fs::create_dir_all(folder).and_then(|()| crate::emit::file::write(path, bytes));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_hash_to_its_name_is_not_there() {
        let root = tempfile::tempdir().expect("a directory");
        let cached = Cached {
            client: None,
            folder: Some(root.path().to_path_buf()),
        };
        let digest = Digest::of(b"{}");
        cached.keep(&digest, b"{}");
        assert_eq!(cached.kept(&digest).as_deref(), Some(&b"{}"[..]));
        cached.keep(&digest, b"[]");
        assert_eq!(cached.kept(&digest), None);
        let reference = Reference::parse("h.example/a:1").expect("a reference");
        let refused = cached.manifest(&reference).expect_err("offline");
        assert!(refused.to_string().contains("--offline"), "{refused}");
    }
}
