//! What installs Flux from inside a cluster: the binary alone in an empty root, on folders of links
//! as a mounted ConfigMap has them, the image that `scripts/image` packs, and the manifests of
//! `scripts/installer-job.yaml`.
//!
//! `FOREBAY_STATIC` names a static binary; without it the debug binary runs with the libraries that
//! it asks for, and no image is packed. What needs root, umoci, skopeo or `kubernetes-validate` and
//! has none passes, saying so.

#![cfg(target_os = "linux")]
#![expect(clippy::print_stdout, reason = "a test says what it skipped")]

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

const TABLE: &str = "cozystackOperator:\n  fluxImageOverrides:\n  - name: ghcr.io/fluxcd/helm-controller\n    newName: registry.example.org/helm-controller\n";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn forebay(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_forebay"))
        .args(arguments)
        .current_dir(root())
        .output()
        .expect("the binary runs")
}

fn said(done: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!("{}{}", text(&done.stdout), text(&done.stderr))
}

fn runs(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

/// A folder as kubelet mounts a ConfigMap: `name -> ..data/name`, `..data -> ..2026_01_01`.
fn mounted(folder: &Path, files: &[(&str, &str)]) {
    let hidden = folder.join("..2026_01_01_00_00_00.1");
    fs::create_dir_all(&hidden).expect("a folder");
    symlink("..2026_01_01_00_00_00.1", folder.join("..data")).expect("a link");
    for (name, text) in files {
        fs::write(hidden.join(name), text).expect("a file");
        symlink(format!("..data/{name}"), folder.join(name)).expect("a link");
    }
}

/// Puts the binary at `/forebay`, and where it is not static the libraries that it names.
fn installed(place: &Path) {
    if let Some(binary) = std::env::var_os("FOREBAY_STATIC") {
        fs::copy(binary, place.join("forebay")).expect("the static binary");
        return;
    }
    println!("FOREBAY_STATIC is not set: the debug binary runs beside its libraries");
    fs::copy(env!("CARGO_BIN_EXE_forebay"), place.join("forebay")).expect("the binary");
    let listed = Command::new("ldd")
        .arg(env!("CARGO_BIN_EXE_forebay"))
        .output()
        .expect("ldd runs");
    for word in String::from_utf8_lossy(&listed.stdout).split_whitespace() {
        if word.starts_with('/') {
            let library = place.join(word.trim_start_matches('/'));
            fs::create_dir_all(library.parent().expect("it stands in a folder")).expect("a folder");
            fs::copy(word, library).expect("a library");
        }
    }
}

/// Runs `/forebay` with the folder as its root, by the first way that the machine allows.
fn in_root(place: &Path, arguments: &[&str]) -> Option<Output> {
    let ways: [&[&str]; 3] = [
        &["chroot"],
        &["unshare", "--map-root-user", "chroot"],
        &["sudo", "-n", "chroot"],
    ];
    let command = |way: &[&str], last: &[&str]| {
        Command::new(way[0])
            .args(&way[1..])
            .arg(place)
            .arg("/forebay")
            .args(last)
            .env_clear()
            .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
            .output()
    };
    let way = ways
        .iter()
        .find(|way| command(way, &["--version"]).is_ok_and(|done| done.status.success()));
    let Some(way) = way else {
        println!("skipped: nobody here may change the root of a process");
        return None;
    };
    Some(command(way, arguments).expect("it ran a moment ago"))
}

#[test]
fn the_binary_runs_alone_in_an_empty_root_on_a_mounted_config_map() {
    let place = tempfile::tempdir().expect("a folder");
    let at = |name: &str| place.path().join(name);
    installed(place.path());
    let read = |name: &str| fs::read_to_string(root().join("src/load/embedded").join(name));
    let (flux, service) = (read("fluxcd.yaml"), read("fluxcd-service.yaml"));
    mounted(
        &at("inputs/flux"),
        &[
            ("fluxcd.yaml", &flux.expect("the set")),
            ("fluxcd-service.yaml", &service.expect("the set")),
        ],
    );
    mounted(&at("inputs/values"), &[("values.yaml", TABLE)]);
    mounted(&at("inputs/secret"), &[("values.yaml", "{}\n")]);
    fs::create_dir(at("rendered")).expect("a folder");
    let arguments = job_arguments("render");
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let Some(done) = in_root(place.path(), &arguments) else {
        return;
    };
    assert!(done.status.success(), "{}", said(&done));
    let deployment = at("rendered/tree/2-objects/cozy-fluxcd/deployment.apps_flux.yaml");
    let text = fs::read_to_string(deployment).expect("it is rendered");
    assert!(
        text.contains("image: registry.example.org/helm-controller:"),
        "{text}"
    );
    assert!(at("rendered/tree/1-definitions").is_dir());

    // A finding is 1, which ends the Job, and leaves nothing to apply.
    fs::remove_dir_all(at("inputs/secret")).expect("it was made");
    mounted(
        &at("inputs/secret"),
        &[(
            "values.yaml",
            "cozystackOperator: {fluxImageOverrides: [{name: 1}]}\n",
        )],
    );
    let elsewhere: Vec<&str> = arguments
        .iter()
        .map(|it| {
            if it.starts_with("--output") {
                "--output=/rendered/other"
            } else {
                it
            }
        })
        .collect();
    let done = in_root(place.path(), &elsewhere).expect("it ran before");
    assert_eq!(done.status.code(), Some(1), "{}", said(&done));
    assert!(!at("rendered/other").exists());
    // What is not there is 2.
    fs::remove_dir_all(at("inputs/secret")).expect("it was made");
    let done = in_root(place.path(), &elsewhere).expect("it ran before");
    assert_eq!(done.status.code(), Some(2), "{}", said(&done));
}

#[test]
fn the_image_is_the_binary_alone_and_packed_to_the_same_bytes() {
    let Some(binary) = std::env::var_os("FOREBAY_STATIC") else {
        println!("skipped: FOREBAY_STATIC is not set, no image is packed");
        return;
    };
    if let Some(missing) = ["umoci", "skopeo", "jq"].iter().find(|it| !runs(it)) {
        println!("skipped: {missing} is not installed, no image is packed");
        return;
    }
    let place = tempfile::tempdir().expect("a folder");
    let pack = |name: &str| {
        let done = Command::new(root().join("scripts/image"))
            .arg("--binary")
            .arg(&binary)
            .arg("--output")
            .arg(place.path().join(name))
            .output()
            .expect("the script runs");
        assert!(done.status.success(), "{}", said(&done));
        let text = String::from_utf8_lossy(&done.stdout).into_owned();
        let digest = text.split("sha256:").nth(1).expect("it prints the digest");
        digest.to_owned()
    };
    assert_eq!(pack("one"), pack("two"));
    let layout = format!(
        "oci:{}:{}",
        place.path().join("one").display(),
        env!("CARGO_PKG_VERSION")
    );
    let inspect = |arguments: &[&str]| -> Value {
        let done = Command::new("skopeo")
            .arg("inspect")
            .args(arguments)
            .arg(&layout)
            .output();
        let done = done.expect("skopeo runs");
        serde_json::from_slice(&done.stdout).unwrap_or_else(|_| panic!("{}", said(&done)))
    };
    let config = &inspect(&["--config"])["config"];
    assert_eq!(config["Entrypoint"], serde_json::json!(["/forebay"]));
    assert_eq!(config["User"], "65532:65532");
    let layer = inspect(&[])["Layers"][0]
        .as_str()
        .expect("a layer")
        .replace(':', "/");
    let listed = Command::new("tar")
        .args(["--list", "--numeric-owner", "--verbose", "--gzip", "--file"])
        .arg(place.path().join("one/blobs").join(layer))
        .output()
        .expect("tar runs");
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    assert_eq!(listed.lines().count(), 1, "{listed}");
    assert!(listed.starts_with("-rwxr-xr-x 0/0 "), "{listed}");

    let refused = Command::new(root().join("scripts/image"))
        .args(["--binary", "/bin/sh", "--output"])
        .arg(place.path().join("three"))
        .output()
        .expect("the script runs");
    assert!(
        said(&refused).contains("is not static"),
        "{}",
        said(&refused)
    );
}

/// The objects of a file or a tree, as the JSON of a comparison with nothing has them.
fn objects(path: &str) -> Vec<Value> {
    let nothing = tempfile::NamedTempFile::with_suffix(".yaml").expect("a file");
    let nothing = nothing.path().to_string_lossy().into_owned();
    let done = forebay(&["diff", &nothing, path, "--format", "json"]);
    let listed: Value = serde_json::from_slice(&done.stdout).expect("JSON");
    let objects = listed["objects"].as_array().expect("a list of objects");
    objects
        .iter()
        .map(|it| it["patch"][0]["value"].clone())
        .collect()
}

fn job() -> Vec<Value> {
    objects("scripts/installer-job.yaml")
}

fn of_kind<'a>(objects: &'a [Value], kind: &str) -> &'a Value {
    let found = objects.iter().find(|it| it["kind"] == kind);
    found.unwrap_or_else(|| panic!("no {kind}"))
}

