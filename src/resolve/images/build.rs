//! A kustomize build with `images`: what helm-controller's post-renderer does.
//!
//! Source: kustomize api v0.20.1 `internal/builtins/ImageTagTransformer.go`,
//! `filters/imagetag/imagetag.go`; `spec/image-semantics.md` mode B.

use std::sync::Arc;

use super::record::{Entries, Entry, Record, Stop};
use super::references;
use super::refusals::{self, Refusal};
use super::resources::{Resource, go_kind, resources, unique};
use super::tree::{CellId, Tree};
use super::walk::{FIELD_PATHS, Pass, containers, field_path};
use super::written::{binary, decode, timestamp};
use super::{Filtered, Mode, Visit};
use crate::finding::{Finding, Label, Level};
use crate::source::Source;
use crate::yaml::scalar::{Reader, Scalar, plain};
use crate::yaml::split::pieces;
use crate::yaml::{Doc, Kind, Node};

/// What the table does to the documents of one text.
pub(crate) fn filter<'d>(
    source: &Arc<Source>,
    docs: &'d [Doc],
    entries: &Entries<'_>,
) -> Filtered<'d> {
    let mut filtered = Filtered::default();
    let mut trees = Vec::new();
    let mut of_doc = Vec::new();
    for (at, doc) in docs.iter().enumerate() {
        if let Some(tree) = Tree::new(doc) {
            trees.push(tree);
            of_doc.push(at);
        }
    }
    match run(source, &mut trees, entries, &mut filtered) {
        Ok((record, found)) => filtered.visits = visits(&trees, &of_doc, &record, &found),
        Err(refusal) => filtered.refusal = Some(refusal),
    }
    filtered
}

type Trees<'d> = [(Tree<'d>, CellId)];

fn run<'d>(
    source: &Arc<Source>,
    trees: &mut Trees<'d>,
    entries: &Entries<'_>,
    filtered: &mut Filtered<'_>,
) -> Result<(Record<'d>, Vec<Resource>), Box<Finding>> {
    let pieces = pieces(source);
    if let Some(place) = pieces.iter().find_map(|piece| piece.bad_separator) {
        return Err(Box::new(refusals::separator(source, place)));
    }
    let found = resources(trees, pieces.len() == 1).map_err(boxed)?;
    unique(trees, &found).map_err(boxed)?;
    let mut record = Record::default();
    for entry in entries.iter() {
        for resource in &found {
            let (tree, _) = &mut trees[resource.tree];
            if go_kind(tree, resource.root) != "CustomResourceDefinition" {
                let pass = containers(tree, resource.root);
                apply(&mut record, tree, resource, entry, &pass, None)?;
            }
        }
        for resource in &found {
            let (tree, _) = &mut trees[resource.tree];
            if go_kind(tree, resource.root) == "CustomResourceDefinition" {
                continue;
            }
            for path in FIELD_PATHS {
                let (pass, listed) = field_path(tree, resource.root, path);
                apply(&mut record, tree, resource, entry, &pass, Some(path))?;
                filtered
                    .findings
                    .extend(listed.iter().map(|&cell| elsewhere(tree, cell)));
            }
        }
    }
    for resource in found.iter().filter(|resource| !resource.local) {
        let tree = &trees[resource.tree].0;
        references::check(tree, resource.root).map_err(boxed)?;
    }
    for resource in found.iter().filter(|resource| !resource.local) {
        let tree = &trees[resource.tree].0;
        let decoded = decode(tree, resource.root).map_err(boxed)?;
        decoded.check_root(tree).map_err(boxed)?;
    }
    Ok((record, found))
}

fn boxed(refusal: Refusal) -> Box<Finding> {
    Box::new(refusal.finding())
}

fn apply<'d>(
    record: &mut Record<'d>,
    tree: &mut Tree<'d>,
    resource: &Resource,
    entry: &Entry<'_>,
    pass: &Pass,
    path: Option<&[&str]>,
) -> Result<(), Box<Finding>> {
    for &image in &pass.images {
        record
            .test(tree, resource.tree, image, entry)
            .map_err(|Stop::Pattern(error)| {
                Box::new(refusals::pattern(tree, image, entry, &error))
            })?;
    }
    match &pass.fault {
        Some(fault) => Err(Box::new(refusals::shape(tree, fault, path, Mode::Build))),
        None => Ok(()),
    }
}

fn elsewhere(tree: &Tree<'_>, cell: CellId) -> Finding {
    let message = "helm-controller's build makes an empty list of this null";
    Finding::new(
        "build-changes-more",
        Level::Note,
        Label::new(tree.node(cell).span()),
        message,
    )
    .help("write `[]`, or take the key out")
}

fn visits<'d>(
    trees: &Trees<'_>,
    of_doc: &[usize],
    record: &Record<'d>,
    found: &[Resource],
) -> Vec<Visit<'d>> {
    let mut visits = Vec::new();
    for resource in found {
        let tree = &trees[resource.tree].0;
        record.collect(
            resource.tree,
            tree,
            resource.root,
            &resource.path,
            &mut visits,
        );
    }
    for visit in &mut visits {
        let tree = &trees[visit.doc].0;
        visit.doc = of_doc[visit.doc];
        written_anew(visit, tree.doc.node(visit.node));
    }
    visits.sort_by(|a, b| (a.doc, a.span, &a.path).cmp(&(b.doc, b.span, &b.path)));
    visits
}

/// Puts down what a build shows of an image because it writes everything anew.
pub(super) fn written_anew(visit: &mut Visit<'_>, node: Node<'_>) {
    if let Some(shown) = re_encoded(node).filter(|_| !visit.rewritten) {
        visit.shown = Some(shown.into());
        visit.rewritten = true;
        visit.typed = false;
    }
    if visit.typed
        && !visit.hits.is_empty()
        && let Scalar::Timestamp(text) = plain(visit.after(), Reader::Kustomize)
    {
        visit.shown = Some(timestamp(text).into());
        visit.typed = false;
    }
}

/// What an image that no entry matches becomes because a build writes everything anew: a value left
/// out inside braces is an empty string, a folded text with kept line ends gains one, `!!binary` is
/// decoded (rules 64, 88).
fn re_encoded(node: Node<'_>) -> Option<String> {
    let text = node.text()?;
    match node.kind() {
        _ if node.tag() == Some("!!binary") => String::from_utf8(binary(text)?).ok(),
        Kind::Plain if node.is_flow() && text.is_empty() => Some(String::new()),
        Kind::Folded if text.ends_with("\n\n") => Some(format!("{text}\n")),
        _ => None,
    }
}

/// Where the objects that a build writes stand.
#[cfg(test)]
pub(crate) fn resource_paths(
    source: &Arc<Source>,
    docs: &[Doc],
) -> Vec<(usize, crate::yaml::Path)> {
    let mut trees = Vec::new();
    let mut of_doc = Vec::new();
    for (at, doc) in docs.iter().enumerate() {
        if let Some(tree) = Tree::new(doc) {
            trees.push(tree);
            of_doc.push(at);
        }
    }
    resources(&mut trees, pieces(source).len() == 1)
        .unwrap_or_default()
        .into_iter()
        .filter(|resource| !resource.local)
        .map(|resource| (of_doc[resource.tree], resource.path))
        .collect()
}
