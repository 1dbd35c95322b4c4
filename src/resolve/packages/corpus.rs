//! The operator's own results over the shared corpus, compared object by object and finding by
//! finding. Passes, and says so, where the corpus is not at hand.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{Estate, OperatorSettings, PlatformTable, Rendered, render};
use crate::finding::Finding;
use crate::model::Spanned;
use crate::model::overrides::{Override, OverrideTable};
use crate::resolve::claims::{Claims, one_object, one_release};
use crate::resolve::releases::releases;
use crate::source::SourceMap;
use crate::yaml::{Doc, read_all};

fn corpus() -> Option<PathBuf> {
    let corpus = Path::new("../shared/corpus/packages");
    if !corpus.is_dir() {
        eprintln!("skipped: {} is not there", corpus.display());
        return None;
    }
    Some(corpus.to_owned())
}

fn files(directory: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    files.sort();
    files
}

fn read(paths: &[PathBuf]) -> Vec<Doc> {
    let mut map = SourceMap::default();
    let mut docs = Vec::new();
    for path in paths {
        let source = map.add(
            path.display().to_string(),
            fs::read_to_string(path).unwrap(),
        );
        for doc in read_all(&source) {
            docs.push(doc.unwrap_or_else(|malformed| panic!("{path:?}: {malformed:?}")));
        }
    }
    docs
}

fn estate(docs: &[Doc]) -> Estate {
    let mut estate = Estate::default();
    let roots = docs.iter().filter_map(Doc::root);
    roots.for_each(|root| estate.add(root));
    estate
}

/// The findings about Packages, and those about claims that meet.
fn findings(docs: &[Doc], rendered: &Rendered) -> Vec<Finding> {
    let releases = releases(docs.iter().filter_map(Doc::root), rendered);
    let claims = Claims::of(&releases);
    let mut findings = rendered.findings.clone();
    findings.extend(one_release::collisions(&claims));
    let packages = &rendered.claims;
    findings.extend(one_object::collisions(
        packages,
        &claims,
        one_object::MOVE_ANNOTATION,
        None,
    ));
    findings
}

fn key(object: &Value) -> [String; 3] {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let metadata = &object["metadata"];
    [
        text(&object["kind"]),
        text(&metadata["namespace"]),
        text(&metadata["name"]),
    ]
}

fn objects(rendered: &Rendered) -> Vec<Value> {
    let namespaces = rendered.namespaces.iter().map(super::Namespace::value);
    let generators = rendered.generators.iter().map(super::Generator::value);
    let releases = rendered.releases.iter().map(super::Release::value);
    namespaces.chain(generators).chain(releases).collect()
}

/// Level, reason and subject, once for each reason that a finding answers to.
fn told(finding: &Finding) -> Vec<[String; 3]> {
    let object = finding
        .object()
        .unwrap_or_else(|| panic!("no object: {}", finding.message));
    let subject = match object.kind.as_str() {
        _ if finding.rule == "depends-on-cycle" => "HelmReleases".to_owned(),
        "HelmRelease" if finding.rule == "helm-release-collision" => {
            format!("Helm release {}/{}", object.namespace, object.name)
        }
        "HelmRelease" | "ExternalArtifact" => {
            format!("{}/{}/{}", object.kind, object.namespace, object.name)
        }
        _ => format!("{}/{}", object.kind, object.name),
    };
    let reasons = finding
        .ids
        .iter()
        .filter(|id| !id.ends_with(|c: char| c.is_ascii_digit()));
    reasons
        .map(|id| [finding.level.to_string(), (*id).to_owned(), subject.clone()])
        .collect()
}

fn expected_findings(expected: &Value) -> Vec<[String; 3]> {
    let mut all: Vec<[String; 3]> = expected["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|error| {
            let text = |key: &str| error[key].as_str().unwrap().to_owned();
            let subject = text("subject");
            let subject = match subject.split_once(' ') {
                Some((object, _)) if object.starts_with("Package") => object.to_owned(),
                _ => subject,
            };
            [text("severity"), text("reason"), subject]
        })
        .collect();
    all.sort();
    all
}

