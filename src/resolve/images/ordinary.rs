//! The quick way through documents that are written the ordinary way: what the filter does to them is
//! told from their nodes, each document by itself, without a copy in memory ([`super::tree`]).
//!
//! It takes a document whose nodes are used just where they stand (no anchors, tags or merges), with
//! no key twice and none that is not plain text; of a build besides, an object of its own with a kind
//! and a name, no List, no local configuration.
//!
//! It gives up (`None`) at anything else, and wherever the real filter refuses or changes more than
//! images, so that one way alone ([`mod@super::legacy`], [`mod@super::build`]) says why. That both say the same
//! is held by `ordinary/tests.rs`.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};

use rayon::prelude::*;

use super::build::written_anew;
use super::record::{Entries, Met};
use super::references::Followed;
use super::resources::cluster_scoped;
use super::walk::FIELD_PATHS;
use super::{Filtered, Hits, Visit};
use crate::load::threads::AT_A_TIME;
use crate::source::Source;
use crate::yaml::scalar::{Reader, Scalar, plain};
use crate::yaml::split::pieces;
use crate::yaml::{Doc, Kind, Node};

/// What the legacy filter does to a document.
pub(super) fn legacy<'d>(doc: &'d Doc, at: usize, entries: &Entries<'_>) -> Option<Filtered<'d>> {
    let root = doc.root().filter(|root| root.is_mapping())?;
    let kind = field(root, "kind");
    if !is_ordinary(doc) || kind.is_empty() {
        return None;
    }
    if kind == "CustomResourceDefinition" {
        return Some(Filtered::default());
    }
    let (mut images, mut visits) = (Vec::new(), Vec::new());
    walked(doc, &mut images)?;
    images.sort_by_key(|image| image.id());
    for image in images {
        let mut met = met(image);
        for entry in entries.iter() {
            met.test(entry).ok()?;
        }
        visits.push(visit(at, image, met));
    }
    if entries.is_empty() {
        visits.clear();
    }
    Some(Filtered {
        visits,
        ..Filtered::default()
    })
}

/// What a build does to the documents of one text, where all of them are ordinary: stretch by stretch,
/// in their order.
pub(super) fn build<'d>(
    source: &Source,
    docs: &'d [Doc],
    entries: &Entries<'_>,
) -> Option<Vec<Filtered<'d>>> {
    let well_separated = || pieces(source).iter().all(|it| it.bad_separator.is_none());
    let stretches = || {
        docs.par_chunks(AT_A_TIME)
            .enumerate()
            .with_max_len(1)
            .map_init(Scratch::default, |scratch, (number, docs)| {
                let mut stretch = Stretch::default();
                for (at, doc) in docs.iter().enumerate() {
                    object(doc, number * AT_A_TIME + at, entries, scratch, &mut stretch)?;
                }
                Some(stretch)
            })
            .collect::<Option<Vec<_>>>()
    };
    let (well_separated, built) = rayon::join(well_separated, stretches);
    let built = built.filter(|_| well_separated)?;
    let identities = built.iter().flat_map(|stretch| &stretch.identities);
    let mut identities: Vec<u64> = identities.copied().collect();
    identities.par_sort_unstable();
    // Two identities of one hash are as good as equal here: the other way tells.
    if identities.windows(2).any(|pair| pair[0] == pair[1]) {
        return None;
    }
    let filtered = |stretch: Stretch<'d>| Filtered {
        visits: stretch.visits,
        ..Filtered::default()
    };
    Some(built.into_iter().map(filtered).collect())
}

/// Room that is used again from document to document: to give memory back and take it again costs
/// more than what is done in it.
#[derive(Default)]
struct Scratch<'d> {
    followed: Followed,
    tested: Vec<Node<'d>>,
    images: Vec<Node<'d>>,
    met: Vec<Met<'d>>,
}

/// What a build makes of documents that follow each other.
#[derive(Default)]
struct Stretch<'d> {
    /// Of each object, the hash of group, version, kind, namespace that counts, name.
    identities: Vec<u64>,
    visits: Vec<Visit<'d>>,
}

/// What a build makes of one document; nothing where it has no content.
fn object<'d>(
    doc: &'d Doc,
    at: usize,
    entries: &Entries<'_>,
    scratch: &mut Scratch<'d>,
    stretch: &mut Stretch<'d>,
) -> Option<()> {
    let Some(root) = doc.root() else {
        return Some(());
    };
    let kind = field(root, "kind");
    let metadata = root.get("metadata");
    let inside = |key| metadata.map_or("", |metadata| field(metadata, key));
    let local = metadata
        .and_then(|metadata| metadata.get("annotations"))
        .and_then(|all| all.get("config.kubernetes.io/local-config"));
    let ordinary = is_ordinary(doc) && !doc.traits.infinite && root.is_mapping();
    let whole = !kind.is_empty() && !kind.ends_with("List") && !inside("name").is_empty();
    if !ordinary || !whole || local.is_some() {
        return None;
    }
    let api_version = field(root, "apiVersion");
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    let namespace = match inside("namespace") {
        _ if cluster_scoped(group, kind) => "/",
        "" => "default",
        namespace => namespace,
    };
    if !scratch.followed.passes(root, group, version, kind) {
        return None;
    }
    if kind != "CustomResourceDefinition" {
        visits(root, at, entries, scratch, &mut stretch.visits)?;
    }
    let mut identity = DefaultHasher::new();
    [group, version, kind, namespace, inside("name")].hash(&mut identity);
    stretch.identities.push(identity.finish());
    Some(())
}

