//! From references to a bundle: what is fetched, and which entry each makes.
//!
//! Not here: where it is kept ([`super::store`]) and which references there are (the caller's).

use std::collections::{BTreeMap, BTreeSet};

use super::client::{Client, Fetched, Place};
use super::digest::Digest;
use super::error::Error;
use super::layout::{Entry, IMAGE_NAME, OF_INDEX, REF_NAME, REWRITTEN, SPARSE};
use super::manifest::{Descriptor, Manifest, Platform};
use super::parallel::each;
use super::resolve::versions;
use super::signatures::{self, Subject};
use super::store::Store;
use crate::finding::{Finding, Level};
use crate::model::reference::Reference;
use crate::resolve::inventory::OpenVersion;
use crate::resolve::inventory::asked::{Asked, asked};

/// How deep indexes may hold indexes.
const DEPTH: usize = 4;

/// One reference that a bundle is to hold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Item {
    /// The name of its entry, as written.
    pub(crate) name: String,
    /// What is pulled for it.
    pub(crate) pull: Reference,
    /// The names that it is pushed under.
    pub(crate) rewritten: BTreeSet<String>,
}

/// The rule of images that are not where they must be; also of texts that name none.
pub(crate) const MISSING: &str = "image-missing";

/// What a bundle is to hold for these images: pulled is the original name with the tag and digest
/// of the rewritten one, or the rewritten name. What is no reference is a finding.
pub(crate) fn items(asked: &[Asked], pull_rewritten: bool) -> (Vec<Item>, Vec<Finding>) {
    let (mut items, mut findings) = (Vec::new(), Vec::new());
    for image in asked {
        let name = if pull_rewritten {
            image.rewritten.clone()
        } else {
            image.pulled()
        };
        match (Reference::parse(&name), Reference::parse(&image.rewritten)) {
            (Ok(pull), Ok(_)) => items.push(Item {
                name: name.trim_start_matches("oci://").to_owned(),
                pull,
                rewritten: [image.rewritten.trim_start_matches("oci://").to_owned()].into(),
            }),
            (Err(why), _) | (_, Err(why)) => {
                let place = image.place.clone();
                findings.push(Finding::new(MISSING, Level::Error, place, why.to_string()));
            }
        }
    }
    (items, findings)
}

/// What is wanted beside the references.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wishes {
    /// One platform instead of all.
    pub(crate) platform: Option<String>,
    /// Whether indexes are kept with holes.
    pub(crate) sparse: bool,
    /// Whether signatures and what else refers to an image come along.
    pub(crate) signatures: bool,
}

/// What came of it.
#[derive(Debug, Default)]
pub(crate) struct Created {
    /// The digest of the bundle; `None` where something failed and there is none.
    pub(crate) digest: Option<Digest>,
    /// How many entries it has.
    pub(crate) entries: usize,
    /// How many blobs, manifests among them.
    pub(crate) blobs: usize,
    /// How many bytes were fetched.
    pub(crate) fetched: u64,
    /// What is worth a word.
    pub(crate) notes: Vec<String>,
    /// What failed, by the name of the entry.
    pub(crate) failures: Vec<(String, Error)>,
}

/// An entry, and what it leads to.
struct Resolved {
    name: String,
    entry: Entry,
    place: Place,
    manifests: BTreeSet<Digest>,
    blobs: BTreeMap<Digest, u64>,
    note: Option<String>,
}

/// Fetches everything, the artifacts that ranges of versions stand for among it, and puts the bundle
/// under its name; where something fails, all failures are
/// listed and what was fetched is kept for the next run.
///
/// # Errors
///
/// Where the bundle cannot be written at all. What fails for one reference is in the result.
pub(crate) fn create(
    client: &Client,
    store: Store,
    items: Vec<Item>,
    open: &[OpenVersion],
    wishes: &Wishes,
) -> Result<Created, Error> {
    let mut created = Created::default();
    let mut all = items;
    for (one, found) in open.iter().zip(versions(client, open)) {
        match found {
            Ok(named) => all.extend(self::items(&asked(&[named], None), false).0),
            Err(error) => created.failures.push((one.address.clone(), error)),
        }
    }
    let mut resolved = BTreeMap::new();
    let work = Work {
        client,
        store: &store,
        wishes,
    };
    let mut todo: BTreeMap<String, Item> = BTreeMap::new();
    for item in all {
        let same = todo.entry(item.name.clone());
        let same = same.or_insert_with(|| item.clone());
        same.rewritten.extend(item.rewritten);
    }
    // Signatures have signatures of their own, but not without end.
    for round in 0..DEPTH {
        let items: Vec<Item> = std::mem::take(&mut todo).into_values().collect();
        let done = each(&items, |item| work.resolve(item));
        let mut new = Vec::new();
        for (item, done) in items.into_iter().zip(done) {
            match done {
                Ok(found) => new.push((item, found)),
                Err(error) => created.failures.push((item.name, error)),
            }
        }
        if wishes.signatures && round + 1 < DEPTH {
            match signatures::find(client, &new_subjects(&new)) {
                Ok(found) => todo.extend(found),
                Err(error) => created.failures.push(("signatures".to_owned(), error)),
            }
        }
        resolved.extend(new.into_iter().map(|(item, found)| (item.name, found)));
        todo.retain(|name, _| !resolved.contains_key(name));
        if todo.is_empty() {
            break;
        }
    }
    let (blobs, fetched) = work.blobs(&resolved, &mut created.failures);
    created.fetched = fetched;
    created.notes = resolved
        .values()
        .filter_map(|found| found.note.clone())
        .collect();
    if !created.failures.is_empty() {
        return Ok(created);
    }
    let entries: Vec<Entry> = resolved.into_values().map(|found| found.entry).collect();
    created.entries = entries.len();
    created.blobs = blobs.len();
    created.digest = Some(store.finish(&entries, &blobs)?);
    Ok(created)
}

