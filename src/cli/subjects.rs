//! What the rules look at, out of what was read: the objects of each side with what is known of
//! them.

use std::sync::Arc;

use memchr::memmem;
use rayon::prelude::*;

use crate::finding::ObjectId;
use crate::load::{Loaded, Role};
use crate::model::version::Version;
use crate::model::workload;
use crate::resolve::builds::Builds;
use crate::resolve::plan::{Plan, Planned, identity_of, unrolled};
use crate::rules::{Context, Subject};
use crate::yaml::Node;

/// The documents of the plan, in its order.
pub(super) fn documents<'l>(loaded: &'l Loaded, plan: &Plan) -> Vec<Subject<'l>> {
    let subject = |planned: &Planned| {
        let input = &loaded.inputs[planned.input];
        Subject {
            flux: input.role == Role::Flux,
            place: (planned.input, planned.doc, 0),
            ..Subject::new(&input.docs[planned.doc], Arc::clone(&planned.id))
        }
    };
    plan.objects.par_iter().map(subject).collect()
}

/// The objects of the plan, Lists unrolled, in its order.
pub(super) fn planned<'l>(loaded: &'l Loaded, plan: &Plan) -> Vec<Subject<'l>> {
    let planned = plan.objects.par_iter();
    let subjects = planned.flat_map_iter(|planned| {
        let at = (planned.input, planned.doc);
        objects(loaded, at, Some(&planned.id), &plan.builds)
    });
    subjects.collect()
}

/// The objects of the plan, each with the namespace that a build puts it into.
pub(super) fn placed<'l>(
    loaded: &'l Loaded,
    plan: &Plan,
) -> impl Iterator<Item = (Node<'l>, Option<String>)> {
    let place = |it: Subject<'l>| Some((it.root()?, it.facts.namespace()));
    planned(loaded, plan).into_iter().filter_map(place)
}

/// The objects of a document; `id` is what it says it is, where that is known.
fn objects<'l, 'p>(
    loaded: &'l Loaded,
    (at, number): (usize, usize),
    id: Option<&'p Arc<ObjectId>>,
    builds: &'p Builds,
) -> impl Iterator<Item = Subject<'l>> + use<'l, 'p> {
    let input = &loaded.inputs[at];
    let doc = &input.docs[number];
    let below = input.place.as_ref().map_or("", |place| &place.below);
    let nodes = doc.root().into_iter().flat_map(unrolled).enumerate();
    let subject = move |(item, node): (usize, Node<'l>)| {
        let own = id.filter(|_| doc.root().map(Node::resolved) == Some(node));
        let id = own.map_or_else(|| identity_of(node).into(), Arc::clone);
        let mut subject = Subject::of(doc, node, id);
        subject.flux = input.role == Role::Flux;
        subject.place = (at, number, item);
        subject.below = below;
        subject.facts = builds.facts(subject.place);
        if let Some(release) = &input.rendered_by {
            let release = (release.namespace.clone(), release.name.clone());
            subject.rendered_by = Some(release);
        }
        subject
    };
    let known =
        |subject: &Subject<'_>| !subject.id.kind.is_empty() && !subject.id.api_version.is_empty();
    nodes.map(subject).filter(known)
}

/// The objects of every text of a role, in the order of reading.
fn of<'l>(loaded: &'l Loaded, role: Role, builds: &Builds) -> Vec<Subject<'l>> {
    let mut found = Vec::new();
    for (at, input) in loaded.inputs.iter().enumerate() {
        if input.role == role && !builds.is_inert(at) {
            for number in 0..input.docs.len() {
                found.extend(objects(loaded, (at, number), None, builds));
            }
        }
    }
    found
}

/// The objects that stood before the change, where one is looked at.
pub(super) fn old<'l>(loaded: &'l Loaded, builds: &Builds) -> Option<Vec<Subject<'l>>> {
    let given = loaded.of(Role::Old).next().is_some();
    given.then(|| of(loaded, Role::Old, builds))
}

/// What charts render, as far as it was given by itself.
pub(super) fn rendered(loaded: &Loaded) -> Vec<Subject<'_>> {
    of(loaded, Role::Rendered, &Builds::default())
}

/// The version of Flux as the images of its controllers tell it; `None` where they tell none, or
/// several.
pub(super) fn flux_version(context: &Context<'_>) -> Option<Version> {
    let mut found = None;
    // `helm-controller` and `kustomize-controller` before a tag.
    let named = memmem::Finder::new("-controller:");
    let objects = context.objects.par_iter();
    let own = objects.filter(|it| workload::is_workload(&it.id));
    let told: Vec<_> = own.filter(|it| it.may_hold(&named)).collect();
    for subject in told {
        let Some(spec) = subject
            .root()
            .and_then(|root| workload::pod_spec(root, &subject.id))
        else {
            continue;
        };
        for (_, container) in workload::containers(spec) {
            let image = container.text_at(&["image"]).unwrap_or_default();
            let image = image.split('@').next().unwrap_or_default();
            let last = image.rsplit('/').next().unwrap_or_default();
            let Some((name, tag)) = last.split_once(':') else {
                continue;
            };
            let version = tag.parse().ok().and_then(|tag| Version::flux_of(name, tag));
            match (version, found) {
                (Some(version), None) => found = Some(version),
                (Some(version), Some(first)) if !same(version, first) => return None,
                _ => {}
            }
        }
    }
    found
}

fn same(one: Version, other: Version) -> bool {
    (one.0, one.1) == (other.0, other.1)
}
