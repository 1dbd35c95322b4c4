//! From a bundle to registries: blobs, then manifests, children before indexes, then a look.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use super::client::{Client, Place};
use super::contents::{Bundle, Contents, Fault, Node};
use super::digest::Digest;
use super::error::Error;
use super::parallel::each;
use super::referrers;
use super::upload::Arrived;
use crate::model::reference::Reference;

/// Where a bundle goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    /// The registry.
    pub(crate) host: String,
    /// What stands before each repository there; may be empty.
    pub(crate) prefix: String,
}

impl Target {
    /// As it is typed.
    pub(crate) fn shown(&self) -> String {
        let slash = if self.prefix.is_empty() { "" } else { "/" };
        format!("oci://{}{slash}{}", self.host, self.prefix)
    }

    /// The reference that a name becomes there: its path stays, its host goes.
    pub(crate) fn of(&self, reference: &Reference) -> Reference {
        let repository = match self.prefix.as_str() {
            "" => reference.repository.clone(),
            prefix => format!("{prefix}/{}", reference.repository),
        };
        Reference {
            host: self.host.clone(),
            repository,
            ..reference.clone()
        }
    }
}

/// One entry on its way.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    /// Its place in `index.json`.
    pub(crate) entry: usize,
    /// Where it goes.
    pub(crate) to: Reference,
}

/// What came of it.
#[derive(Debug, Default)]
pub(crate) struct Pushed {
    /// What stands there now, and was asked for by digest.
    pub(crate) references: Vec<(Reference, Digest)>,
    /// How many blobs were sent, taken over, and there before.
    pub(crate) sent: usize,
    /// Taken over by the registry from another of its repositories.
    pub(crate) mounted: usize,
    /// There before.
    pub(crate) before: usize,
    /// What failed, by reference.
    pub(crate) failures: Vec<(String, Error)>,
}

/// Pushes; a digest-only reference also gets a tag where `keep_tags` says so.
///
/// # Errors
///
/// Where the bundle cannot be read. What a registry refuses is in the result.
pub(crate) fn push(
    client: &Client,
    bundle: &Bundle,
    jobs: &[Job],
    keep_tags: bool,
) -> Result<Pushed, Error> {
    let mut pushed = Pushed::default();
    let mut contents: BTreeMap<usize, Contents> = BTreeMap::new();
    for job in jobs {
        if let Entry::Vacant(place) = contents.entry(job.entry) {
            place.insert(bundle.contents(&bundle.layout.entries[job.entry])?);
        }
    }
    let mut failed = BTreeSet::new();
    for (at, job) in jobs.iter().enumerate() {
        let sparse = bundle.layout.entries[job.entry].sparse();
        let faults = &contents[&job.entry].faults;
        // An index with holes on purpose is for the registry to take or refuse.
        let hard = |fault: &&Fault| !(sparse && matches!(fault, Fault::Hole { .. }));
        if let Some(fault) = faults.iter().find(hard) {
            let path = bundle.layout.shown.clone();
            let why = format!("{} (see `forebay bundle verify`)", shown(fault));
            pushed
                .failures
                .push((job.to.to_string(), Error::Bundle { path, why }));
            failed.insert(at);
        }
    }
    blobs(client, bundle, jobs, &contents, &mut failed, &mut pushed);
    let ready: Vec<&Job> = jobs
        .iter()
        .enumerate()
        .filter(|(at, _)| !failed.contains(at))
        .map(|(_, job)| job)
        .collect();
    let done = each(&ready, |job| {
        manifests(client, &contents[&job.entry], &job.to, keep_tags)
    });
    let mut orphans: BTreeMap<(Place, Digest), Vec<Node>> = BTreeMap::new();
    for (job, done) in ready.iter().zip(done) {
        match done {
            Ok(outcome) => {
                for node in outcome.untracked {
                    let subject = node
                        .manifest
                        .subject
                        .clone()
                        .expect("it was untracked for it");
                    orphans
                        .entry((Place::of(&job.to), subject))
                        .or_default()
                        .push(node);
                }
                pushed.references.push((job.to.clone(), outcome.digest));
            }
            Err(error) => pushed.failures.push((job.to.to_string(), error)),
        }
    }
    for ((place, subject), nodes) in orphans {
        if let Err(error) = referrers::keep(client, &place, &subject, &nodes) {
            pushed.failures.push((place.with(&subject.as_tag()), error));
        }
    }
    Ok(pushed)
}

/// A blob that goes to one registry.
type Cargo = (String, Digest);

/// Its size, and the jobs that need it by the repository there.
type Docks = (u64, BTreeMap<String, Vec<usize>>);

