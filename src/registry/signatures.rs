//! What travels with an image: signatures, attestations, lists of parts, and whatever refers to it.
//!
//! Cosign's tags `sha256-<hex>.sig|.att|.sbom` are found in the list of tags, one request a
//! repository; referrers by the API of distribution-spec 1.1, or by the tag `sha256-<hex>` where a
//! registry has none.

use std::collections::{BTreeMap, BTreeSet};

use super::client::{Client, Place};
use super::create::Item;
use super::digest::Digest;
use super::error::Error;
use super::manifest::Manifest;
use super::parallel::each;
use crate::model::reference::Reference;

/// The ends of cosign's tags.
const ENDS: [&str; 3] = [".sig", ".att", ".sbom"];

/// What may have been signed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject<'s> {
    /// The item that leads to it.
    pub(super) item: &'s Item,
    /// Where it was pulled.
    pub(super) place: &'s Place,
    /// Its manifests.
    pub(super) digests: &'s BTreeSet<Digest>,
}

/// Whether a tag belongs to a digest by one of the tag schemes.
pub(crate) fn is_of_scheme(tag: &str) -> bool {
    let bare = ENDS
        .iter()
        .find_map(|end| tag.strip_suffix(end))
        .unwrap_or(tag);
    bare.strip_prefix("sha256-")
        .is_some_and(|hex| Digest::parse(&format!("sha256:{hex}")).is_some())
}

/// The items for everything that belongs to the subjects, by name.
///
/// # Errors
///
/// Where a registry is asked and does not answer. One that does not list its tags has none.
pub(super) fn find(
    client: &Client,
    subjects: &[Subject<'_>],
) -> Result<BTreeMap<String, Item>, Error> {
    let places: BTreeSet<&Place> = subjects.iter().map(|subject| subject.place).collect();
    let places: Vec<&Place> = places.into_iter().collect();
    let tags = each(&places, |place| client.tags(place));
    let mut tags_of = BTreeMap::new();
    for (place, tags) in places.iter().zip(tags) {
        tags_of.insert(*place, tags?);
    }
    let asked: Vec<(Subject<'_>, &Digest)> = subjects
        .iter()
        .flat_map(|subject| subject.digests.iter().map(|digest| (*subject, digest)))
        .collect();
    let answers = each(&asked, |(subject, digest)| {
        let tags = tags_of.get(subject.place).and_then(Option::as_ref);
        referrers(client, subject.place, digest, tags)
    });
    let mut found: BTreeMap<String, Item> = BTreeMap::new();
    for ((subject, digest), index) in asked.iter().zip(answers) {
        let refers = index?.into_iter().flat_map(|index| index.manifests);
        for child in refers {
            add(&mut found, subject, None, Some(&child.digest));
        }
        let tag = digest.as_tag();
        for end in ENDS {
            let name = format!("{tag}{end}");
            let listed = match tags_of.get(subject.place).and_then(Option::as_ref) {
                Some(tags) => tags.contains(&name),
                // What does not list its tags is asked for each.
                None => client.has_manifest(subject.place, &name)?.is_some(),
            };
            if listed {
                add(&mut found, subject, Some(&name), None);
            }
        }
    }
    Ok(found)
}

fn referrers(
    client: &Client,
    place: &Place,
    digest: &Digest,
    tags: Option<&BTreeSet<String>>,
) -> Result<Option<Manifest>, Error> {
    if let Some(index) = client.referrers(place, digest)? {
        return Ok(Some(index));
    }
    let tag = digest.as_tag();
    if tags.is_some_and(|tags| !tags.contains(&tag)) {
        return Ok(None);
    }
    match client.manifest(place, &tag) {
        Ok(fetched) => Ok(Some(fetched.manifest).filter(|manifest| manifest.index)),
        Err(Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Adds what stands beside a subject, under each of the names that the subject has.
fn add(
    found: &mut BTreeMap<String, Item>,
    subject: &Subject<'_>,
    tag: Option<&str>,
    digest: Option<&Digest>,
) {
    let beside = |reference: &Reference| Reference {
        host: reference.host.clone(),
        repository: reference.repository.clone(),
        tag: tag.map(str::to_owned),
        digest: digest.map(Digest::to_string),
    };
    let pull = beside(&subject.item.pull);
    let name = match Reference::parse(&subject.item.name) {
        Ok(reference) => beside(&reference).to_string(),
        Err(_) => pull.to_string(),
    };
    let rewritten = subject.item.rewritten.iter();
    let rewritten: BTreeSet<String> = rewritten
        .filter_map(|name| Some(beside(&Reference::parse(name).ok()?).to_string()))
        .collect();
    let item = found.entry(name.clone()).or_insert_with(|| Item {
        name,
        pull,
        rewritten: BTreeSet::new(),
    });
    item.rewritten.extend(rewritten);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_of_the_schemes_are_known() {
        let hex = "a1".repeat(32);
        for tag in [
            format!("sha256-{hex}"),
            format!("sha256-{hex}.sig"),
            format!("sha256-{hex}.sbom"),
        ] {
            assert!(is_of_scheme(&tag), "{tag}");
        }
        for tag in ["v1.sig", "sha256-12.sig", "latest"] {
            assert!(!is_of_scheme(tag), "{tag}");
        }
    }
}
