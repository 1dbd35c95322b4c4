//! Flux's manifests out of a registry, and out of the operator's image; again without a network.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::program::Place;
use crate::seed::{IMAGE_CONFIG, LAYER, Layout, gz, tar, tar_gz};
use crate::service::Registry;

const MANIFEST: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: NAME}\n";

#[test]
fn an_artifact_is_rendered_and_cached() {
    let place = Place::new();
    let Some(registry) = Registry::start() else {
        return;
    };
    let (one, two) = (
        MANIFEST.replace("NAME", "one"),
        MANIFEST.replace("NAME", "two"),
    );
    let layer = tar_gz(&[
        ("./b.yaml", two.as_bytes()),
        ("./a.yaml", one.as_bytes()),
        ("./kustomization.yaml", b"resources: []"),
        ("./README.md", b"no"),
    ]);
    let mut layout = Layout::new(&place.join("seed"));
    let config = layout.blob("application/vnd.cncf.flux.config.v1+json", b"{}");
    let content = "application/vnd.cncf.flux.content.v1.tar+gzip";
    let artifact = layout.manifest(&config, &[layout.blob(content, &layer)], &json!({}));
    layout.name(&artifact, "seed.example/flux/manifests:v2");
    let empty = layout.manifest(&config, &[layout.blob(content, &tar_gz(&[]))], &json!({}));
    layout.name(&empty, "seed.example/flux/empty:v2");
    // 600 MB in half a megabyte.
    let bomb = gz(&tar(&[("a.yaml", &vec![b' '; 600 << 20])]));
    let bomb = layout.manifest(&config, &[layout.blob(content, &bomb)], &json!({}));
    layout.name(&bomb, "seed.example/flux/bomb:v2");
    place.good(&format!("bundle push seed oci://{}", registry.host));
    let source = format!("oci://{}/flux/manifests:v2", registry.host);
    let first = place.good(&format!("flux --flux {source}"));
    assert_eq!(first.stdout, format!("---\n{one}---\n{two}"));
    let digest = artifact["digest"].as_str().expect("a digest");
    assert!(
        first.stderr.contains(&format!("{source}@{digest}")),
        "{}",
        first.stderr
    );
    let empty = place.trouble(&format!(
        "flux --flux oci://{}/flux/empty:v2",
        registry.host
    ));
    assert!(
        empty.stderr.contains("holds no Flux manifests"),
        "{}",
        empty.stderr
    );
    let bomb = place.trouble(&format!("flux --flux oci://{}/flux/bomb:v2", registry.host));
    assert!(bomb.stderr.contains("unpacks to more"), "{}", bomb.stderr);
    drop(registry);
    assert_eq!(
        place
            .good(&format!("flux --flux {source} --offline"))
            .stdout,
        first.stdout
    );
    let unknown = place.trouble(&format!("flux --flux {source}-no --offline"));
    assert!(
        unknown.stderr.contains("not in the cache"),
        "{}",
        unknown.stderr
    );
}

#[test]
fn an_operator_is_found_in_its_image() {
    let place = Place::new();
    let Some(registry) = Registry::start() else {
        return;
    };
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/operator");
    let binary = fs::read(testdata.join("amd64.elf")).expect("an operator");
    fs::copy(testdata.join("amd64.elf"), place.join("operator.elf")).expect("an operator");
    let mut layout = Layout::new(&place.join("seed"));
    let below = layout.blob(
        LAYER,
        &tar_gz(&[("usr/bin/op", b"an older one"), ("etc/x", b"y")]),
    );
    let above = layout.blob(LAYER, &tar_gz(&[("usr/bin/op", &binary)]));
    let config =
        json!({"architecture": "amd64", "os": "linux", "config": {"Entrypoint": ["/usr/bin/op"]}});
    let config = layout.blob(IMAGE_CONFIG, config.to_string().as_bytes());
    let image = layout.manifest(&config, &[below.clone(), above.clone()], &json!({}));
    layout.name(&image, "seed.example/operator:v1");
    // The entrypoint is a script, and the binary stands below it.
    let script = layout.blob(LAYER, &tar(&[("entry.sh", b"#!/bin/sh\nexec op\n")]));
    let config = json!({"config": {"Entrypoint": ["/entry.sh"]}});
    let config = layout.blob(IMAGE_CONFIG, config.to_string().as_bytes());
    let image = layout.manifest(&config, &[above, script], &json!({}));
    layout.name(&image, "seed.example/scripted:v1");
    let image = layout.manifest(&config, &[below], &json!({}));
    layout.name(&image, "seed.example/none:v1");
    place.good(&format!("bundle push seed oci://{}", registry.host));
    let wanted = place.good("flux --flux operator:operator.elf").stdout;
    for name in ["operator", "scripted"] {
        let source = format!("operator:oci://{}/{name}:v1", registry.host);
        assert_eq!(
            place.good(&format!("flux --flux {source}")).stdout,
            wanted,
            "{name}"
        );
    }
    let none = place.trouble(&format!(
        "flux --flux operator:oci://{}/none:v1",
        registry.host
    ));
    assert!(none.stderr.contains("`/entry.sh`"), "{}", none.stderr);
}
