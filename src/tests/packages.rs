//! The operator's own results over `../shared/corpus/packages`, through the real binary: what
//! `render --fail-on never` prints, and what its report says. Passes, saying so, where they are
//! absent.

#![expect(clippy::print_stdout, reason = "a test says what it skipped")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Map, Value};
use yaml_rust2::{Yaml, YamlLoader};

fn corpus() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus/packages");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: ../shared/corpus/packages is not there");
    None
}

/// What is rendered of these inputs, and the report.
fn render(corpus: &Path, inputs: &[&str], report: &Path) -> (Output, Value) {
    let done = Command::new(env!("CARGO_BIN_EXE_forebay"))
        .args(["render", "--flux", "none", "--fail-on", "never", "--report"])
        .arg(report)
        .args(inputs)
        .current_dir(corpus)
        .output()
        .expect("the binary runs");
    let report = fs::read(report).expect("the report is always written");
    (done, serde_json::from_slice(&report).expect("JSON"))
}

fn json(value: &Yaml) -> Value {
    match value {
        Yaml::Real(text) => serde_json::from_str(text).expect("a number"),
        Yaml::Integer(number) => Value::from(*number),
        Yaml::String(text) => Value::from(text.as_str()),
        Yaml::Boolean(value) => Value::Bool(*value),
        Yaml::Array(items) => items.iter().map(json).collect(),
        Yaml::Hash(entries) => entries
            .iter()
            .map(|(key, value)| {
                let key = key.as_str().expect("keys are text").to_owned();
                (key, json(value))
            })
            .collect::<Map<String, Value>>()
            .into(),
        _ => Value::Null,
    }
}

/// Kind, namespace and name of what the operator makes; `None` for everything else.
fn key(object: &Value) -> Option<[String; 3]> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let metadata = &object["metadata"];
    let kind = text(&object["kind"]);
    ["Namespace", "ArtifactGenerator", "HelmRelease"]
        .contains(&kind.as_str())
        .then(|| [kind, text(&metadata["namespace"]), text(&metadata["name"])])
}

/// The objects of a stream, none of them twice.
fn objects(stream: &[u8]) -> BTreeMap<[String; 3], Value> {
    let text = String::from_utf8_lossy(stream);
    let mut found = BTreeMap::new();
    for object in YamlLoader::load_from_str(&text).expect("the output is YAML") {
        let object = json(&object);
        if let Some(key) = key(&object) {
            let twice = found.insert(key.clone(), object).is_some();
            assert!(!twice, "{key:?} stands twice");
        }
    }
    found
}

/// Of two claims of one release the first counts, and what the inputs hold besides is not the
/// operator's.
fn expected_objects(expected: &Value) -> BTreeMap<[String; 3], Value> {
    let mut wanted = BTreeMap::new();
    for object in expected["objects"].as_array().expect("a list") {
        if let Some(key) = key(object) {
            wanted.entry(key).or_insert_with(|| object.clone());
        }
    }
    wanted
}

/// Level, reason and subject of every finding about packages.
fn told(report: &Value) -> Vec<[String; 3]> {
    let mut told = Vec::new();
    for finding in report["findings"].as_array().expect("a list") {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let object = &finding["object"];
        let (kind, namespace, name) = (
            text(&object["kind"]),
            text(&object["namespace"]),
            text(&object["name"]),
        );
        let subject = match (kind.as_str(), text(&finding["rule"]).as_str()) {
            (_, "depends-on-cycle") => "HelmReleases".to_owned(),
            (_, "helm-release-collision") => format!("Helm release {namespace}/{name}"),
            ("HelmRelease" | "ExternalArtifact" | "Secret", _) => {
                format!("{kind}/{namespace}/{name}")
            }
            _ => format!("{kind}/{name}"),
        };
        let reasons = finding["ids"].as_array().into_iter().flatten().map(text);
        let reasons = reasons.filter(|id| !id.ends_with(|c: char| c.is_ascii_digit()));
        told.extend(reasons.map(|id| [text(&finding["level"]), id, subject.clone()]));
    }
    told.sort();
    told
}

fn expected_findings(expected: &Value) -> Vec<[String; 3]> {
    let mut all: Vec<[String; 3]> = expected["errors"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|error| {
            let text = |key: &str| error[key].as_str().expect("text").to_owned();
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

fn read(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).expect("it is there")).expect("JSON")
}

/// The stems of the expected files in a folder, in order.
fn stems(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).expect("a folder").flatten();
    let mut stems: Vec<String> = files
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    stems.sort();
    stems
}

