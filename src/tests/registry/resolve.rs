//! What tags and ranges stand for, asked of a registry: the list with digests, and tables with them.

use serde_json::{Value, json};

use crate::bundles::seeded;
use crate::program::Place;
use crate::seed::{Layout, tar_gz};
use crate::service::Registry;

/// Adds versions of a chart and an artifact to a registry.
fn push_versions(place: &Place, host: &str) {
    let mut layout = Layout::new(&place.join("versions"));
    for (name, kind) in [("charts/c", "helm"), ("packages", "flux")] {
        for tag in ["1.1.0", "1.2.0_build", "1.9.0-rc.1", "2.0.0", "latest"] {
            let config = format!("{{\"{name}\":\"{tag}\"}}");
            let media_type = format!("application/vnd.cncf.{kind}.config.v1+json");
            let config = layout.blob(&media_type, config.as_bytes());
            let manifest = layout.manifest(&config, &[layout.blob("x/y", b"content")], &json!({}));
            layout.name(&manifest, &format!("seed.example/{name}:{tag}"));
        }
    }
    place.good(&format!("bundle push versions oci://{host}"));
}

/// A pod, and sources that ask for ranges of versions.
fn write_inputs(place: &Place, host: &str) {
    let text = format!(
        "apiVersion: v1\nkind: Pod\nmetadata: {{name: p}}\nspec:\n  containers:\n  \
         - {{name: a, image: '{host}/team/app:1'}}\n  - {{name: b, image: '{host}/team/side:2'}}\n\
         ---\napiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\n\
         metadata: {{name: packages, namespace: web}}\n\
         spec: {{interval: 5m, url: 'oci://{host}/packages', ref: {{semver: 1.x}}}}\n\
         ---\napiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmRepository\n\
         metadata: {{name: charts, namespace: web}}\n\
         spec: {{interval: 5m, type: oci, url: 'oci://{host}/charts'}}\n\
         ---\napiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmChart\n\
         metadata: {{name: c, namespace: web}}\nspec:\n  interval: 5m\n  chart: c\n  version: 1.x\n  \
         sourceRef: {{kind: HelmRepository, name: charts}}\n"
    );
    place.write("in/all.yaml", &text);
}

#[test]
fn tags_become_digests_and_ranges_the_version_that_flux_would_pull() {
    let place = Place::new();
    let Some((registry, first, second)) = seeded(&place) else {
        return;
    };
    let host = &registry.host;
    push_versions(&place, host);
    write_inputs(&place, host);
    let open = place.good("images in");
    assert_eq!(
        open.stderr.matches("note[artifact-version-open]").count(),
        2
    );

    let list = place.good("images in --resolve --format json").stdout;
    let list: Value = serde_json::from_str(&list).expect("JSON");
    assert_eq!(list["findings"], json!([]));
    let images = list["images"].as_array().expect("a list").iter();
    let told: Vec<(String, bool)> = images
        .map(|image| {
            let name = image["image"].as_str().expect("a text").replace(host, "r");
            (name, image["digest"].is_string())
        })
        .collect();
    let wanted = [
        "r/charts/c:1.2.0_build",
        "r/packages:1.1.0",
        "r/team/app:1",
        "r/team/side:2",
    ];
    assert_eq!(told, wanted.map(|name| (name.to_owned(), true)));
    let lines = place.good("images in --resolve --format list").stdout;
    let pinned = format!("{host}/team/app:1@{first}\n{host}/team/side:2@{second}\n");
    assert_eq!(lines, pinned);
    let text = place.good("images in --resolve").stdout;
    assert!(
        text.contains(&format!("{host}/team/app:1\n  is {first}\n")),
        "{text}"
    );

    // What nobody has is named; the rest is listed nevertheless.
    place.write(
        "table.yaml",
        &format!("- {{name: {host}/team/app, newTag: '9'}}\n"),
    );
    let failed = place.trouble("images in --resolve --images table.yaml --format list");
    assert!(
        failed.stderr.contains("cannot resolve `127.0.0.1:"),
        "{}",
        failed.stderr
    );
    assert!(failed.stdout.contains(&second), "{}", failed.stdout);
    assert_eq!(place.trouble("images in --resolve --offline").stdout, "");
}

