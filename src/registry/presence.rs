//! Whether images are where they will be pulled from: the proof of an air gap.
//!
//! Not here: which images there are ([`crate::resolve::inventory`]), and whether the content of a
//! bundle is sound ([`super::contents`]).
//!
//! Source: `spec/bundle.md`, "The bundle"; a kubelet asks by digest alone where a reference has one.

use std::collections::{BTreeMap, BTreeSet};

use super::client::{Client, Place};
use super::contents::Bundle;
use super::create::MISSING;
use super::error::Error;
use super::layout::Entry;
use super::parallel::each;
use super::push::Target;
use super::resolve::version;
use crate::finding::{Finding, Level};
use crate::model::reference::{Reference, ReferenceError};
use crate::resolve::inventory::OpenVersion;
use crate::resolve::inventory::asked::{Asked, Wanted};

/// Under which names images are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Names {
    /// The names that entries are pulled under: nodes behind mirrors ask for those.
    Original,
    /// The names that a push gives them.
    Rewritten,
    /// Either.
    Any,
}

/// What a proof comes to.
#[derive(Debug, Default)]
pub(crate) struct Proof {
    /// Every image that would not be found.
    pub(crate) findings: Vec<Finding>,
    /// The repositories that images were looked for in.
    pub(crate) wanted: BTreeSet<String>,
    /// What gave no answer, by reference.
    pub(crate) failures: Vec<(String, Error)>,
}

impl Names {
    /// The references that one of has to be there.
    fn of(self, asked: &Asked) -> Result<Vec<Reference>, ReferenceError> {
        let mut texts = Vec::new();
        if self != Names::Original {
            texts.push(asked.rewritten.clone());
        }
        if self != Names::Rewritten {
            texts.push(asked.pulled());
        }
        texts.dedup();
        texts.iter().map(|text| Reference::parse(text)).collect()
    }
}

/// Looks for images in a bundle, by the names of its entries.
pub(crate) fn in_bundle(bundle: &Bundle, wanted: &Wanted, names: Names) -> Proof {
    let known = Known::of(bundle, names);
    let mut proof = Proof::default();
    for image in &wanted.asked {
        match names.of(image) {
            Ok(references) => {
                if !references.iter().any(|reference| known.has(reference)) {
                    let searched: Vec<String> =
                        references.iter().map(Reference::to_string).collect();
                    proof.absent(image, "the bundle", &searched);
                }
                let wanted = references.into_iter().map(|it| it.name());
                proof.wanted.extend(wanted);
            }
            Err(why) => proof.refuse(image, &why),
        }
    }
    for open in &wanted.open {
        let name = Reference::parse(&open.address).map(|it| it.name());
        let tags = name.iter().flat_map(|name| known.tags(name));
        proof.fits(open, open.of(tags).map(|tag| tag.is_some()), "the bundle");
        proof.wanted.extend(name.ok());
    }
    proof
}

/// Looks for images in a registry, where the paths of their names are kept and their hosts are not, as
/// a push to it does it.
pub(crate) fn in_registry(
    client: &Client,
    wanted: &Wanted,
    names: Names,
    target: &Target,
) -> Proof {
    let mut proof = Proof::default();
    let mut searched = Vec::new();
    let mut references = BTreeSet::new();
    for image in &wanted.asked {
        match names.of(image) {
            Ok(of_image) => {
                let there = of_image.iter().map(|reference| target.of(reference));
                let there: Vec<Reference> = there.collect();
                references.extend(there.iter().cloned());
                searched.push((image, there));
            }
            Err(why) => proof.refuse(image, &why),
        }
    }
    let references: Vec<Reference> = references.into_iter().collect();
    let found = each(&references, |reference| {
        let place = Place::of(reference);
        Ok(client.has_manifest(&place, reference.asked())?.is_some())
    });
    let mut there = BTreeMap::new();
    for (reference, found) in references.into_iter().zip(found) {
        match found {
            Ok(found) => drop(there.insert(reference, found)),
            Err(error) => proof.failures.push((reference.to_string(), error)),
        }
    }
    let place = format!("`{}`", target.shown());
    for (image, references) in searched {
        let answers: Vec<Option<&bool>> = references.iter().map(|it| there.get(it)).collect();
        // What gave no answer is told as that.
        if !answers.contains(&Some(&true)) && !answers.contains(&None) {
            let searched: Vec<String> = references.iter().map(Reference::to_string).collect();
            proof.absent(image, &place, &searched);
        }
    }
    let found = each(&wanted.open, |open| {
        let there = Reference::parse(&open.address).map(|own| Place::of(&target.of(&own)));
        version(client, open, there.ok().as_ref())
    });
    for (open, found) in wanted.open.iter().zip(found) {
        match found {
            Ok(tag) => proof.fits(open, Ok(tag.is_some()), &place),
            Err(Error::Version { why, .. }) => proof.fits(open, Err(why), &place),
            Err(error) => proof.failures.push((open.address.clone(), error)),
        }
    }
    proof
}