/// What a build does to the images of one object, put behind the others.
fn visits<'d>(
    root: Node<'d>,
    at: usize,
    entries: &Entries<'_>,
    scratch: &mut Scratch<'d>,
    visits: &mut Vec<Visit<'d>>,
) -> Option<()> {
    let Scratch {
        tested,
        images,
        met: all,
        ..
    } = scratch;
    tested.clear();
    walked(root.doc(), tested)?;
    let by_walk = tested.len();
    for path in FIELD_PATHS {
        follow(root, path, tested)?;
    }
    images.clear();
    images.extend_from_slice(tested);
    images.sort_by_key(|image| image.id());
    images.dedup();
    all.clear();
    all.extend(images.iter().map(|&image| met(image)));
    let place = |image: &Node<'d>| images.binary_search_by_key(&image.id(), |other| other.id());
    for entry in entries.iter() {
        for image in &tested[..by_walk] {
            all[place(image).ok()?].test(entry).ok()?;
        }
        for image in &tested[by_walk..] {
            all[place(image).ok()?].test(entry).ok()?;
        }
    }
    if entries.is_empty() {
        return Some(());
    }
    for (&image, met) in images.iter().zip(all.drain(..)) {
        let last = met
            .hits
            .last()
            .map(|hit| plain(&hit.after, Reader::Kustomize));
        if image.kind() == Kind::Plain && matches!(last, Some(Scalar::Float(_))) {
            return None;
        }
        let mut visit = visit(at, image, met);
        written_anew(&mut visit, image);
        visits.push(visit);
    }
    Some(())
}

/// Whether every node is used just where it stands and every key is a plain text of its own.
fn is_ordinary(doc: &Doc) -> bool {
    doc.is_straight() && !doc.traits.repeated_keys && !doc.traits.odd_keys
}

/// The text of a field; empty where it is absent, null or no scalar.
fn field<'d>(mapping: Node<'d>, key: &str) -> &'d str {
    let value = mapping.get(key).filter(|value| !value.is_null());
    value.and_then(Node::text).unwrap_or_default()
}

/// The images under `containers` and `initContainers`, wherever these stand, put behind the others:
/// list by list in the order of the text, so an element's own before those of a list within it.
fn walked<'d>(doc: &'d Doc, images: &mut Vec<Node<'d>>) -> Option<()> {
    for node in doc.nodes() {
        // Plain or in quotes; the length tells nearly all others apart.
        if !matches!(node.length(), 10 | 12 | 14 | 16)
            || !(node.is_text("containers") || node.is_text("initContainers"))
        {
            continue;
        }
        // A text that is no key may be spelt like one.
        let behind = doc.source.text.as_bytes().get(node.span().end as usize);
        if behind != Some(&b':') {
            return None;
        }
        for element in doc.node(node.end()).items() {
            if element.is_null() {
                continue;
            }
            if !element.is_mapping() {
                return None;
            }
            if let Some(image) = element.get("image") {
                images.push(scalar(image)?);
            }
        }
    }
    Some(())
}

/// The images at the end of one of the paths that a build follows.
fn follow<'d>(node: Node<'d>, path: &[&str], images: &mut Vec<Node<'d>>) -> Option<()> {
    let Some((step, rest)) = path.split_first() else {
        images.push(scalar(node)?);
        return Some(());
    };
    if node.is_null() {
        return Some(());
    }
    if node.is_sequence() {
        return node.items().try_for_each(|item| follow(item, path, images));
    }
    if !node.is_mapping() {
        return None;
    }
    let list = step.strip_suffix("[]");
    match node.get(list.unwrap_or(step)) {
        // The build makes a list of it.
        Some(field) if list.is_some() && field.is_null() => None,
        Some(field) => follow(field, rest, images),
        None => Some(()),
    }
}

fn scalar(image: Node<'_>) -> Option<Node<'_>> {
    image.kind().is_scalar().then_some(image)
}

fn met(image: Node<'_>) -> Met<'_> {
    Met {
        before: Cow::Borrowed(image.text().unwrap_or_default()),
        hits: Hits::default(),
    }
}

fn visit<'d>(at: usize, image: Node<'d>, met: Met<'d>) -> Visit<'d> {
    Visit {
        doc: at,
        node: image.id(),
        span: image.span(),
        path: None,
        before: met.before,
        rewritten: !met.hits.is_empty(),
        hits: met.hits,
        shown: None,
        typed: image.kind() == Kind::Plain,
    }
}

#[cfg(test)]
mod tests;