#[test]
fn a_bundle_holds_the_versions_that_ranges_stand_for() {
    let place = Place::new();
    let Some((registry, ..)) = seeded(&place) else {
        return;
    };
    push_versions(&place, &registry.host);
    write_inputs(&place, &registry.host);
    let Some(to) = Registry::start() else { return };
    let target = format!("oci://{}", to.host);
    let before = place.run(&format!("images in --in {target}"));
    assert_eq!(before.code, 1);
    assert_eq!(
        before.stderr.matches("that fits `1.x` is in").count(),
        2,
        "{}",
        before.stderr
    );
    place.good("bundle create in -o bundle");
    let listed = place.good("bundle list bundle").stdout;
    assert!(listed.contains("/charts/c:1.2.0_build\n"), "{listed}");
    assert!(listed.contains("/packages:1.1.0\n"), "{listed}");
    place.good("bundle verify bundle in --fail-on note");
    place.good(&format!("bundle push bundle {target}"));
    let proved = place.good(&format!("images in --in {target}"));
    assert!(proved.stderr.contains("4 of 4 images"), "{}", proved.stderr);
}

#[test]
fn digests_are_added_to_the_table_and_everything_else_of_it_stays() {
    let place = Place::new();
    let Some((registry, first, second)) = seeded(&place) else {
        return;
    };
    let host = &registry.host;
    write_inputs(&place, host);
    let table = format!(
        "# ours\nimages:\n- name: {host}/team/app # the app\n  newName: mirror.example/app\n# end\n"
    );
    place.write("table.yaml", &table);
    let pin = "overrides in --images table.yaml --pin";
    let printed = place.good(pin);
    let wanted = format!(
        "# made by: forebay overrides in --images table.yaml --pin\n\
         - name: \"{host}/team/app\"\n  newName: \"mirror.example/app\"\n  digest: \"{first}\"\n\
         - name: \"{host}/team/side\"\n  digest: \"{second}\"\n"
    );
    assert_eq!(printed.stdout, wanted);
    let done = place.good(&format!("{pin} -i"));
    assert_eq!(done.stdout, "");
    let now = std::fs::read_to_string(place.join("table.yaml")).expect("a table");
    let wanted = format!(
        "# ours\nimages:\n- name: {host}/team/app # the app\n  newName: mirror.example/app\n  \
         digest: \"{first}\"\n- name: \"{host}/team/side\"\n  digest: \"{second}\"\n# end\n"
    );
    assert_eq!(now, wanted);
    // Pinned is pinned: a second run changes nothing and asks for nothing that has a digest.
    place.good(&format!("{pin} -i"));
    assert_eq!(
        std::fs::read_to_string(place.join("table.yaml")).expect("it"),
        wanted
    );
    place.write("pinned.yaml", &place.good(pin).stdout);
    place.good(&format!("{pin} --check pinned.yaml"));
    // What a chart leaves open, and what is no image of the registry, stays as it is.
    place.write("in/values.yaml", &format!(
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {{name: c, namespace: web}}\n\
         spec:\n  interval: 5m\n  chartRef: {{kind: OCIRepository, name: packages}}\n  values:\n    \
         a: {{repository: '{host}/team/other'}}\n    b: {{repository: '{host}/team/gone', tag: '3'}}\n"
    ));
    let possible = place.good(&format!("{pin} -i"));
    assert!(
        possible.stderr.contains("team/gone:3` is not pinned"),
        "{}",
        possible.stderr
    );
    assert_eq!(
        std::fs::read_to_string(place.join("table.yaml")).expect("it"),
        wanted
    );
    std::fs::remove_file(place.join("in/values.yaml")).expect("a file");
    // What the filter itself makes of it.
    let list = place
        .good("images in --images table.yaml --format list")
        .stdout;
    assert_eq!(
        list,
        format!("{host}/team/side@{second}\nmirror.example/app@{first}\n")
    );
    // Moved and pinned in one.
    let moved = place
        .good(&format!(
            "overrides in --relocate {host}=mirror.example --pin"
        ))
        .stdout;
    assert_eq!(moved.matches("digest: ").count(), 2, "{moved}");
    assert!(
        place
            .trouble(&format!("{pin} --offline"))
            .stderr
            .contains("--offline")
    );
    place.write("in/more.yaml", &format!(
        "apiVersion: v1\nkind: Pod\nmetadata: {{name: q}}\nspec: {{containers: [{{image: '{host}/gone:1'}}]}}\n"
    ));
    let failed = place.trouble(&format!("{pin} -i"));
    assert!(
        failed.stderr.contains("cannot resolve"),
        "{}",
        failed.stderr
    );
    assert_eq!(
        std::fs::read_to_string(place.join("table.yaml")).expect("it"),
        wanted
    );
}

