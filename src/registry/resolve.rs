//! What tags and ranges stand for, as registries say it.

use std::collections::BTreeMap;

use super::client::{Client, Place};
use super::digest::Digest;
use super::error::Error;
use super::parallel::each;
use crate::model::reference::Reference;
use crate::resolve::inventory::{Named, OpenVersion};

/// The digest that each reference stands for; the one that a reference names is taken for it.
///
/// # Errors
///
/// For each reference on its own: where the registry does not have it, or gives no answer.
pub(crate) fn digests(
    client: &Client,
    references: impl Iterator<Item = Reference>,
) -> BTreeMap<Reference, Result<Digest, Error>> {
    let references: Vec<Reference> = references.collect();
    let done = each(&references, |reference| {
        let named = reference.digest.as_deref().and_then(Digest::parse);
        if let Some(digest) = named {
            return Ok(digest);
        }
        let found = client.has_manifest(&Place::of(reference), reference.asked())?;
        found.ok_or_else(|| Error::NotFound {
            what: reference.to_string(),
            message: String::new(),
        })
    });
    references.into_iter().zip(done).collect()
}

/// The artifact that each range stands for.
///
/// # Errors
///
/// For each on its own: where the registry lists no tag that fits, or gives no answer.
pub(crate) fn versions(client: &Client, open: &[OpenVersion]) -> Vec<Result<Named, Error>> {
    each(open, |one| {
        let tag = version(client, one, None)?;
        tag.map(|tag| one.under(&tag)).ok_or_else(|| none_fits(one))
    })
}

/// The tag that a range stands for, at its own place or at another one; `None` where none fits.
pub(super) fn version(
    client: &Client,
    open: &OpenVersion,
    elsewhere: Option<&Place>,
) -> Result<Option<String>, Error> {
    let fault = |why: String| Error::Version {
        what: open.address.clone(),
        why,
    };
    let own = Reference::parse(&open.address).map_err(|why| fault(why.to_string()))?;
    let own = Place::of(&own);
    let tags = client.tags(elsewhere.unwrap_or(&own))?.unwrap_or_default();
    let found = open.of(tags.iter().map(String::as_str)).map_err(fault)?;
    Ok(found.map(str::to_owned))
}

/// No tag is in the range.
fn none_fits(open: &OpenVersion) -> Error {
    Error::Version {
        what: open.address.clone(),
        why: format!("no tag fits `{}`", open.range),
    }
}
