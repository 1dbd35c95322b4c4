//! An OCI image layout as it is read: a directory or a tar, ours or another tool's.
//!
//! Not here: whether it is whole ([`super::contents`]), and writing one ([`super::store`]).
//!
//! Source: OCI image-spec 1.1 `image-layout.md`.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::digest::Digest;
use super::error::Error;
use super::manifest::{Descriptor, LIMIT, OCI_INDEX};
use super::tar::{Archive, Kind};

/// The annotation that names an entry.
pub(crate) const REF_NAME: &str = "org.opencontainers.image.ref.name";
/// The annotation that containerd names it by.
pub(crate) const IMAGE_NAME: &str = "io.containerd.image.name";
/// The annotation with the rewritten names, parted by blanks; left out where nothing is rewritten.
pub(crate) const REWRITTEN: &str = "io.github.forebay.rewritten";
/// The annotation with the digest of the index that a platform was taken out of.
pub(crate) const OF_INDEX: &str = "io.github.forebay.index";
/// The annotation that says that platforms were left out on purpose.
pub(crate) const SPARSE: &str = "io.github.forebay.sparse";
/// The annotation, of the whole, with the digest of the bundle that has the blobs left out here.
pub(crate) const BASE: &str = "io.github.forebay.base";

/// The most bytes of `index.json`: a hundred thousand entries.
const INDEX_LIMIT: u64 = 64 << 20;

/// `index.json`.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Index {
    schema_version: u64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    media_type: String,
    #[serde(default)]
    manifests: Vec<RawEntry>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    annotations: BTreeMap<String, String>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
struct RawEntry {
    #[serde(default)]
    media_type: String,
    digest: String,
    size: u64,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    annotations: BTreeMap<String, String>,
}

/// One descriptor of `index.json`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The manifest that it leads to.
    pub(crate) descriptor: Descriptor,
    /// Its annotations.
    pub(crate) annotations: BTreeMap<String, String>,
}

impl Entry {
    /// Its name: containerd's, which is whole, before the layout's, which may be a tag only.
    pub(crate) fn name(&self) -> Option<&str> {
        let get = |key| self.annotations.get(key).filter(|name| !name.is_empty());
        get(IMAGE_NAME)
            .or_else(|| get(REF_NAME))
            .map(String::as_str)
    }

    /// The name, or the digest where it has none.
    pub(crate) fn shown(&self) -> &str {
        self.name().unwrap_or(self.descriptor.digest.as_str())
    }

    /// The names that it is pushed under.
    pub(crate) fn rewritten(&self) -> Vec<&str> {
        match self.annotations.get(REWRITTEN) {
            Some(names) => names.split(' ').filter(|name| !name.is_empty()).collect(),
            None => self.name().into_iter().collect(),
        }
    }

    /// Whether platforms were left out of it on purpose.
    pub(crate) fn sparse(&self) -> bool {
        self.annotations.contains_key(SPARSE)
    }
}

impl Index {
    /// An index of these entries, in their order; `base` is the bundle that has what is left out.
    pub(crate) fn of(entries: &[Entry], base: Option<&Digest>) -> Index {
        let raw = |entry: &Entry| RawEntry {
            media_type: entry.descriptor.media_type.clone(),
            digest: entry.descriptor.digest.to_string(),
            size: entry.descriptor.size,
            annotations: entry.annotations.clone(),
        };
        let base = base.map(|digest| (BASE.to_owned(), digest.to_string()));
        Index {
            schema_version: 2,
            media_type: OCI_INDEX.to_owned(),
            manifests: entries.iter().map(raw).collect(),
            annotations: base.into_iter().collect(),
        }
    }

    /// The text of `index.json`.
    pub(crate) fn text(&self) -> Vec<u8> {
        let mut text = serde_json::to_vec_pretty(self).expect("strings and numbers make JSON");
        text.push(b'\n');
        text
    }
}

/// The text of `oci-layout`.
pub(crate) const LAYOUT_TEXT: &str = "{\"imageLayoutVersion\":\"1.0.0\"}\n";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Version {
    image_layout_version: String,
}

