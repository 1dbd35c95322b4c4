//! Objects against definitions: which definitions count in a run, and which objects are held
//! against them.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::finding::{Finding, Level};
use crate::load::{Loaded, Role, embedded};
use crate::resolve::plan::may_hold;
use crate::resolve::releases::AnyRelease;
use crate::resolve::schema::{self, Fault, Schemas, Violation};
use crate::rules::{Context, Subject};
use crate::source::{SourceId, SourceMap};
use crate::yaml::{Doc, read_all};

/// Whether `--schemas` names something that objects can be held against.
pub(super) fn has_definitions(loaded: &Loaded) -> bool {
    let docs = loaded.of(Role::Schema).flat_map(|input| &input.docs);
    docs.filter_map(Doc::root).any(schema::is_definition)
}

/// Where the objects of the inputs, what charts render of them, and the HelmReleases made of
/// Packages fail their schemas. What reaches the cluster in this run stands over what it is said to
/// hold; the definitions of our own embedded set say nothing.
pub(super) fn violations(loaded: &Loaded, context: &Context<'_>) -> Vec<Violation> {
    let mut schemas = Schemas::default();
    for role in [Role::Schema, Role::Flux, Role::Manifest] {
        for input in loaded.of(role) {
            let own = role == Role::Flux
                && embedded::is_own()
                && input.source.path.starts_with("embedded/");
            let defines = |doc: &&Doc| {
                may_hold(doc, &["CustomResourceDefinition"]) || doc.traits.may_say("swagger")
            };
            let roots = input.docs.iter().filter(defines).filter_map(Doc::root);
            roots.filter(|_| !own).for_each(|root| schemas.add(root));
        }
    }
    if schemas.is_empty() {
        return Vec::new();
    }
    let objects: Vec<&Subject<'_>> = context.everything().collect();
    let written = objects.par_iter().flat_map_iter(|subject| {
        let root = subject.root().into_iter();
        let found = root.flat_map(|root| schema::violations(&schemas, root));
        // What is missing a patch may add.
        let found = found.filter(|it| it.fault != Fault::Required || !subject.facts.patched);
        let by_chart = subject.rendered_by.is_some();
        found.map(move |violation| Violation {
            client_side: by_chart && context.applies_client_side(subject),
            ..violation
        })
    });
    let made = context
        .made
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

/// Takes out what another rule says of the same place as gravely; that readers differ over a word
/// is another fact.
pub(super) fn once(findings: &mut Vec<Finding>) {
    let of_schema = |finding: &Finding| finding.rule.starts_with("schema-");
    let mut others: BTreeMap<(SourceId, u32), Level> = BTreeMap::new();
    for finding in findings.iter() {
        if !of_schema(finding) && finding.rule != "yaml-word" {
            let place = finding.primary.span;
            let told = others
                .entry((place.source, place.start))
                .or_insert(finding.level);
            *told = finding.level.max(*told);
        }
    }
    findings.retain(|finding| {
        let place = finding.primary.span;
        let told = others.get(&(place.source, place.start));
        !of_schema(finding) || told.is_none_or(|level| *level < finding.level)
    });
}
