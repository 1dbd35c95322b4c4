//! `rewrite --mode build` against the real `kubectl kustomize`: what kustomize makes of an input
//! with images is what it makes of our output without any, byte for byte.
//!
//! `FOREBAY_KUBECTL` names kubectl 1.35 with kustomize 5.7.1; `scripts/test` brings it. Passes,
//! saying so, without it.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

#[path = "kubectl/objects.rs"]
mod objects;

/// Names, images and results that meet in every way that matters: registries with ports, digests,
/// dots, placeholders, tags that look like numbers.
const IMAGES: [&str; 16] = [
    "nginx",
    "nginx:1",
    "nginx:1.20",
    "nginx@sha256:ab",
    "nginx:1@sha256:ab",
    "docker.io/library/nginx:1",
    "registry.example.org:5000/a/b:v1",
    "registry.example.org/a/b@sha256:cd",
    "registry-example.org/a/b:1",
    "localhost:5000/x",
    "redis:7+build",
    "redis@sha512:ab",
    "quay.io/a.b/c_d:x-1",
    "'nginx:{{tag}}'",
    "\"nginx:1\"",
    "ghcr.io/fluxcd/helm-controller:v1.5.0",
];

const ENTRIES: [&str; 10] = [
    r#"{"name": "nginx", "newTag": "2"}"#,
    r#"{"name": "nginx", "newName": "mirror.example.org/nginx"}"#,
    r#"{"name": "registry.example.org:5000/a/b", "newName": "m/a", "newTag": "1.20"}"#,
    r#"{"name": "registry.example.org/a/b", "digest": "sha256:ef"}"#,
    r#"{"name": "docker.io/library/nginx", "newName": "nginx"}"#,
    r#"{"name": "redis", "newTag": "8", "digest": "sha256:01"}"#,
    r#"{"name": "mirror.example.org/nginx", "newTag": "3"}"#,
    r#"{"name": "(quay|ghcr)\\.io/.*", "newTag": "x"}"#,
    r#"{"name": "localhost:5000/x", "newName": "123"}"#,
    r#"{"name": "nginx", "newName": "nginx:5"}"#,
];

/// Where an image may stand; `@` is the image.
const SHAPES: [&str; 8] = [
    "apiVersion: v1\nkind: Pod\nmetadata: {name: NAME}\nspec:\n  containers:\n  - name: a\n    image: @ # c\n",
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: NAME}\nspec:\n  template:\n    spec:\n      initContainers:\n      - {name: a, image: @}\n      containers:\n      - image: &i @\n        name: b\n      - image: *i\n        name: c\n",
    "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: NAME}\nspec:\n  jobTemplate:\n    spec:\n      template:\n        spec:\n          containers:\n          - name: a\n            image: @\n",
    "apiVersion: example.org/v1\nkind: Widget\nmetadata: {name: NAME}\nspec:\n  image: @\n  steps:\n  - - inner:\n        containers:\n        - image: @\n",
    "apiVersion: v1\nkind: Pod\nmetadata: {name: NAME}\nspec:\n  containers:\n  - name: a\n    image: x\n  volumes:\n  - name: v\n    image:\n      reference: @\n",
    "apiVersion: example.org/v1\nkind: Widget\nmetadata: {name: NAME}\ny: &base\n  image: @\nspec:\n  containers:\n  - <<: *base\n    name: a\n  - *base\n",
    "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: NAME}\nspec:\n  containers:\n  - image: @\n",
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: NAME}\ndata:\n  containers: \"@\"\n  text: |\n    image: nginx:1\n",
];

/// A small generator of numbers (xorshift), so that every run tries the same.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % most as u64).expect("less than a usize")
    }
}

fn manifests(numbers: &mut Numbers) -> String {
    let mut text = String::new();
    for at in 0..12 {
        let shape = SHAPES[numbers.below(SHAPES.len())];
        let mut image = IMAGES[numbers.below(IMAGES.len())];
        if shape.contains("\"@\"") {
            image = "nginx:1";
        }
        let document = shape
            .replace("NAME", &format!("n{at}"))
            .replace('@', "\u{1}");
        write!(text, "---\n{}", document.replace('\u{1}', image))
            .expect("a string takes everything");
    }
    text
}

fn kustomize(kubectl: &str, folder: &Path, text: &str, images: &[&str]) -> Result<String, String> {
    fs::create_dir_all(folder).map_err(|why| why.to_string())?;
    fs::write(folder.join("in.yaml"), text).map_err(|why| why.to_string())?;
    let kustomization = format!(
        "resources: [in.yaml]\nsortOptions: {{order: fifo}}\nimages: [{}]\n",
        images.join(", ")
    );
    fs::write(folder.join("kustomization.yaml"), kustomization).map_err(|why| why.to_string())?;
    let done = Command::new(kubectl)
        .arg("kustomize")
        .arg(folder)
        .output()
        .map_err(|why| why.to_string())?;
    if done.status.success() {
        Ok(String::from_utf8_lossy(&done.stdout).into_owned())
    } else {
        Err(String::from_utf8_lossy(&done.stderr).into_owned())
    }
}

#[test]
fn builds_agree_with_kubectl() {
    let Ok(kubectl) = std::env::var("FOREBAY_KUBECTL") else {
        println!("skipped: FOREBAY_KUBECTL is not set, builds are not compared with kubectl's");
        return;
    };
    let place = tempfile::tempdir().expect("a folder");
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    for round in 0..25 {
        let text = manifests(&mut numbers);
        let images: Vec<&str> = (0..3)
            .map(|_| ENTRIES[numbers.below(ENTRIES.len())])
            .collect();
        let table = place.path().join("table.json");
        fs::write(&table, format!("[{}]", images.join(", "))).expect("a file");
        let input = place.path().join("input.yaml");
        fs::write(&input, &text).expect("a file");
        let done = Command::new(env!("CARGO_BIN_EXE_forebay"))
            .args(["rewrite", "--mode", "build", "--images"])
            .arg(&table)
            .arg(&input)
            .output()
            .expect("the binary runs");
        let wanted = kustomize(&kubectl, &place.path().join("with"), &text, &images);
        match wanted {
            Err(why) => assert!(
                !done.status.success(),
                "round {round}: kubectl says {why}\n{text}"
            ),
            Ok(wanted) => {
                let ours = String::from_utf8_lossy(&done.stdout).into_owned();
                assert!(done.status.success(), "round {round}: {images:?}\n{text}");
                let found = kustomize(&kubectl, &place.path().join("without"), &ours, &[]);
                assert_eq!(
                    found,
                    Ok(wanted),
                    "round {round}: {images:?}\n{text}\n---- ours\n{ours}"
                );
            }
        }
    }
    println!("25 builds of 12 documents each agree with kubectl");
}
