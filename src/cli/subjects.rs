//! What the rules look at, out of what was read: the objects of each side with what is known of
//! them.

use crate::load::{Input, Loaded, Role};
use crate::model::version::Version;
use crate::model::workload;
use crate::resolve::builds::Builds;
use crate::resolve::plan::{Plan, identity};
use crate::rules::{Context, Subject};

/// The objects of the plan, in its order.
pub(super) fn planned<'l>(loaded: &'l Loaded, plan: &Plan) -> Vec<Subject<'l>> {
    let subject = |planned: &crate::resolve::plan::Planned| {
        let input = &loaded.inputs[planned.input];
        let place = (planned.input, planned.doc);
        Subject {
            flux: input.role == Role::Flux,
            place,
            below: below(input),
            facts: plan.builds.facts(place),
            ..Subject::new(&input.docs[planned.doc], planned.id.clone())
        }
    };
    plan.objects.iter().map(subject).collect()
}

/// The path of a text's file below the PATH that was given.
fn below(input: &Input) -> String {
    let place = input.place.as_ref();
    place.map(|place| place.below.clone()).unwrap_or_default()
}

/// The objects of every text of a role, in the order of reading.
fn of<'l>(loaded: &'l Loaded, role: Role, builds: &Builds) -> Vec<Subject<'l>> {
    let mut found = Vec::new();
    for (at, input) in loaded.inputs.iter().enumerate() {
        if input.role != role || builds.is_inert(at) {
            continue;
        }
        for (number, doc) in input.docs.iter().enumerate() {
            let Some(id) = identity(doc) else { continue };
            if id.kind.is_empty() || id.api_version.is_empty() {
                continue;
            }
            let mut subject = Subject::new(doc, id);
            subject.place = (at, number);
            subject.below = below(input);
            subject.facts = builds.facts(subject.place);
            if let Some(release) = &input.rendered_by {
                let release = (release.namespace.clone(), release.name.clone());
                subject.rendered_by = Some(release);
            }
            found.push(subject);
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
    for subject in &context.subjects {
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