fn texts(list: &Value) -> Vec<String> {
    let list = list.as_array().into_iter().flatten();
    list.map(|it| it.as_str().expect("a text").to_owned())
        .collect()
}

fn containers(objects: &[Value]) -> Vec<Value> {
    let pod = &of_kind(objects, "Job")["spec"]["template"]["spec"];
    let lists = [&pod["initContainers"], &pod["containers"]];
    lists
        .iter()
        .flat_map(|it| it.as_array().expect("a list").clone())
        .collect()
}

fn job_arguments(container: &str) -> Vec<String> {
    let all = containers(&job());
    let found = all.iter().find(|it| it["name"] == container);
    texts(&found.expect("the container")["args"])
}

#[test]
fn the_manifests_of_the_job_pass_the_check_and_their_schemas() {
    let path = "scripts/installer-job.yaml";
    let done = forebay(&["check", path, "--fail-on", "note"]);
    assert!(done.status.success(), "{}", said(&done));
    let Ok(done) = Command::new("kubernetes-validate")
        .args(["--strict", path])
        .current_dir(root())
        .output()
    else {
        println!("skipped: kubernetes-validate is not installed, no schema is looked at");
        return;
    };
    assert!(done.status.success(), "{}", said(&done));
    assert_eq!(
        said(&done).matches(" passed for resource ").count(),
        5,
        "{}",
        said(&done)
    );
}

