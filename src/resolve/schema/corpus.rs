//! Real objects against Flux's real definitions: no false alarm. Passes, and says so, where the
//! shared corpus is not at hand.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

use super::{Fault, Schemas, Violation, violations};
use crate::source::{Source, SourceMap};
use crate::yaml::{Doc, read_all};

fn definitions() -> Option<Vec<Doc>> {
    let path = "../shared/corpus/flux/cozystack-v1.6-fluxcd.yaml";
    let Ok(text) = fs::read_to_string(path) else {
        eprintln!("skipped: {path} is not there");
        return None;
    };
    Some(docs(&SourceMap::default().add(path, text)))
}

fn docs(source: &Arc<Source>) -> Vec<Doc> {
    let docs = read_all(source).into_iter();
    docs.map(|doc| doc.expect("sound YAML")).collect()
}

fn schemas(definitions: &[Doc]) -> Schemas<'_> {
    let mut schemas = Schemas::default();
    let roots = definitions.iter().filter_map(Doc::root);
    roots.for_each(|root| schemas.add(root));
    schemas
}

fn said(schemas: &Schemas<'_>, text: &str) -> Vec<Violation> {
    let source = SourceMap::default().add("a.yaml", text);
    let docs = docs(&source);
    let roots = docs.iter().filter_map(Doc::root);
    roots.flat_map(|root| violations(schemas, root)).collect()
}

fn json_files(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            json_files(&path, found);
        } else if path.extension().is_some_and(|it| it == "json") {
            found.push(path);
        }
    }
}

#[test]
fn what_the_operator_writes_fits_fluxs_definitions() {
    let Some(definitions) = definitions() else {
        return;
    };
    let schemas = schemas(&definitions);
    let mut files = Vec::new();
    json_files(Path::new("../shared/corpus/packages/expected"), &mut files);
    let mut checked = 0;
    for path in files {
        let expected: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        for object in expected["objects"].as_array().into_iter().flatten() {
            let told = said(&schemas, &object.to_string());
            assert_eq!(told, [], "{}: {object}", path.display());
            checked += 1;
        }
    }
    assert!(checked > 1_000, "{checked} objects were read");
}

#[test]
fn slips_in_a_real_helm_release_are_told() {
    let Some(definitions) = definitions() else {
        return;
    };
    let schemas = schemas(&definitions);
    let release = |spec: &str| {
        let text = format!(
            "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {{name: app, \
             namespace: apps}}\nspec:\n  chartRef: {{kind: OCIRepository, name: app}}\n{spec}"
        );
        let told = said(&schemas, &text);
        let told = told.into_iter().map(|it| (it.fault, it.what));
        told.collect::<Vec<_>>()
    };
    assert_eq!(
        release("  interval: 5m\n  values: {any: [thing, {at: all}], on: ~}\n"),
        []
    );
    let slip = |spec: &str, fault: Fault, part: &str| {
        let told = release(spec);
        assert_eq!(told.len(), 1, "{spec}: {told:?}");
        assert_eq!(told[0].0, fault, "{spec}: {told:?}");
        assert!(told[0].1.contains(part), "{spec}: {told:?}");
    };
    slip(
        "  timeout: 5m\n",
        Fault::Required,
        "`spec` has no `interval`",
    );
    slip("  interval: 1d\n", Fault::Value, "`spec.interval` is `1d`");
    slip(
        "  interval: 60\n",
        Fault::Type,
        "is the number 60, expected a string",
    );
    slip(
        "  interval: 5m\n  timeout:\n",
        Fault::Null,
        "`spec.timeout` is null",
    );
    slip(
        "  interval: 5m\n  releaseNam: a\n",
        Fault::Unknown,
        "`spec.releaseNam` is no field",
    );
    slip(
        "  interval: 5m\n  dependsOn: [{name: a, wait: true}]\n",
        Fault::Unknown,
        "`spec.dependsOn[0].wait`",
    );
    slip(
        "  interval: 5m\n  install: {crds: Replace}\n",
        Fault::Value,
        "expected `Skip`, `Create` or `CreateReplace`",
    );
    slip(
        "  interval: 5m\n  maxHistory: \"5\"\n",
        Fault::Type,
        "is the string `5`, expected a whole number",
    );
}

#[test]
fn versions_that_are_not_served_are_told() {
    let Some(definitions) = definitions() else {
        return;
    };
    let text =
        "apiVersion: helm.toolkit.fluxcd.io/v2beta1\nkind: HelmRelease\nmetadata: {name: a}\n";
    let told = said(&schemas(&definitions), text);
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].fault, Fault::NotServed);
    assert_eq!(told[0].help.as_deref(), Some("the definition serves `v2`"));
}
