//! Objects against definitions: which definitions count in a run, and which objects are held
//! against them.

use rayon::prelude::*;

use crate::load::{Loaded, Role, embedded};
use crate::resolve::plan::Plan;
use crate::resolve::releases::AnyRelease;
use crate::resolve::schema::{self, Schemas, Violation};
use crate::rules::Made;
use crate::source::SourceMap;
use crate::yaml::{Doc, read_all};

/// Whether `--schemas` names something that objects can be held against.
pub(super) fn has_definitions(loaded: &Loaded) -> bool {
    let docs = loaded.of(Role::Schema).flat_map(|input| &input.docs);
    docs.filter_map(Doc::root).any(schema::is_definition)
}

/// Where the objects of the inputs, and the HelmReleases made of Packages, fail their schemas. What
/// reaches the cluster in this run stands over what it is said to hold; the definitions of our own
/// embedded set say nothing.
pub(super) fn violations(loaded: &Loaded, plan: &Plan, made: &Made<'_>) -> Vec<Violation> {
    let mut schemas = Schemas::default();
    for role in [Role::Schema, Role::Flux, Role::Manifest] {
        for input in loaded.of(role) {
            let own = role == Role::Flux
                && embedded::is_own()
                && input.source.path.starts_with("embedded/");
            let roots = input.docs.iter().filter_map(Doc::root);
            roots.filter(|_| !own).for_each(|root| schemas.add(root));
        }
    }
    if schemas.is_empty() {
        return Vec::new();
    }
    let written = plan
        .objects
        .par_iter()
        .filter_map(|planned| loaded.inputs[planned.input].docs[planned.doc].root())
        .flat_map_iter(|root| schema::violations(&schemas, root));
    let made = made
        .releases
        .par_iter()
        .filter(|release| release.made().is_some_and(|made| !made.repeated))
        .filter(|release| schemas.knows(&release.id))
        .flat_map_iter(|release| of_made(&schemas, release));
    written.chain(made).collect()
}

/// What a HelmRelease that a Package makes violates, each told where the release comes from.
fn of_made(schemas: &Schemas<'_>, release: &AnyRelease<'_>) -> Vec<Violation> {
    let source = SourceMap::default().add("made", release.value().to_string());
    let docs = read_all(&source).into_iter().filter_map(Result::ok);
    let found = docs.flat_map(|doc| {
        let root = doc.root();
        root.map_or_else(Vec::new, |root| schema::violations(schemas, root))
    });
    let here = |mut violation: Violation| {
        violation.span = release.label.span;
        violation
    };
    found.map(here).collect()
}