/// Brings every blob to every repository: sent once to a registry, taken over from there.
fn blobs(
    client: &Client,
    bundle: &Bundle,
    jobs: &[Job],
    contents: &BTreeMap<usize, Contents>,
    failed: &mut BTreeSet<usize>,
    pushed: &mut Pushed,
) {
    let mut groups: BTreeMap<Cargo, Docks> = BTreeMap::new();
    for (at, job) in jobs
        .iter()
        .enumerate()
        .filter(|(at, _)| !failed.contains(at))
    {
        for (digest, size) in &contents[&job.entry].blobs {
            let key = (job.to.host.clone(), digest.clone());
            let (_, repositories) = groups.entry(key).or_insert((*size, BTreeMap::new()));
            repositories
                .entry(job.to.repository.clone())
                .or_default()
                .push(at);
        }
    }
    let mut groups: Vec<(Cargo, Docks)> = groups.into_iter().collect();
    let bytes = groups.iter().map(|(_, (size, _))| size).sum();
    client.settings().tell(|watch| watch.expects(bytes));
    // The longest first, so that no long one is left to the end alone.
    groups.sort_by_key(|(_, (size, _))| std::cmp::Reverse(*size));
    let done = each(&groups, |((host, digest), (size, repositories))| {
        let open = || bundle.open(digest);
        let mut results = Vec::new();
        let mut from: Option<&str> = None;
        for repository in repositories.keys() {
            let place = Place {
                host: host.clone(),
                repository: repository.clone(),
            };
            let arrived = client.push_blob(&place, (digest, *size), from, &open);
            if arrived.is_ok() {
                from = from.or(Some(repository));
            }
            results.push(arrived);
        }
        results
    });
    for ((_, (_, repositories)), results) in groups.iter().zip(done) {
        for (owners, arrived) in repositories.values().zip(results) {
            match arrived {
                Ok(Arrived::Sent) => pushed.sent += 1,
                Ok(Arrived::Mounted) => pushed.mounted += 1,
                Ok(Arrived::Before) => pushed.before += 1,
                Err(error) => {
                    failed.extend(owners);
                    let name = jobs[owners[0]].to.to_string();
                    pushed.failures.push((name, error));
                }
            }
        }
    }
}

/// What a registry was given.
struct Given {
    digest: Digest,
    /// Manifests with a subject that the registry does not keep track of.
    untracked: Vec<Node>,
}

/// Puts the manifests of one reference, and asks for it by digest at the end.
fn manifests(
    client: &Client,
    contents: &Contents,
    to: &Reference,
    keep_tags: bool,
) -> Result<Given, Error> {
    let place = Place::of(to);
    let root = contents.root().expect("what has no root has a fault");
    let digest = root.descriptor.digest.clone();
    let mut untracked = Vec::new();
    for node in &contents.manifests {
        let own = &node.descriptor.digest;
        let name = own.as_str();
        if *own != digest && client.has_manifest(&place, name)?.is_some() {
            continue;
        }
        let asked = match &to.tag {
            Some(tag) if *own == digest => tag,
            _ => name,
        };
        let media_type = &node.manifest.media_type;
        let tracked = client.put_manifest(&place, asked, media_type, &node.bytes)?;
        if node.manifest.subject.is_some() && !tracked {
            untracked.push(node.clone());
        }
    }
    if to.tag.is_none() && keep_tags {
        let tag = format!("forebay-{}", &digest.hex()[..12]);
        client.put_manifest(&place, &tag, &root.manifest.media_type, &root.bytes)?;
    }
    let asked = to.tag.as_deref().unwrap_or(digest.as_str());
    match client.has_manifest(&place, asked)? {
        Some(found) if found == digest => Ok(Given { digest, untracked }),
        Some(found) => Err(Error::Digest {
            what: to.to_string(),
            wanted: digest,
            found,
        }),
        None => Err(Error::NotFound {
            what: to.to_string(),
            message: " after it was pushed".to_owned(),
        }),
    }
}

/// A fault in a few words.
pub(crate) fn shown(fault: &Fault) -> String {
    match fault {
        Fault::Missing(digest) => format!("{digest} is not there"),
        Fault::Size {
            digest,
            wanted,
            found,
        } => {
            let how = if found < wanted { "shorter" } else { "longer" };
            format!("{digest} is {how} than its descriptor says: {found} bytes, expected {wanted}")
        }
        Fault::Damaged(digest) => format!("{digest} does not hash to its name"),
        Fault::Manifest { digest, why } => format!("{digest} cannot be used: {why}"),
        Fault::Hole {
            index,
            present,
            missing,
        } => {
            let gone = missing
                .iter()
                .map(|(what, digest)| format!("{what} ({digest})"));
            let gone: Vec<String> = gone.collect();
            let here = match present.len() {
                0 => "nothing".to_owned(),
                _ => present.join(", "),
            };
            format!("the index {index} has {here}, but not {}", gone.join(", "))
        }
    }
}