/// The registries other than the target that the rewritten names stand on.
pub(crate) fn elsewhere(wanted: &Wanted, target: &Target) -> BTreeSet<String> {
    let host = |asked: &Asked| Some(Reference::parse(&asked.rewritten).ok()?.host);
    let hosts = wanted.asked.iter().filter_map(host);
    hosts.filter(|host| *host != target.host).collect()
}

/// The entries of a bundle, by the repositories that they are looked for in.
struct Known<'b>(BTreeMap<String, Vec<(Reference, &'b Entry)>>);

impl<'b> Known<'b> {
    fn of(bundle: &'b Bundle, names: Names) -> Known<'b> {
        let mut known: BTreeMap<String, Vec<(Reference, &Entry)>> = BTreeMap::new();
        for entry in &bundle.layout.entries {
            let mut of = Vec::new();
            if names != Names::Rewritten {
                of.extend(entry.name());
            }
            if names != Names::Original {
                of.extend(entry.rewritten());
            }
            for reference in of.into_iter().filter_map(|it| Reference::parse(it).ok()) {
                let entries = known.entry(reference.name()).or_default();
                entries.push((reference.with_default_tag(), entry));
            }
        }
        Known(known)
    }

    /// The tags of a repository.
    fn tags(&self, name: &str) -> impl Iterator<Item = &str> {
        let entries = self.0.get(name).into_iter().flatten();
        entries.filter_map(|(has, _)| has.tag.as_deref())
    }

    fn has(&self, wanted: &Reference) -> bool {
        let entries = self.0.get(&wanted.name());
        let tag = wanted.clone().with_default_tag().tag;
        entries.into_iter().flatten().any(|(has, entry)| {
            let digest = entry.descriptor.digest.as_str();
            match &wanted.digest {
                Some(wanted) => digest == wanted,
                None => has.tag == tag,
            }
        })
    }
}

impl Proof {
    /// Says that an image is at none of the names that were searched.
    fn absent(&mut self, image: &Asked, place: &str, searched: &[String]) {
        let written = &image.image;
        let how = match searched {
            [one] if one == written => String::new(),
            [one] => format!(" as `{one}`"),
            all => {
                let all: Vec<String> = all.iter().map(|it| format!("as `{it}`")).collect();
                format!(", neither {}", all.join(" nor "))
            }
        };
        self.say(image, format!("`{written}` is not in {place}{how}"));
    }

    /// Says that no version of an artifact fits its range, or that the range is none.
    fn fits(&mut self, open: &OpenVersion, found: Result<bool, String>, place: &str) {
        let message = match found {
            Ok(true) => return,
            Ok(false) => format!(
                "no version of `{}` that fits `{}` is in {place}",
                open.address, open.range
            ),
            Err(why) => why,
        };
        let finding = Finding::new(MISSING, Level::Error, open.label(), message);
        self.findings.push(finding);
    }

    /// Says that a text names no image.
    fn refuse(&mut self, image: &Asked, why: &ReferenceError) {
        self.say(image, why.to_string());
    }

    fn say(&mut self, image: &Asked, message: String) {
        let place = image.place.clone();
        self.findings
            .push(Finding::new(MISSING, Level::Error, place, message));
    }
}
