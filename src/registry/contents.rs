//! What an entry of a bundle leads to, and what is wrong on the way.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;

use super::create::platforms;
use super::digest::Digest;
use super::error::Error;
use super::layout::{Entry, Layout};
use super::manifest::{Descriptor, Manifest, Type};
use super::parallel::each;

/// How deep indexes may hold indexes.
const DEPTH: usize = 8;

/// A bundle, and the earlier one that has what was left out of it.
#[derive(Debug)]
pub(crate) struct Bundle {
    /// The bundle.
    pub(crate) layout: Layout,
    /// The earlier one.
    pub(crate) base: Option<Layout>,
}

/// What is wrong with content.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fault {
    /// Not there.
    Missing(Digest),
    /// Longer or shorter than its descriptor says.
    Size {
        /// Which.
        digest: Digest,
        /// What the descriptor says.
        wanted: u64,
        /// What is there.
        found: u64,
    },
    /// Something else than its name says.
    Damaged(Digest),
    /// A manifest that cannot be read.
    Manifest {
        /// Which.
        digest: Digest,
        /// What is wrong with it.
        why: String,
    },
    /// An index some of whose manifests are not there.
    Hole {
        /// The index.
        index: Digest,
        /// The platforms that are there.
        present: Vec<String>,
        /// What is not: a platform, or what else it is, and its digest.
        missing: Vec<(String, Digest)>,
    },
}

/// A manifest on the way, its bytes beside it.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// Its descriptor.
    pub(crate) descriptor: Descriptor,
    /// Its bytes.
    pub(crate) bytes: Vec<u8>,
    /// What it says.
    pub(crate) manifest: Manifest,
}

/// Everything that an entry leads to.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    /// Manifests, each behind those it leads to: the entry's own is the last.
    pub(crate) manifests: Vec<Node>,
    /// Configs, layers and other blobs, with the sizes that descriptors give.
    pub(crate) blobs: BTreeMap<Digest, u64>,
    /// What is wrong with manifests.
    pub(crate) faults: BTreeSet<Fault>,
}

impl Contents {
    /// The entry's own manifest, where it can be read.
    pub(crate) fn root(&self) -> Option<&Node> {
        self.manifests.last()
    }
}

impl Bundle {
    /// Which of the two has a blob.
    pub(crate) fn holder(&self, digest: &Digest) -> Option<&Layout> {
        let has = |layout: &&Layout| layout.size(digest).is_some();
        Some(&self.layout)
            .filter(has)
            .or_else(|| self.base.as_ref().filter(has))
    }

    /// Opens a blob in whichever has it.
    pub(crate) fn open(&self, digest: &Digest) -> Result<Box<dyn Read>, Error> {
        self.holder(digest).unwrap_or(&self.layout).blob(digest)
    }

    /// Everything that an entry leads to; manifests are verified, blobs are not.
    pub(crate) fn contents(&self, entry: &Entry) -> Result<Contents, Error> {
        let mut contents = Contents::default();
        let mut seen = BTreeSet::new();
        self.follow(&entry.descriptor, &mut contents, &mut seen, 0)?;
        Ok(contents)
    }

    fn follow(
        &self,
        descriptor: &Descriptor,
        contents: &mut Contents,
        seen: &mut BTreeSet<Digest>,
        depth: usize,
    ) -> Result<(), Error> {
        let digest = &descriptor.digest;
        if !seen.insert(digest.clone()) {
            return Ok(());
        }
        let Some(holder) = self.holder(digest) else {
            contents.faults.insert(Fault::Missing(digest.clone()));
            return Ok(());
        };
        let found = holder.size(digest).unwrap_or_default();
        if found != descriptor.size {
            contents.faults.insert(Fault::Size {
                digest: digest.clone(),
                wanted: descriptor.size,
                found,
            });
            return Ok(());
        }
        let bytes = match holder.manifest_bytes(descriptor) {
            Err(Error::Manifest { why, .. }) => {
                let digest = digest.clone();
                contents.faults.insert(Fault::Manifest { digest, why });
                return Ok(());
            }
            other => other?,
        };
        if !digest.fits(&bytes) {
            contents.faults.insert(Fault::Damaged(digest.clone()));
            return Ok(());
        }
        let read = Manifest::read(&bytes, &descriptor.media_type);
        let manifest = match read {
            Ok(manifest) if depth < DEPTH => manifest,
            Ok(_) => {
                let why = "its indexes hold indexes without end".to_owned();
                let digest = digest.clone();
                contents.faults.insert(Fault::Manifest { digest, why });
                return Ok(());
            }
            Err(why) => {
                let digest = digest.clone();
                contents.faults.insert(Fault::Manifest { digest, why });
                return Ok(());
            }
        };
        let there = |child: &&Descriptor| self.holder(&child.digest).is_some();
        let (present, missing): (Vec<_>, Vec<_>) = manifest.manifests.iter().partition(there);
        if !missing.is_empty() {
            contents.faults.insert(Fault::Hole {
                index: digest.clone(),
                present: present.iter().map(|child| what(child)).collect(),
                missing: missing
                    .iter()
                    .map(|child| (what(child), child.digest.clone()))
                    .collect(),
            });
        }
        for child in present {
            self.follow(child, contents, seen, depth + 1)?;
        }
        for blob in manifest.blobs() {
            contents.blobs.insert(blob.digest.clone(), blob.size);
        }
        contents.manifests.push(Node {
            descriptor: descriptor.clone(),
            bytes,
            manifest,
        });
        Ok(())
    }

