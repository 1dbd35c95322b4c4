//! From what was read to what will be applied: bytes in, objects and findings out.
//!
//! Pure: nothing here reads, writes or prints. Objects that are neither Flux's own nor Packages pass
//! byte for byte.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use serde_json::Value;

use super::attribute;
use super::carriers::carry;
use super::join::{self, Beside, Read};
use super::packages::{Options, Packages, docs};
use super::subjects::placed;
use crate::emit::arrange::arrange;
use crate::emit::{Emitted, standing_alone};
use crate::finding::{Finding, Label, Level};
use crate::load::{Loaded, Role};
use crate::resolve::dependencies::order::order;
use crate::resolve::dependencies::{Graph, Place};
use crate::resolve::environment::{Environment, NOT_INJECTED, inject};
use crate::resolve::images::Mode;
use crate::resolve::plan::{Plan, first_line, identity, identity_of, plan, unrolled};
use crate::resolve::post_renderers::faults;
use crate::resolve::releases::keys;
use crate::source::{Edit, SourceMap, Span};
use crate::yaml::edit::apply;
use crate::yaml::{Doc, read_all};

/// What comes of a run.
#[derive(Debug)]
pub(super) struct Outcome<'l> {
    /// The objects in the order of application; none where their texts are not wanted.
    pub(super) objects: Vec<Emitted<'l>>,
    /// Everything there is to say.
    pub(super) findings: Vec<Finding>,
    /// The keys of all HelmReleases, for the report.
    pub(super) releases: Value,
    /// Whether something is wrong that cannot be left out.
    pub(super) stopped: bool,
    /// Whether `--override-releases` has no table to put on: nothing says that there is none either.
    pub(super) table_unknown: bool,
    /// How many documents found by walking are no manifests.
    pub(super) skipped: usize,
    /// How many texts found by walking only serve kustomizations.
    pub(super) inert: usize,
}

/// Renders what was read.
pub(super) fn prepare<'l>(
    loaded: &'l Loaded,
    environment: &Environment,
    options: &Options,
) -> Outcome<'l> {
    let plan = plan(loaded);
    let tables = join::tables(loaded, true);
    let packages = Packages::of(loaded, &plan, &tables, options);
    let releases = packages.releases(loaded, &plan);
    let arranged = arrange(&docs(loaded, &plan), &packages.rendered, options.keep);
    let wrong = |finding: &Finding| finding.level == Level::Error;
    let mut stopped = loaded.findings.iter().chain(&tables.findings).any(wrong);
    let mut findings = loaded.findings.clone();
    findings.extend(plan.findings.iter().cloned());
    findings.extend(tables.findings.iter().cloned());
    stopped |= !packages.refused.is_empty();
    findings.extend(packages.refused.iter().cloned());
    findings.extend(packages.rendered.findings.iter().cloned());

    let mut edits = BTreeMap::new();
    let mut filtered = Vec::new();
    for (input, text) in loaded.inputs.iter().enumerate() {
        if text.role != Role::Flux {
            continue;
        }
        let mut of_text = Vec::new();
        if let Some(table) = &tables.tables.flux {
            // One pass a document. What has no kind the operator leaves out before its filter.
            let passes = join::filter(Mode::Legacy, &text.source, &text.docs, table);
            for (_, pass) in text
                .docs
                .iter()
                .zip(passes)
                .filter(|(doc, _)| has_kind(doc))
            {
                stopped |= pass.refusal.is_some();
                findings.extend(pass.said().cloned());
                of_text.extend(join::edits(&pass, &text.docs, Mode::Legacy));
                filtered.push((input, pass));
            }
        }
        of_text.sort();
        for doc in &text.docs {
            let (injected, said) = inject(doc, environment);
            findings.extend(said);
            if meet(within(&of_text, doc.span()), &injected) {
                findings.push(not_injected(doc));
            } else {
                of_text.extend(injected);
                of_text.sort();
            }
        }
        edits.insert(input, of_text);
    }
    let earlier = Packages::before(loaded, &tables, options);
    let before = earlier.as_ref().map(|it| it.releases_before(loaded));
    let beside = Beside {
        target: &options.target,
        before: before.as_deref(),
        move_annotation: options.move_annotation(),
    };
    findings.extend(tables.stale.iter().cloned());
    findings.extend(faults(&releases));
    let carried = carry(loaded, &plan, &tables, &packages.rendered, options);
    findings.extend(carried.findings);
    let made = packages.made(&releases);
    findings.extend(join::check(
        loaded,
        &plan,
        &tables.tables,
        &filtered,
        made,
        Some(beside),
    ));
    attribute::objects(loaded, &plan, &mut findings);
    attribute::one_fact(&mut findings);
    let mut objects = Vec::new();
    if !options.only_findings {
        for (input, own) in carried.edits {
            edits.entry(input).or_default().extend(own);
        }
        for (place, planned) in plan.objects.iter().enumerate() {
            let own = edits.entry(planned.input).or_default();
            take_out(own, arranged.edits(place));
        }
        for edits in edits.values_mut() {
            // What two aliases share is edited once.
            edits.sort();
            edits.dedup();
        }
        objects = arranged.finish(emitted(loaded, &plan, &edits));
        if options.by_dependence {
            let graph = Graph::of(&releases, placed(loaded, &plan));
            objects = ordered(objects, &graph);
        }
    }
    Outcome {
        objects,
        releases: keys(&releases),
        table_unknown: options.override_releases && carried.unknown,
        findings,
        stopped,
        skipped: plan.skipped,
        inert: plan.inert,
    }
}