/// What may have signatures: each item with its place and every manifest it leads to.
fn new_subjects(new: &[(Item, Resolved)]) -> Vec<Subject<'_>> {
    new.iter()
        .map(|(item, found)| Subject {
            item,
            place: &found.place,
            digests: &found.manifests,
        })
        .collect()
}

struct Work<'w> {
    client: &'w Client,
    store: &'w Store,
    wishes: &'w Wishes,
}

impl Work<'_> {
    /// Finds what a reference means and keeps its manifests.
    fn resolve(&self, item: &Item) -> Result<Resolved, Error> {
        let place = Place::of(&item.pull);
        let root = match &item.pull.digest {
            Some(digest) => self.manifest(&place, digest)?,
            None => match self.client.resolve(&place, item.pull.asked())? {
                Some(digest) => self.manifest(&place, digest.as_str())?,
                None => self.kept(self.client.manifest(&place, item.pull.asked())?)?,
            },
        };
        let mut found = Resolved {
            name: item.name.clone(),
            entry: Entry {
                descriptor: described(&root),
                annotations: BTreeMap::new(),
            },
            place,
            manifests: BTreeSet::new(),
            blobs: BTreeMap::new(),
            note: None,
        };
        let annotations = &mut found.entry.annotations;
        annotations.insert(REF_NAME.to_owned(), item.name.clone());
        annotations.insert(IMAGE_NAME.to_owned(), canonical(&item.name));
        let rewritten: Vec<&str> = item.rewritten.iter().map(String::as_str).collect();
        if rewritten != [item.name.as_str()] && !rewritten.is_empty() {
            annotations.insert(REWRITTEN.to_owned(), rewritten.join(" "));
        }
        match self
            .wishes
            .platform
            .as_deref()
            .filter(|_| root.manifest.index)
        {
            Some(platform) => self.one_platform(item, &root, platform, &mut found)?,
            None => self.whole(&root, &mut found, 0)?,
        }
        Ok(found)
    }

    /// Follows a manifest to everything it leads to.
    fn whole(&self, root: &Fetched, found: &mut Resolved, depth: usize) -> Result<(), Error> {
        found.manifests.insert(root.digest.clone());
        for blob in root.manifest.blobs() {
            found.blobs.insert(blob.digest.clone(), blob.size);
        }
        if depth >= DEPTH && root.manifest.index {
            return Err(Error::Manifest {
                what: root.digest.to_string(),
                why: "its indexes hold indexes without end".to_owned(),
            });
        }
        for child in &root.manifest.manifests {
            if !found.manifests.contains(&child.digest) {
                let child = self.child(&found.place, child)?;
                self.whole(&child, found, depth + 1)?;
            }
        }
        Ok(())
    }

    /// Takes one platform out of an index.
    fn one_platform(
        &self,
        item: &Item,
        root: &Fetched,
        platform: &str,
        found: &mut Resolved,
    ) -> Result<(), Error> {
        let fault = |why: String| Error::Manifest {
            what: item.name.clone(),
            why,
        };
        let of = |child: &&Descriptor| child.platform.as_ref().is_some_and(|it| it.is(platform));
        let mut children = root.manifest.manifests.iter().filter(of);
        let Some(child) = children.next() else {
            let has: Vec<String> = platforms(&root.manifest);
            return Err(fault(format!(
                "it has no `{platform}`, only {}",
                has.join(", ")
            )));
        };
        if let Some(other) = children.next() {
            let shown = |child: &Descriptor| child.platform.as_ref().and_then(Platform::shown);
            let two = [shown(child), shown(other)].map(Option::unwrap_or_default);
            return Err(fault(format!("`{platform}` is {} and {}", two[0], two[1])));
        }
        let pinned = item.pull.digest.as_deref() == Some(root.digest.as_str());
        if !self.wishes.sparse && pinned {
            return Err(fault(
                "it is pinned to the digest of an index, which one platform alone does not have; \
                 bundle all platforms, or keep the index with holes with `--sparse`"
                    .to_owned(),
            ));
        }
        let child = self.child(&found.place, child)?;
        self.whole(&child, found, 1)?;
        let annotations = &mut found.entry.annotations;
        if self.wishes.sparse {
            annotations.insert(SPARSE.to_owned(), platform.to_owned());
            found.manifests.insert(root.digest.clone());
            found.note = Some(format!(
                "`{}` keeps its index, but of its platforms only {platform}: some registries will \
                 refuse it",
                item.name
            ));
        } else {
            annotations.insert(OF_INDEX.to_owned(), root.digest.to_string());
            found.entry.descriptor = described(&child);
            found.note = Some(format!(
                "`{}` is {platform} only: {} instead of the index {}",
                item.name, child.digest, root.digest
            ));
        }
        Ok(())
    }

    fn child(&self, place: &Place, child: &Descriptor) -> Result<Fetched, Error> {
        let fetched = self.manifest(place, child.digest.as_str())?;
        let found = fetched.bytes.len() as u64;
        if found != child.size {
            return Err(Error::Size {
                what: place.with(child.digest.as_str()),
                wanted: child.size,
                found: found.to_string(),
            });
        }
        Ok(fetched)
    }

    /// A manifest by digest, out of what is kept or from the registry.
    fn manifest(&self, place: &Place, asked: &str) -> Result<Fetched, Error> {
        if let Some(digest) = Digest::parse(asked)
            && self.store.has(&digest)?
        {
            let bytes = self.store.read(&digest)?;
            let what = place.with(asked);
            let manifest =
                Manifest::read(&bytes, "").map_err(|why| Error::Manifest { what, why })?;
            return Ok(Fetched {
                digest,
                bytes,
                manifest,
            });
        }
        self.kept(self.client.manifest(place, asked)?)
    }

    fn kept(&self, fetched: Fetched) -> Result<Fetched, Error> {
        self.store.put(&fetched.digest, &fetched.bytes)?;
        Ok(fetched)
    }

    /// Fetches every blob that is not kept already; gives all digests of the bundle, and how many
    /// bytes came.
    fn blobs(
        &self,
        resolved: &BTreeMap<String, Resolved>,
        failures: &mut Vec<(String, Error)>,
    ) -> (BTreeSet<Digest>, u64) {
        let mut all: BTreeSet<Digest> = BTreeSet::new();
        let mut wanted: BTreeMap<(&Digest, u64), Vec<&Resolved>> = BTreeMap::new();
        for found in resolved.values() {
            all.extend(found.manifests.iter().cloned());
            for (digest, size) in &found.blobs {
                if !self.store.in_base(digest, *size) {
                    wanted.entry((digest, *size)).or_default().push(found);
                }
            }
        }
        all.extend(wanted.keys().map(|(digest, _)| (*digest).clone()));
        let jobs: Vec<_> = wanted.into_iter().collect();
        let bytes = jobs.iter().map(|((_, size), _)| size).sum();
        self.client.settings().tell(|watch| watch.expects(bytes));
        let done = each(&jobs, |((digest, size), owners)| {
            self.blob(&owners[0].place, digest, *size)
        });
        let mut fetched = 0;
        for ((_, owners), done) in jobs.iter().zip(done) {
            match done {
                Ok(bytes) => fetched += bytes,
                Err(error) => failures.push((owners[0].name.clone(), error)),
            }
        }
        (all, fetched)
    }

    /// Fetches a blob; gives how many bytes came.
    fn blob(&self, place: &Place, digest: &Digest, size: u64) -> Result<u64, Error> {
        if self.store.has(digest)? {
            self.client.settings().tell(|watch| watch.passed(size));
            return Ok(0);
        }
        let mut part = self.store.sink(digest)?;
        let so_far = part.so_far(digest)?;
        let had = so_far.0.min(size);
        self.client.settings().tell(|watch| watch.passed(had));
        self.client.blob(place, digest, size, &mut part, so_far)?;
        self.store.keep(digest, part)?;
        Ok(size - had)
    }
}

fn described(fetched: &Fetched) -> Descriptor {
    Descriptor {
        media_type: fetched.manifest.media_type.clone(),
        digest: fetched.digest.clone(),
        size: fetched.bytes.len() as u64,
        platform: None,
    }
}

/// The platforms of an index; attestations are none.
pub(crate) fn platforms(index: &Manifest) -> Vec<String> {
    let shown = |child: &Descriptor| child.platform.as_ref().and_then(Platform::shown);
    let found: BTreeSet<String> = index.manifests.iter().filter_map(shown).collect();
    found.into_iter().collect()
}

/// A name as containerd knows it; what is no reference stays as it is.
fn canonical(name: &str) -> String {
    Reference::parse(name).map_or_else(
        |_| name.to_owned(),
        |reference| reference.with_default_tag().to_string(),
    )
}