#[test]
fn charts_in_a_registry_are_looked_into() {
    let place = Place::new();
    let Some(registry) = Registry::start() else {
        return;
    };
    let host = &registry.host;
    let mut layout = Layout::new(&place.join("charts"));
    let chart = |media_type: &str, name: &str, files: &[(&str, &[u8])], layout: &mut Layout| {
        let config = layout.blob("application/vnd.cncf.helm.config.v1+json", b"{}");
        let layer = layout.blob(media_type, &tar_gz(files));
        let manifest = layout.manifest(&config, &[layer], &json!({}));
        layout.name(&manifest, &format!("seed.example/{name}"));
    };
    let files: [(&str, &[u8]); 4] = [
        ("c/Chart.yaml", b"name: c\n"),
        (
            "c/values.yaml",
            b"image: {repository: q.example/main, tag: '1'}\n",
        ),
        (
            "c/templates/values.yaml",
            b"image: {repository: q.example/no-values, tag: '1'}\n",
        ),
        ("c/images/side.tag", b"q.example/side:2\n"),
    ];
    let helm = "application/vnd.cncf.helm.chart.content.v1.tar+gzip";
    chart(helm, "charts/c:1.0.0", &files, &mut layout);
    chart(helm, "charts/none:1.0.0", &[("x", b"")], &mut layout);
    place.good(&format!("bundle push charts oci://{host}"));
    let release = format!(
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {{name: c, namespace: web}}\n\
         spec: {{interval: 5m, chartRef: {{kind: OCIRepository, name: c}}}}\n\
         ---\napiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\n\
         metadata: {{name: c, namespace: web}}\n\
         spec: {{interval: 5m, url: 'oci://{host}/charts/c', ref: {{tag: 1.0.0}}}}\n"
    );
    place.write("in/release.yaml", &release);
    let given = |name: &str| format!("images in --charts OCIRepository/web/c=oci://{host}/{name}");
    let seen = place.good(&format!("{} --fail-on warning", given("charts/c:1.0.0")));
    for image in ["q.example/main:1\n", "q.example/side:2\n"] {
        assert!(seen.stdout.contains(image), "{}", seen.stdout);
    }
    assert!(!seen.stdout.contains("no-values"), "{}", seen.stdout);
    assert!(seen.stderr.contains("are from `oci://"), "{}", seen.stderr);
    // What was fetched once is there offline.
    place.good(&format!("{} --offline", given("charts/c:1.0.0")));
    let none = place.trouble(&given("charts/none:1.0.0"));
    assert!(
        none.stderr
            .contains("holds no charts: its layer has no `Chart.yaml`"),
        "{}",
        none.stderr
    );
}