/// The objects with what is waited for before what waits, within each stage.
fn ordered<'l>(objects: Vec<Emitted<'l>>, graph: &Graph<'_>) -> Vec<Emitted<'l>> {
    let places: Vec<Vec<Place>> = objects.iter().map(places).collect();
    let mut slots: Vec<Option<Emitted<'l>>> = objects.into_iter().map(Some).collect();
    let mut objects: Vec<Emitted<'l>> = order(graph, &places)
        .into_iter()
        .filter_map(|at| slots[at].take())
        .collect();
    objects.sort_by_key(|object| object.stage);
    objects
}

/// Who waits and is waited for in an object: itself, or the elements of a List.
fn places(object: &Emitted<'_>) -> Vec<Place> {
    if !object.id.kind.ends_with("List") {
        return Place::of(&object.id).into_iter().collect();
    }
    let source = SourceMap::default().add("list", &*object.text);
    let docs: Vec<Doc> = read_all(&source)
        .into_iter()
        .filter_map(Result::ok)
        .collect();
    let nodes = docs.iter().filter_map(Doc::root).flat_map(unrolled);
    nodes
        .filter_map(|node| Place::of(&identity_of(node)))
        .collect()
}

/// Whether a document says what it is.
fn has_kind(doc: &Doc) -> bool {
    identity(doc).is_some_and(|id| !id.kind.is_empty())
}

/// Whether an edit of one list wants bytes, or a place, that one of the other wants.
fn meet(some: &[Edit], others: &[Edit]) -> bool {
    let both = |one: Span, other: Span| {
        one.start == other.start || one.start < other.end && other.start < one.end
    };
    some.iter()
        .any(|one| others.iter().any(|other| both(one.span, other.span)))
}

/// Said where the address and an image want the same place; the images go first.
fn not_injected(doc: &Doc) -> Finding {
    let place = doc.root().map_or(doc.span(), first_line);
    let message = "the address of the API server cannot be put in beside the new images";
    Finding::new(NOT_INJECTED, Level::Warning, Label::new(place), message)
        .help("write the containers without aliases and merges")
}

/// Adds cuts to edits; what is taken out is not edited besides.
fn take_out(edits: &mut Vec<Edit>, cuts: &[Edit]) {
    if !cuts.is_empty() {
        edits.retain(|edit| !is_inside(edit, cuts));
        edits.extend_from_slice(cuts);
    }
}