/// A layout, opened.
#[derive(Debug)]
pub(crate) struct Layout {
    /// As it was named.
    pub(crate) shown: String,
    content: Content,
    /// The entries, in the order of `index.json`.
    pub(crate) entries: Vec<Entry>,
    /// The bundle that has what is left out here.
    pub(crate) base: Option<Digest>,
    /// The text of `index.json`.
    pub(crate) index_text: String,
}

#[derive(Debug)]
enum Content {
    Folder(PathBuf),
    Tar {
        path: PathBuf,
        files: BTreeMap<String, (u64, u64)>,
    },
}

impl Layout {
    /// Opens a directory or a tar.
    ///
    /// # Errors
    ///
    /// Where it is neither, where a tar would escape, and where `oci-layout` or `index.json` cannot
    /// be used.
    pub(crate) fn open(path: &Path) -> Result<Layout, Error> {
        let shown = path.display().to_string();
        let metadata = fs::metadata(path).map_err(|why| Error::read(path, why))?;
        let content = if metadata.is_dir() {
            Content::Folder(path.to_path_buf())
        } else {
            let files = members(path, &shown)?;
            let path = path.to_path_buf();
            Content::Tar { path, files }
        };
        let mut layout = Layout {
            shown,
            content,
            entries: Vec::new(),
            base: None,
            index_text: String::new(),
        };
        let version = layout.text("oci-layout", 4096)?;
        let version = serde_json::from_str::<Version>(&version).ok();
        if version.is_none_or(|version| !version.image_layout_version.starts_with("1.")) {
            return Err(layout.fault("`oci-layout` names no version that is known, expected 1.0.0"));
        }
        layout.index_text = layout.text("index.json", INDEX_LIMIT)?;
        let index: Index = serde_json::from_str(&layout.index_text)
            .map_err(|why| layout.fault(&format!("`index.json` cannot be read: {why}")))?;
        for raw in index.manifests {
            let digest = Digest::parse(&raw.digest).ok_or_else(|| {
                layout.fault(&format!(
                    "`index.json` holds `{}`, which is no digest",
                    raw.digest
                ))
            })?;
            layout.entries.push(Entry {
                descriptor: Descriptor {
                    media_type: raw.media_type,
                    digest,
                    size: raw.size,
                    platform: None,
                },
                annotations: raw.annotations,
            });
        }
        let base = index.annotations.get(BASE);
        layout.base = base.and_then(|digest| Digest::parse(digest));
        Ok(layout)
    }

    /// The digest of the bundle: that of `index.json`, from which every other byte follows.
    pub(crate) fn digest(&self) -> Digest {
        Digest::of(self.index_text.as_bytes())
    }

    /// The size of a blob; `None` where it is not there.
    pub(crate) fn size(&self, digest: &Digest) -> Option<u64> {
        match &self.content {
            Content::Folder(folder) => fs::symlink_metadata(folder.join(digest.path()))
                .ok()
                .filter(fs::Metadata::is_file)
                .map(|metadata| metadata.len()),
            Content::Tar { files, .. } => files.get(&digest.path()).map(|(_, size)| *size),
        }
    }

    /// Opens a blob.
    ///
    /// # Errors
    ///
    /// Where it is not there or cannot be read.
    pub(crate) fn blob(&self, digest: &Digest) -> Result<Box<dyn Read>, Error> {
        self.file(&digest.path())
    }