fn compare(name: &str, docs: &[Doc], rendered: &Rendered, expected: &Path) {
    let expected: Value = serde_json::from_str(&fs::read_to_string(expected).unwrap()).unwrap();
    let group = |objects: Vec<Value>| {
        let mut groups: BTreeMap<[String; 3], Vec<Value>> = BTreeMap::new();
        for object in objects {
            groups.entry(key(&object)).or_default().push(object);
        }
        groups
    };
    let mut wanted = expected["objects"].as_array().unwrap().clone();
    wanted.retain(|object| object["kind"] != "ExternalArtifact");
    let (wanted, made) = (group(wanted), group(objects(rendered)));
    let names =
        |groups: &BTreeMap<[String; 3], Vec<Value>>| groups.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&made), names(&wanted), "{name}: objects");
    for (key, wanted) in &wanted {
        assert_eq!(&made[key], wanted, "{name}: {key:?}");
    }
    let findings = findings(docs, rendered);
    let mut made: Vec<[String; 3]> = findings.iter().flat_map(told).collect();
    made.sort();
    assert_eq!(made, expected_findings(&expected), "{name}: {findings:#?}");
}

#[test]
fn every_edge_is_made_as_the_operator_makes_it() {
    let Some(corpus) = corpus() else { return };
    for expected in files(&corpus.join("expected/edge"), "json") {
        let name = expected.file_stem().unwrap().to_str().unwrap();
        let docs = read(&[corpus.join(format!("edge/{name}.yaml"))]);
        let estate = estate(&docs);
        let rendered = render(
            &estate,
            &OperatorSettings::default(),
            PlatformTable::Unknown,
        );
        compare(name, &docs, &rendered, &expected);
    }
}

#[test]
fn every_real_set_is_made_as_the_operator_makes_it() {
    let Some(corpus) = corpus() else { return };
    for expected in files(&corpus.join("expected"), "json") {
        let name = expected.file_stem().unwrap().to_str().unwrap();
        let mut paths = files(&corpus.join("sources"), "yaml");
        paths.push(corpus.join("platform-packagesource.yaml"));
        for directory in ["packages", "platform"] {
            let path = corpus.join(format!("{directory}/{name}.yaml"));
            if path.is_file() {
                paths.push(path);
            }
        }
        let docs = read(&paths);
        let estate = estate(&docs);
        let rendered = render(
            &estate,
            &OperatorSettings::default(),
            PlatformTable::Unknown,
        );
        compare(name, &docs, &rendered, &expected);
    }
}

/// The table under `_cluster.image-overrides` of a values Secret; good ones only.
fn table(path: &Path) -> OverrideTable {
    let mut map = SourceMap::default();
    let secret = map.add("secret", fs::read_to_string(path).unwrap());
    let docs = read_all(&secret);
    let root = docs[0].as_ref().unwrap().root().unwrap();
    let values = map.add(
        "values",
        root.text_at(&["stringData", "values.yaml"]).unwrap(),
    );
    let docs = read_all(&values);
    let root = docs[0].as_ref().unwrap().root().unwrap();
    let list = root.at(&["_cluster", "image-overrides"]);
    let entries = list
        .into_iter()
        .flat_map(crate::yaml::Node::items)
        .map(|entry| {
            let text = |key: &str| {
                let value = entry.text_at(&[key])?.to_owned();
                Some(Spanned {
                    value,
                    span: entry.span(),
                })
            };
            Override {
                name: text("name"),
                new_name: text("newName"),
                new_tag: text("newTag"),
                digest: text("digest"),
                ..Override::default()
            }
        });
    OverrideTable {
        entries: entries.collect(),
        ..OverrideTable::default()
    }
}

#[test]
fn the_platform_table_is_put_on_every_release() {
    let Some(corpus) = corpus() else { return };
    let docs = read(&[corpus.join("edge/name-defaults.yaml")]);
    let estate = estate(&docs);
    for name in ["table", "empty", "absent"] {
        let table = table(&corpus.join(format!("overrides/{name}.yaml")));
        let rendered = render(
            &estate,
            &OperatorSettings::default(),
            PlatformTable::Known(&table),
        );
        compare(
            name,
            &docs,
            &rendered,
            &corpus.join(format!("expected/overrides/{name}.json")),
        );
    }
}

#[test]
fn a_refused_table_leaves_the_generators_alone() {
    let Some(corpus) = corpus() else { return };
    let docs = read(&[corpus.join("edge/name-defaults.yaml")]);
    let estate = estate(&docs);
    let rendered = render(
        &estate,
        &OperatorSettings::default(),
        PlatformTable::Refused,
    );
    assert_eq!(rendered.generators.len(), 1);
    assert!(rendered.namespaces.is_empty() && rendered.releases.is_empty());
}