    /// Verifies everything: each fault with the places in `index.json` of the entries that it
    /// belongs to.
    ///
    /// # Errors
    ///
    /// Where the system cannot read what is there.
    pub(crate) fn verify(&self) -> Result<BTreeMap<Fault, Vec<usize>>, Error> {
        let mut faults: BTreeMap<Fault, Vec<usize>> = BTreeMap::new();
        let mut blobs: BTreeMap<(Digest, u64), Vec<usize>> = BTreeMap::new();
        for (at, entry) in self.layout.entries.iter().enumerate() {
            let contents = self.contents(entry)?;
            for fault in contents.faults {
                faults.entry(fault).or_default().push(at);
            }
            for blob in contents.blobs {
                blobs.entry(blob).or_default().push(at);
            }
        }
        let blobs: Vec<_> = blobs.into_iter().collect();
        let checked = each(&blobs, |((digest, size), _)| self.check(digest, *size));
        for ((_, owners), fault) in blobs.into_iter().zip(checked) {
            if let Some(fault) = fault? {
                faults.entry(fault).or_default().extend(owners);
            }
        }
        Ok(faults)
    }

    /// What is wrong with a blob: its size is looked at before it is hashed.
    fn check(&self, digest: &Digest, wanted: u64) -> Result<Option<Fault>, Error> {
        let digest = digest.clone();
        let Some(holder) = self.holder(&digest) else {
            return Ok(Some(Fault::Missing(digest)));
        };
        let found = holder.size(&digest).unwrap_or_default();
        if found != wanted {
            return Ok(Some(Fault::Size {
                digest,
                wanted,
                found,
            }));
        }
        let mut hasher = digest.hasher();
        let read = hasher.drain(&mut *holder.blob(&digest)?);
        read.map_err(|why| Error::read(&holder.path().join(digest.path()), why))?;
        Ok((hasher.finish() != digest).then_some(Fault::Damaged(digest)))
    }
}

/// What a manifest of an index is, for people.
fn what(child: &Descriptor) -> String {
    match &child.platform {
        Some(platform) => platform
            .shown()
            .unwrap_or_else(|| "an attestation".to_owned()),
        None => "a manifest".to_owned(),
    }
}

/// An entry, as `bundle list` shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Listed {
    /// Its name.
    pub(crate) name: Option<String>,
    /// Its digest.
    pub(crate) digest: Digest,
    /// Its media type.
    pub(crate) media_type: String,
    /// What it is.
    pub(crate) kind: Type,
    /// Its platforms.
    pub(crate) platforms: Vec<String>,
    /// The bytes of everything that it leads to.
    pub(crate) size: u64,
}

impl Bundle {
    /// Every entry, in the order of `index.json`.
    ///
    /// # Errors
    ///
    /// Where the system cannot read what is there. What is missing or damaged is `verify`'s to
    /// tell.
    pub(crate) fn list(&self) -> Result<Vec<Listed>, Error> {
        self.layout
            .entries
            .iter()
            .map(|entry| self.listed(entry))
            .collect()
    }

    fn listed(&self, entry: &Entry) -> Result<Listed, Error> {
        let contents = self.contents(entry)?;
        let root = contents
            .root()
            .filter(|root| root.descriptor.digest == entry.descriptor.digest);
        let kind = root.map_or(Type::Other, |root| root.manifest.kind());
        let platforms = match (kind, root) {
            (Type::Index, Some(root)) => platforms(&root.manifest),
            (Type::Image, Some(root)) => self.platform_of(&root.manifest).into_iter().collect(),
            _ => Vec::new(),
        };
        let manifests = contents.manifests.iter().map(|node| node.descriptor.size);
        Ok(Listed {
            name: entry.name().map(str::to_owned),
            digest: entry.descriptor.digest.clone(),
            media_type: match root {
                Some(root) => root.manifest.media_type.clone(),
                None => entry.descriptor.media_type.clone(),
            },
            kind,
            platforms,
            size: manifests.sum::<u64>() + contents.blobs.values().sum::<u64>(),
        })
    }

    /// The platform that the config of an image names.
    fn platform_of(&self, image: &Manifest) -> Option<String> {
        let config = image.config.as_ref()?;
        let bytes = self.holder(&config.digest)?.manifest_bytes(config).ok()?;
        let platform: super::manifest::Platform = serde_json::from_slice(&bytes).ok()?;
        platform.shown()
    }
}