    /// A blob of at most 4 MiB, verified; what is wrong with it as an error.
    pub(crate) fn manifest_bytes(&self, descriptor: &Descriptor) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        let path = descriptor.digest.path();
        let mut from = self.file(&path)?.take(LIMIT + 1);
        from.read_to_end(&mut bytes)
            .map_err(|why| Error::read(&self.path().join(&path), why))?;
        if bytes.len() as u64 > LIMIT {
            return Err(Error::Manifest {
                what: descriptor.digest.to_string(),
                why: format!("it has more than {LIMIT} bytes"),
            });
        }
        Ok(bytes)
    }

    /// Where it stands.
    pub(crate) fn path(&self) -> &Path {
        match &self.content {
            Content::Folder(path) | Content::Tar { path, .. } => path,
        }
    }

    fn text(&self, name: &str, limit: u64) -> Result<String, Error> {
        let mut text = String::new();
        let from = self.file(name).map_err(|error| match error {
            Error::File { source, .. } if source.kind() == io::ErrorKind::NotFound => {
                self.fault(&format!("it has no `{name}`"))
            }
            error => error,
        })?;
        let read = from.take(limit + 1).read_to_string(&mut text);
        match read {
            Ok(read) if read as u64 <= limit => Ok(text),
            Ok(_) => Err(self.fault(&format!("`{name}` has more than {limit} bytes"))),
            Err(why) if why.kind() == io::ErrorKind::InvalidData => {
                Err(self.fault(&format!("`{name}` is no text")))
            }
            Err(why) => Err(Error::read(&self.path().join(name), why)),
        }
    }

    fn file(&self, name: &str) -> Result<Box<dyn Read>, Error> {
        let fault = |why| Error::read(&self.path().join(name), why);
        match &self.content {
            Content::Folder(folder) => {
                let path = folder.join(name);
                let metadata = fs::symlink_metadata(&path).map_err(fault)?;
                if !metadata.is_file() {
                    return Err(self.fault(&format!("its `{name}` is no file")));
                }
                Ok(Box::new(File::open(&path).map_err(fault)?))
            }
            Content::Tar { path, files } => {
                let (start, size) = *files
                    .get(name)
                    .ok_or_else(|| fault(io::Error::from(io::ErrorKind::NotFound)))?;
                let mut file = File::open(path).map_err(fault)?;
                file.seek(SeekFrom::Start(start)).map_err(fault)?;
                Ok(Box::new(file.take(size)))
            }
        }
    }

    fn fault(&self, why: &str) -> Error {
        Error::Bundle {
            path: self.shown.clone(),
            why: why.to_owned(),
        }
    }
}

/// The files of a tar, with where their contents stand.
fn members(path: &Path, shown: &str) -> Result<BTreeMap<String, (u64, u64)>, Error> {
    let fault = |why: String| Error::Bundle {
        path: shown.to_owned(),
        why,
    };
    let file = File::open(path).map_err(|why| Error::read(path, why))?;
    let length = file.metadata().map_err(|why| Error::read(path, why))?.len();
    let mut archive = Archive::of_file(file);
    let mut files = BTreeMap::new();
    while let Some(member) = archive.member().map_err(|why| fault(why.to_string()))? {
        match member.kind {
            Kind::File if member.start.saturating_add(member.size) > length => {
                return Err(fault(format!("it ends within `{}`", member.name)));
            }
            Kind::File => {
                let place = (member.start, member.size);
                if files.insert(member.name.clone(), place).is_some() {
                    return Err(fault(format!("it has `{}` twice", member.name)));
                }
            }
            Kind::Folder => {}
            Kind::Link(_) | Kind::Other => {
                return Err(fault(format!(
                    "its member `{}` is neither a file nor a directory",
                    member.name
                )));
            }
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_from_either_annotation() {
        let entry = |pairs: &[(&str, &str)]| Entry {
            descriptor: Descriptor {
                media_type: String::new(),
                digest: Digest::of(b""),
                size: 0,
                platform: None,
            },
            annotations: pairs
                .iter()
                .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
                .collect(),
        };
        let whole = entry(&[(REF_NAME, "1"), (IMAGE_NAME, "h.example/a:1")]);
        assert_eq!(whole.name(), Some("h.example/a:1"));
        let bare = entry(&[(REF_NAME, "h.example/a:1"), (REWRITTEN, "m/a:1 m/b:1")]);
        assert_eq!(bare.rewritten(), ["m/a:1", "m/b:1"]);
        assert_eq!(entry(&[]).name(), None);
        assert!(entry(&[]).shown().starts_with("sha256:e3b0"));
    }

    #[test]
    fn a_directory_that_is_no_layout_is_refused() {
        let folder = tempfile::tempdir().expect("a directory");
        let said = Layout::open(folder.path())
            .expect_err("no layout")
            .to_string();
        assert!(said.contains("it has no `oci-layout`"), "{said}");
    }
}
