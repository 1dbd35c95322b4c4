//! `images --in` and `images --resolve`: whether a bundle or a registry has each image, and what its
//! tags and ranges stand for.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::ensure;

use super::bundle::{client, open, progress, target};
use super::console::{self, Console};
use super::inventory::Inventory;
use super::proof::NameKind;
use super::{Exit, Global};
use crate::finding::Finding;
use crate::model::reference::Reference;
use crate::registry::error::Error;
use crate::registry::presence::{Names, Proof, elsewhere, in_bundle, in_registry};
use crate::registry::resolve::{digests, versions};
use crate::resolve::inventory::Accepted;
use crate::resolve::inventory::asked::{Asked, Wanted, counts};

/// What was proved, and what could not be.
pub(super) struct Proved {
    findings: Vec<Finding>,
    /// How many were, in a few words.
    summary: String,
    /// What a registry gave no answer to, by reference.
    failures: Vec<(String, Error)>,
}

/// Looks for images in a bundle, which may build on `base`, or in a registry named `oci://HOST`.
pub(super) fn prove(
    place: &str,
    base: Option<&PathBuf>,
    wanted: &Wanted,
    names: NameKind,
    global: &Global,
    console: &Console,
) -> anyhow::Result<Proved> {
    if !place.starts_with("oci://") {
        let bundle = open(Path::new(place), base)?;
        let proof = in_bundle(&bundle, wanted, names.into());
        return Ok(Proved::of(proof, wanted, place, ""));
    }
    ensure!(
        base.is_none(),
        "`--base` is for bundles, and `{place}` is a registry"
    );
    let target = target(place)?;
    let watch = progress::watch(console);
    let client = client(global, watch.clone())?;
    let proof = in_registry(&client, wanted, names.into(), &target);
    let requests = format!(", told by {} requests", client.requests());
    // The bar goes before anything is printed for good.
    drop((client, watch));
    let others = elsewhere(wanted, &target);
    if names == NameKind::Rewritten && !others.is_empty() {
        let others: Vec<String> = others.iter().map(|host| format!("`{host}`")).collect();
        console.note(&format!(
            "images that come from {} in the end were looked for in `{place}` as well: nodes find \
             them there by mirrors alone, and `--allowed {}` names each",
            others.join(", "),
            target.host
        ));
    }
    Ok(Proved::of(proof, wanted, place, &requests))
}

impl Proved {
    fn of(proof: Proof, wanted: &Wanted, place: &str, by: &str) -> Proved {
        let count = wanted.asked.len() + wanted.open.len();
        let there = count - proof.findings.len() - proof.failures.len();
        let images = if count == 1 { "image" } else { "images" };
        Proved {
            summary: format!("{there} of {count} {images} in `{place}`{by}"),
            findings: proof.findings,
            failures: proof.failures,
        }
    }

    /// Every image that would not be found.
    pub(super) fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Says what came of it, and how the run ends for it.
    pub(super) fn tell(self, exit: Exit, console: &Console) -> Exit {
        console.note(&self.summary);
        if self.failures.is_empty() {
            return exit;
        }
        for (name, error) in self.failures {
            let error = anyhow::Error::new(error);
            console::error(&error.context(format!("cannot look for `{name}`")));
        }
        Exit::Trouble
    }
}

impl From<NameKind> for Names {
    fn from(kind: NameKind) -> Names {
        match kind {
            NameKind::Original => Names::Original,
            NameKind::Rewritten => Names::Rewritten,
        }
    }
}

/// What registries gave no answer to, by reference.
#[derive(Default)]
pub(super) struct Unresolved(Vec<(String, Error)>);

/// Has registries say what tags and ranges stand for: ranges become artifacts of the list, and each
/// image that is asked for gets its digest. Asked is for the original name with the new tag, or for the
/// rewritten one.
pub(super) fn resolve(
    inventory: &mut Inventory,
    possible: Option<&Accepted>,
    by: NameKind,
    global: &Global,
    console: &Console,
) -> anyhow::Result<Unresolved> {
    let watch = progress::watch(console);
    let client = client(global, watch.clone())?;
    let mut failures = Vec::new();
    let asked = std::mem::take(&mut inventory.open);
    let found = versions(&client, &asked);
    for (one, found) in asked.into_iter().zip(found) {
        match found {
            Ok(named) => inventory.named.push(named),
            Err(error) => {
                failures.push((one.address.clone(), error));
                inventory.open.push(one);
            }
        }
    }
    inventory.sort();
    let named = inventory.named.iter_mut();
    let counted = named.filter(|named| counts(named, possible));
    let mut wanted: Vec<_> = counted
        .filter_map(|named| Some((by.reference(&Asked::of(named))?, named)))
        .collect();
    let references: BTreeSet<Reference> = wanted.iter().map(|(it, _)| it.clone()).collect();
    let found = digests(&client, references.into_iter());
    for (reference, named) in &mut wanted {
        if let Some(Ok(digest)) = found.get(reference) {
            named.digest = Some(digest.to_string());
        }
    }
    for (reference, found) in found {
        if let Err(error) = found {
            failures.push((reference.to_string(), error));
        }
    }
    // The bar goes before anything is printed for good.
    drop((client, watch));
    Ok(Unresolved(failures))
}

impl NameKind {
    /// The reference that an image is asked for by; `None` where its text is none.
    pub(super) fn reference(self, asked: &Asked) -> Option<Reference> {
        let text = match self {
            NameKind::Original => asked.pulled(),
            NameKind::Rewritten => asked.rewritten.clone(),
        };
        Reference::parse(&text).ok()
    }
}

impl Unresolved {
    /// Says what stayed open, and how the run ends for it.
    pub(super) fn tell(self, exit: Exit) -> Exit {
        if self.0.is_empty() {
            return exit;
        }
        for (name, error) in self.0 {
            let error = anyhow::Error::new(error);
            console::error(&error.context(format!("cannot resolve `{name}`")));
        }
        Exit::Trouble
    }
}