/// Whether an edit changes what one of these cuts, in the order of the text, takes out.
fn is_inside(edit: &Edit, cuts: &[Edit]) -> bool {
    let Span { start, end, .. } = edit.span;
    let cut = cuts.partition_point(|cut| cut.span.end <= start);
    // What is put in before the first byte belongs to what stands before it.
    let behind_start = |cut: Span| cut.start < start || cut.start == start && start < end;
    cuts.get(cut)
        .is_some_and(|cut| behind_start(cut.span) && end <= cut.span.end)
}

/// The planned objects with their texts.
fn emitted<'l>(
    loaded: &'l Loaded,
    plan: &Plan,
    edits: &BTreeMap<usize, Vec<Edit>>,
) -> Vec<Emitted<'l>> {
    let object = |planned: &crate::resolve::plan::Planned| {
        let input = &loaded.inputs[planned.input];
        let doc = &input.docs[planned.doc];
        let own = edits
            .get(&planned.input)
            .map_or(&[][..], |edits| within(edits, doc.span()));
        let text =
            apply(doc.text(), doc.start, own).expect("the edits of one filter do not overlap");
        Emitted {
            text: standing_alone(doc, text),
            id: Arc::clone(&planned.id),
            stage: planned.stage,
        }
    };
    plan.objects.par_iter().map(object).collect()
}

/// The part of sorted edits that lies in a span.
fn within(edits: &[Edit], span: Span) -> &[Edit] {
    let from = edits.partition_point(|edit| edit.span.start < span.start);
    let to = edits.partition_point(|edit| edit.span.start < span.end || edit.span.end <= span.end);
    &edits[from..to.max(from)]
}

/// The tables, validated as strictly as asked for, and whether they can be used.
pub(super) fn tables(loaded: &Loaded, strict: bool) -> (Read, bool) {
    let tables = join::tables(loaded, strict);
    let wrong = |finding: &Finding| finding.level == Level::Error;
    let usable = !loaded.findings.iter().chain(&tables.findings).any(wrong);
    (tables, usable)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::stream_text;
    use crate::load::{Request, load};

    #[test]
    fn manifests_pass_byte_for_byte_in_two_stages() {
        let text = "# about it\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a} # x\n---\n\
                    # empty\n---\napiVersion: v1\nkind: Namespace\nmetadata:   {name: ns}\n";
        let request = Request {
            manifests: vec!["-".into()],
            ..Request::default()
        };
        let loaded = load(&request, &mut text.as_bytes()).expect("readable");
        let outcome = prepare(&loaded, &Environment::default(), &Options::default());
        assert_eq!(
            stream_text(&outcome.objects),
            "---\napiVersion: v1\nkind: Namespace\nmetadata:   {name: ns}\n---\n# about it\n\
             apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a} # x\n"
        );
        assert!(!outcome.stopped);
        assert_eq!(outcome.findings, []);
    }

    #[test]
    fn what_has_no_kind_is_left_out_before_the_filter() {
        let root = tempfile::tempdir().expect("temporary directory");
        let table = root.path().join("table.yaml");
        std::fs::write(&table, "- name: a/b\n  newTag: v2\n").expect("file");
        let text = "# about it\n---\n~\n---\na: 1\n---\napiVersion: v1\nkind: Pod\nmetadata: \
                    {name: p}\nspec: {containers: [{name: c, image: a/b:v1}]}\n";
        let request = Request {
            tables: vec![table],
            flux: crate::load::FluxSource::Path("-".into()),
            ..Request::default()
        };
        let loaded = load(&request, &mut text.as_bytes()).expect("readable");
        let outcome = prepare(&loaded, &Environment::default(), &Options::default());
        assert!(!outcome.stopped);
        assert!(stream_text(&outcome.objects).ends_with("image: a/b:v2}]}\n"));
        let rules: Vec<_> = outcome
            .findings
            .iter()
            .map(|finding| finding.rule)
            .collect();
        assert_eq!(rules, ["document-without-kind"]);
    }
}