#[test]
fn every_container_of_the_job_is_locked_in_and_none_takes_a_field_by_force() {
    let objects = job();
    let pod = &of_kind(&objects, "Job")["spec"]["template"]["spec"];
    assert_eq!(pod["securityContext"]["runAsNonRoot"], true);
    let all = containers(&objects);
    let names: Vec<&str> = all.iter().filter_map(|it| it["name"].as_str()).collect();
    assert_eq!(names, ["render", "definitions", "established", "objects"]);
    for container in &all {
        let locked = &container["securityContext"];
        assert_eq!(locked["readOnlyRootFilesystem"], true);
        assert_eq!(locked["allowPrivilegeEscalation"], false);
        assert_eq!(texts(&locked["capabilities"]["drop"]), ["ALL"]);
        let arguments = texts(&container["args"]);
        assert!(
            !arguments.iter().any(|it| it.contains("force")),
            "{arguments:?}"
        );
        if arguments[0] == "apply" {
            for needed in ["--server-side", "--field-manager=forebay-installer"] {
                assert!(arguments.iter().any(|it| it == needed), "{arguments:?}");
            }
        }
        let mounts = container["volumeMounts"].as_array().expect("a list");
        let mounted = |name: &str| mounts.iter().any(|it| it["name"] == name);
        let render = container["name"] == "render";
        assert_eq!(
            mounted("token"),
            !render,
            "who asks the API server has the token"
        );
        assert_eq!(mounted("secret"), render, "who renders reads the Secret");
    }
}

/// What a rule of the role names: group, resource and name.
type Named = (String, String, String);

fn granted(verb: &str) -> BTreeSet<Named> {
    let objects = job();
    let rules = of_kind(&objects, "ClusterRole")["rules"]
        .as_array()
        .expect("rules")
        .clone();
    let mut found = BTreeSet::new();
    for rule in rules
        .iter()
        .filter(|it| texts(&it["verbs"]).iter().any(|it| it == verb))
    {
        for group in texts(&rule["apiGroups"]) {
            for resource in texts(&rule["resources"]) {
                let names = texts(&rule["resourceNames"]);
                assert!(!names.is_empty(), "{resource} is granted by name");
                found.extend(
                    names
                        .into_iter()
                        .map(|name| (group.clone(), resource.clone(), name)),
                );
            }
        }
    }
    found
}

/// What applying the set takes, as a rule would name it.
fn applied(set: &str) -> BTreeSet<Named> {
    let mut named = BTreeSet::new();
    for object in objects(set) {
        let text = |it: &Value| it.as_str().expect("a text").to_owned();
        let version = text(&object["apiVersion"]);
        let group = version.split_once('/').map_or("", |(group, _)| group);
        let resource = format!("{}s", text(&object["kind"]).to_lowercase());
        named.insert((
            group.to_owned(),
            resource,
            text(&object["metadata"]["name"]),
        ));
    }
    named
}

fn sets() -> Vec<PathBuf> {
    let other = root().join("../shared/corpus/flux");
    if !other.is_dir() {
        println!("skipped: ../shared/corpus/flux is not there");
        return vec![root().join("src/load/embedded")];
    }
    vec![root().join("src/load/embedded"), other]
}

#[test]
fn the_role_names_what_the_flux_set_holds_and_nothing_else() {
    for set in sets() {
        let applied = applied(&set.to_string_lossy());
        for verb in ["get", "create", "patch"] {
            assert_eq!(granted(verb), applied, "{verb} for {}", set.display());
        }
        let definitions: BTreeSet<Named> = applied
            .iter()
            .filter(|(_, resource, _)| resource == "customresourcedefinitions")
            .cloned()
            .collect();
        assert_eq!(granted("watch"), definitions);
        let waited: BTreeSet<String> = job_arguments("established").into_iter().skip(5).collect();
        let names = definitions.into_iter().map(|(_, _, name)| name);
        assert_eq!(waited, names.collect::<BTreeSet<_>>());
        for object in objects(&set.to_string_lossy()) {
            let name = |it: &Value| it["name"].as_str().expect("a name").to_owned();
            let (verb, name) = match object["kind"].as_str() {
                Some("ClusterRole") => ("escalate", name(&object["metadata"])),
                Some("ClusterRoleBinding") => ("bind", name(&object["roleRef"])),
                _ => continue,
            };
            let roles = (
                "rbac.authorization.k8s.io".to_owned(),
                "clusterroles".to_owned(),
                name,
            );
            assert_eq!(granted(verb), BTreeSet::from([roles]));
        }
    }
    assert_eq!(granted("delete"), BTreeSet::new());
    assert_eq!(granted("*"), BTreeSet::new());
}
