//! Objects that are made of Packages, as the real kubectl reads them: the values are those that it
//! reads in the Package, and the corpus' objects are the operator's own.

#![expect(clippy::print_stdout, reason = "a test says what it skipped")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Deserializer, Value};

/// The objects of a file as kubectl would send them, by kind, namespace and name.
fn read(kubectl: &str, file: &Path) -> BTreeMap<[String; 3], Value> {
    let done = Command::new(kubectl)
        .args(["annotate", "--local", "-o", "json", "read=back", "-f"])
        .arg(file)
        .output()
        .expect("kubectl runs");
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{said}");
    let mut found = BTreeMap::new();
    for object in Deserializer::from_slice(&done.stdout).into_iter::<Value>() {
        let mut object = object.expect("JSON");
        let metadata = object["metadata"].as_object_mut().expect("a mapping");
        let annotations = metadata["annotations"].as_object_mut().expect("a mapping");
        assert_eq!(annotations.remove("read"), Some(Value::from("back")));
        if annotations.is_empty() {
            metadata.remove("annotations");
        }
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let key = [
            text(&object["kind"]),
            text(&object["metadata"]["namespace"]),
            text(&object["metadata"]["name"]),
        ];
        found.insert(key, object);
    }
    found
}

/// What is rendered, in a file.
fn render(place: &Path, folder: &Path, inputs: &[&str]) -> std::path::PathBuf {
    let done = Command::new(env!("CARGO_BIN_EXE_forebay"))
        .args(["render", "--flux", "none", "--fail-on", "never"])
        .args(inputs)
        .current_dir(folder)
        .output()
        .expect("the binary runs");
    assert!(done.status.success());
    let file = place.join("rendered.yaml");
    fs::write(&file, done.stdout).expect("a file");
    file
}

fn kubectl() -> Option<String> {
    let kubectl = std::env::var("FOREBAY_KUBECTL").ok();
    if kubectl.is_none() {
        println!("skipped: FOREBAY_KUBECTL is not set, objects are not read back by kubectl");
    }
    kubectl
}

#[test]
fn values_reach_the_release_as_kubectl_reads_them_in_the_package() {
    let Some(kubectl) = kubectl() else { return };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/packages/awkward");
    let place = tempfile::tempdir().expect("a folder");
    let given = read(&kubectl, &folder.join("estate.yaml"));
    let made = read(&kubectl, &render(place.path(), &folder, &["estate.yaml"]));
    let key = |kind: &str, namespace: &str, name: &str| [kind, namespace, name].map(str::to_owned);
    let package = &given[&key("Package", "", "shop.app")]["spec"];
    let source = &given[&key("PackageSource", "", "shop.app")]["spec"];
    let component = &source["variants"][0]["components"][0];
    let release = &made[&key("HelmRelease", "cozy-app", "app")];
    assert_eq!(
        release["spec"]["values"],
        package["components"]["app"]["values"]
    );
    assert_eq!(
        release["spec"]["healthCheckExprs"],
        component["install"]["healthCheckExprs"]
    );
    assert_eq!(
        release["metadata"]["annotations"]["cozyhr.cozystack.io/values-files"],
        "yes.yaml,0x10"
    );
    assert_eq!(made.len(), 3);
}

#[test]
fn objects_of_the_corpus_are_read_back_as_the_operator_makes_them() {
    let Some(kubectl) = kubectl() else { return };
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus/packages");
    let Ok(files) = fs::read_dir(corpus.join("expected")) else {
        println!("skipped: ../shared/corpus/packages is not there");
        return;
    };
    let place = tempfile::tempdir().expect("a folder");
    let mut sets = 0;
    for path in files.flatten().map(|entry| entry.path()) {
        if path.extension().is_none_or(|ending| ending != "json") {
            continue;
        }
        let name = path
            .file_stem()
            .and_then(|stem| stem.to_str())
            .expect("a name");
        let own = [
            format!("packages/{name}.yaml"),
            format!("platform/{name}.yaml"),
        ];
        let inputs = [&own[0], &own[1], "sources", "platform-packagesource.yaml"];
        let made = read(&kubectl, &render(place.path(), &corpus, &inputs));
        let expected = fs::read(&path).expect("it is there");
        let expected: Value = serde_json::from_slice(&expected).expect("JSON");
        let mut compared = 0;
        for wanted in expected["objects"].as_array().expect("a list") {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let key = [
                text(&wanted["kind"]),
                text(&wanted["metadata"]["namespace"]),
                text(&wanted["metadata"]["name"]),
            ];
            if key[0] != "ExternalArtifact" {
                assert_eq!(made.get(&key), Some(wanted), "{name}: {key:?}");
                compared += 1;
            }
        }
        assert_eq!(compared, made.len(), "{name}");
        sets += 1;
    }
    println!("the objects of {sets} sets are read back");
}
