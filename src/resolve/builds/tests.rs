//! Builds over small repositories.

use std::fs;
use std::path::Path;

use super::*;
use crate::load::{Request, load};

fn repository(files: &[(&str, &str)]) -> (tempfile::TempDir, Loaded) {
    let root = tempfile::tempdir().expect("temporary directory");
    for (name, text) in files {
        let path = root.path().join(name);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).expect("directory");
        fs::write(path, text).expect("file");
    }
    let request = Request {
        manifests: vec![root.path().to_path_buf()],
        ..Request::default()
    };
    let loaded = load(&request, &mut std::io::empty()).expect("readable");
    (root, loaded)
}

const POD: &str = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n";

fn flux(name: &str, path: &str) -> String {
    format!(
        "---\napiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {{name: \
         {name}, namespace: flux-system}}\nspec: {{path: {path}, sourceRef: {{kind: \
         GitRepository, name: r}}}}\n"
    )
}

#[test]
fn overlays_lay_namespaces_names_and_patches_over_their_base() {
    let overlay = "namespace: prod\nnamePrefix: my-\nresources: [../base]\npatches: [{path: \
                   patch.yaml}]\nconfigMapGenerator: [{name: g, files: [a.yaml]}]\n";
    let (_root, loaded) = repository(&[
        ("base/kustomization.yaml", "resources: [pod.yaml]\n"),
        ("base/pod.yaml", POD),
        ("prod/kustomization.yaml", overlay),
        ("prod/patch.yaml", POD),
        ("prod/a.yaml", POD),
    ]);
    let builds = Builds::read(&loaded, Role::Manifest);
    let built: Vec<_> = builds.directories().flatten().collect();
    assert_eq!(built.len(), 2);
    assert!(!built[0].patched && built[1].patched);
    assert_eq!(built[1].id.to_string(), "Pod prod/my-p");
    assert_eq!(builds.inert.len(), 2);
    assert_eq!(builds.generated[0].name, "my-g");
    assert!(!builds.opaque && builds.complete());
}

#[test]
fn kustomizations_of_one_directory_share_a_cluster_and_those_of_two_do_not() {
    let (_root, loaded) = repository(&[
        ("clusters/a/a.yaml", &(flux("x", "./x") + &flux("y", "y"))),
        ("clusters/b/a.yaml", &flux("x", "./x")),
        ("x/pod.yaml", POD),
        ("y/pod.yaml", POD),
    ]);
    let builds = Builds::read(&loaded, Role::Manifest);
    let [one, two, far] = &builds.applied[..] else {
        panic!("three Kustomizations");
    };
    assert!(one.shares_cluster(two));
    assert!(!one.shares_cluster(far));
}

#[test]
fn a_kustomization_that_a_patch_may_change_is_not_trusted() {
    let parent = flux("all", "./clusters") + "  # patched below\n";
    let parent = parent.replace(
        "spec: {",
        "spec: {patches: [{target: {kind: Kustomization}}], ",
    );
    let (_root, loaded) = repository(&[
        ("all.yaml", &parent),
        ("clusters/a.yaml", &flux("x", "./x")),
        ("x/pod.yaml", POD),
    ]);
    let builds = Builds::read(&loaded, Role::Manifest);
    let child = builds
        .applied
        .iter()
        .find(|one| one.id.name == "x")
        .expect("the child");
    assert!(child.patched && child.built.iter().all(|built| built.patched));
}

#[test]
fn what_another_repository_holds_is_not_looked_for_here() {
    let other = flux("podinfo", "./").replace("name: r", "name: podinfo");
    let (_root, loaded) = repository(&[
        ("clusters/a/self.yaml", &flux("self", "./clusters/a")),
        ("clusters/a/podinfo.yaml", &other),
    ]);
    let builds = Builds::read(&loaded, Role::Manifest);
    assert_eq!(builds.applied.len(), 1);
    assert_eq!(builds.applied[0].id.name, "self");
}
