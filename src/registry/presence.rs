//! Whether images are where they will be pulled from: the proof of an air gap.

use std::collections::BTreeMap;

use super::client::{Client, Place};
use super::contents::Bundle;
use super::error::Error;
use super::layout::Entry;
use super::parallel::each;
use super::push::Target;
use crate::model::reference::Reference;

/// Under which names a bundle is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Names {
    /// The names that entries are pulled under: nodes behind mirrors ask for those.
    Original,
    /// The names that a push gives them.
    Rewritten,
    /// Either.
    Any,
}

/// Whether a bundle holds each of these references.
pub(crate) fn in_bundle(bundle: &Bundle, references: &[Reference], names: Names) -> Vec<bool> {
    let mut known: BTreeMap<String, Vec<&Entry>> = BTreeMap::new();
    for entry in &bundle.layout.entries {
        let mut of = Vec::new();
        if names != Names::Rewritten {
            of.extend(entry.name());
        }
        if names != Names::Original {
            of.extend(entry.rewritten());
        }
        for name in of {
            if let Ok(reference) = Reference::parse(name) {
                known.entry(reference.name()).or_default().push(entry);
            }
        }
    }
    let found = |wanted: &Reference| {
        let entries = known.get(&wanted.name());
        let tag = wanted.clone().with_default_tag().tag;
        entries.into_iter().flatten().any(|entry| {
            if let Some(digest) = &wanted.digest {
                // A kubelet asks by digest alone where there is one.
                return entry.descriptor.digest.as_str() == digest;
            }
            let both = entry.name().into_iter().chain(entry.rewritten());
            both.filter_map(|name| Reference::parse(name).ok())
                .any(|has| has.name() == wanted.name() && has.with_default_tag().tag == tag)
        })
    };
    references.iter().map(found).collect()
}

/// Whether a registry has each of these references. With a target every reference is looked for
/// there, else where it says itself.
///
/// # Errors
///
/// For each reference on its own: where the registry gives no answer.
#[allow(dead_code, reason = "`images --in oci://HOST` is what asks")]
pub(crate) fn in_registry(
    client: &Client,
    references: &[Reference],
    target: Option<&Target>,
) -> Vec<Result<bool, Error>> {
    each(references, |reference| {
        let there = target.map_or_else(|| reference.clone(), |target| target.of(reference));
        let place = Place {
            host: there.host.clone(),
            repository: there.repository.clone(),
        };
        Ok(client.has_manifest(&place, there.asked())?.is_some())
    })
}