/// Renders and compares; says what differs.
fn compare(corpus: &Path, inputs: &[&str], expected: &str) -> Option<String> {
    let place = tempfile::tempdir().expect("a folder for the report");
    let (done, report) = render(corpus, inputs, &place.path().join("report.json"));
    let wanted = read(&corpus.join(expected));
    let (made, findings) = (objects(&done.stdout), told(&report));
    let mut wrong = Vec::new();
    if done.status.code() != Some(0) {
        wrong.push(format!("ends with {:?}", done.status.code()));
    }
    let wanted_objects = expected_objects(&wanted);
    for (key, object) in &wanted_objects {
        if made.get(key) != Some(object) {
            wrong.push(format!("{key:?} is {:?}, wanted {object}", made.get(key)));
        }
    }
    let written = fs::read_to_string(corpus.join(inputs[0])).unwrap_or_default();
    for key in made.keys().filter(|key| !wanted_objects.contains_key(*key)) {
        // An object that stands among the inputs is passed on.
        if !written.contains(&format!("kind: {}\n", key[0])) {
            wrong.push(format!("{key:?} is extra"));
        }
    }
    if findings != expected_findings(&wanted) {
        wrong.push(format!(
            "says {findings:#?}, wanted {:#?}",
            expected_findings(&wanted)
        ));
    }
    (!wrong.is_empty()).then(|| format!("{expected}: {}", wrong.join("\n")))
}

#[test]
fn every_edge_is_rendered_as_the_operator_makes_it() {
    let Some(corpus) = corpus() else { return };
    let names = stems(&corpus.join("expected/edge"));
    assert!(names.len() > 30, "{names:?}");
    let wrong: Vec<String> = names
        .iter()
        .filter_map(|name| {
            let input = format!("edge/{name}.yaml");
            compare(&corpus, &[&input], &format!("expected/edge/{name}.json"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_set_is_rendered_as_the_operator_makes_it() {
    let Some(corpus) = corpus() else { return };
    let mut wrong = Vec::new();
    for name in stems(&corpus.join("expected")) {
        let (packages, platform) = (
            format!("packages/{name}.yaml"),
            format!("platform/{name}.yaml"),
        );
        let inputs = [
            packages.as_str(),
            &platform,
            "sources",
            "platform-packagesource.yaml",
        ];
        wrong.extend(compare(&corpus, &inputs, &format!("expected/{name}.json")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn tables_of_the_secret_are_put_on_every_release_or_refused() {
    let Some(corpus) = corpus() else { return };
    let mut wrong = Vec::new();
    for name in stems(&corpus.join("expected/overrides")) {
        let secret = format!("overrides/{name}.yaml");
        let inputs = ["edge/name-defaults.yaml", secret.as_str()];
        let expected = format!("expected/overrides/{name}.json");
        let wanted = read(&corpus.join(&expected));
        let errors = expected_findings(&wanted);
        if !errors.iter().any(|[level, ..]| level == "error") {
            // An entry that changes nothing is a warning, so the release is made all the same.
            if errors.is_empty() {
                wrong.extend(compare(&corpus, &inputs, &expected));
            }
            continue;
        }
        let place = tempfile::tempdir().expect("a folder for the report");
        let (done, report) = render(&corpus, &inputs, &place.path().join("report.json"));
        if done.status.code() != Some(1) || !done.stdout.is_empty() {
            wrong.push(format!("{name} is rendered"));
        }
        if told(&report) != errors {
            wrong.push(format!("{name}: {:?}, wanted {errors:?}", told(&report)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn thousands_of_packages_in_a_ring_are_told_and_nothing_is_written() {
    const COUNT: usize = 5_000;
    let place = tempfile::tempdir().expect("a folder");
    let pair = |at: usize| {
        let next = (at + 1) % COUNT;
        format!(
            "---\napiVersion: cozystack.io/v1alpha1\nkind: PackageSource\nmetadata: {{name: p{at}}}\n\
             spec:\n  sourceRef: {{kind: OCIRepository, name: s, namespace: cozy-system}}\n  \
             variants: [{{name: default, dependsOn: [p{next}], components: [{{name: a, path: a, \
             install: {{namespace: n{at}}}}}]}}]\n---\napiVersion: cozystack.io/v1alpha1\nkind: \
             Package\nmetadata: {{name: p{at}}}\nspec: {{}}\n"
        )
    };
    let estate = (0..COUNT).map(pair).collect::<Vec<_>>().concat();
    fs::write(place.path().join("estate.yaml"), estate).expect("a file");
    let done = Command::new(env!("CARGO_BIN_EXE_forebay"))
        .args([
            "render",
            "estate.yaml",
            "-o",
            "out",
            "--report",
            "report.json",
        ])
        .current_dir(place.path())
        .output()
        .expect("the binary runs");
    assert_eq!(done.status.code(), Some(1));
    assert!(!place.path().join("out").exists());
    let report = read(&place.path().join("report.json"));
    let findings = report["findings"].as_array().expect("a list");
    assert_eq!(findings.len(), COUNT);
    assert!(
        findings
            .iter()
            .all(|finding| finding["line"].as_u64() > Some(1))
    );
}
