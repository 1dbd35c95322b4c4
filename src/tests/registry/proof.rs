//! The proof of an air gap: from one registry through a bundle into another, and every image that the
//! inputs ask for found there.

use crate::accounts::{config, keeps_quiet};
use crate::bundles::seeded;
use crate::program::Place;
use crate::seed::digest;
use crate::service::{PASSWORD, Registry, USER};

/// A pod, an artifact and a release out of an OCI chart repository, all of one registry; the second
/// image of the pod by its digest.
fn write_inputs(place: &Place, host: &str, second: &str) {
    let text = format!(
        "apiVersion: v1\nkind: Pod\nmetadata: {{name: p}}\nspec:\n  containers:\n  \
         - {{name: a, image: '{host}/team/app:1'}}\n  - {{name: b, image: '{host}/team/side@{second}'}}\n\
         ---\napiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\n\
         metadata: {{name: packages, namespace: web}}\n\
         spec: {{interval: 5m, url: 'oci://{host}/packages', ref: {{tag: v1}}}}\n\
         ---\napiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmRepository\n\
         metadata: {{name: charts, namespace: web}}\n\
         spec: {{interval: 5m, type: oci, url: 'oci://{host}/charts'}}\n\
         ---\napiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\n\
         metadata: {{name: c, namespace: web}}\nspec:\n  interval: 5m\n  chart:\n    spec:\n      \
         chart: c\n      version: 1.0.0\n      sourceRef: {{kind: HelmRepository, name: charts}}\n"
    );
    place.write("in/all.yaml", &text);
    let table = format!("- {{name: '{host}/team/app', newName: mirror.example/moved/app}}\n");
    place.write("table.yaml", &table);
    place.write(
        "chart/Chart.yaml",
        "apiVersion: v2\nname: c\nversion: 1.0.0\n",
    );
    let values = format!(
        "image: {{repository: '{host}/team/app', tag: '1'}}\n\
         other: {{repository: '{host}/team/nowhere', tag: '9'}}\n"
    );
    place.write("chart/values.yaml", &values);
}

const SEEN: &str = "--charts HelmRepository/web/charts=chart";

#[test]
fn what_was_bundled_and_pushed_is_proved_in_the_bundle_and_in_the_registry() {
    let place = Place::new();
    let Some((from, first, second)) = seeded(&place) else {
        return;
    };
    let Some(to) = Registry::start() else { return };
    write_inputs(&place, &from.host, &second);
    let inputs = "in --images table.yaml";
    let target = format!("oci://{}", to.host);

    // Nothing is there yet, and every image is named.
    let proof = format!("images {inputs} {SEEN} --in {target}");
    let before = place.run(&proof);
    assert_eq!(before.code, 1, "{}", before.stderr);
    assert_eq!(before.stderr.matches("error[image-missing]").count(), 4);
    for name in ["moved/app:1", "team/side@", "packages:v1", "charts/c:1.0.0"] {
        let named = format!("{}/{name}", to.host);
        assert!(before.stderr.contains(&named), "{}", before.stderr);
    }

    let made = place.good(&format!("bundle create {inputs} -o one.tar"));
    assert!(
        made.stderr.contains("1 release was not looked into: web/c"),
        "{}",
        made.stderr
    );
    let again = place.good(&format!("bundle create {inputs} -o two.tar"));
    assert_eq!(made.stdout, again.stdout);
    let read = |name: &str| std::fs::read(place.join(name)).expect("a bundle");
    assert!(
        read("one.tar") == read("two.tar"),
        "two runs give equal bytes"
    );
    let listed = place.good("bundle list one.tar").stdout;
    for kind in ["flux-artifact", "helm-chart", "index"] {
        assert!(listed.contains(&format!("\n  {kind} ")), "{listed}");
    }

    place.good(&format!("bundle push one.tar {target}"));
    for names in ["rewritten", "original"] {
        let names = format!("--names {names} --fail-on note");
        place.good(&format!("bundle verify one.tar {inputs} {SEEN} {names}"));
        let bundle = format!("images {inputs} {SEEN} --in one.tar {names}");
        let found = place.good(&bundle);
        assert!(
            found.stderr.contains("4 of 4 images in `one.tar`"),
            "{}",
            found.stderr
        );
    }
    let found = place.good(&format!("{proof} --fail-on note"));
    assert!(found.stderr.contains("4 of 4 images"), "{}", found.stderr);
    assert!(
        found.stderr.contains("by mirrors alone"),
        "{}",
        found.stderr
    );
    assert!(found.stdout.contains("mirror.example/moved/app:1"));

    same_on_both_sides(&from, &to, &first, &second);
    // What was not pushed is named with its place; what nobody asked for is not looked for.
    let possible = place.run(&format!("{proof} --with possible"));
    assert_eq!(possible.code, 1);
    assert_eq!(
        possible.stderr.matches("error[image-missing]").count(),
        1,
        "{}",
        possible.stderr
    );
    assert!(
        possible.stderr.contains("team/nowhere:9"),
        "{}",
        possible.stderr
    );
    place.write("accepted", "//other.repository # not used\n");
    place.good(&format!("{proof} --with possible --accept accepted"));
}

/// Each manifest stands on both sides with the same bytes, those of its digest where one is known.
fn same_on_both_sides(from: &Registry, to: &Registry, first: &str, second: &str) {
    for (there, here, wanted) in [
        (
            "team/app/manifests/1".to_owned(),
            "moved/app/manifests/1".to_owned(),
            Some(first),
        ),
        (
            format!("team/side/manifests/{second}"),
            format!("team/side/manifests/{second}"),
            Some(second),
        ),
        (
            "packages/manifests/v1".to_owned(),
            "packages/manifests/v1".to_owned(),
            None,
        ),
        (
            "charts/c/manifests/1.0.0".to_owned(),
            "charts/c/manifests/1.0.0".to_owned(),
            None,
        ),
    ] {
        let (status, bytes) = from.get(&format!("/v2/{there}"));
        assert_eq!(status, 200, "{there}");
        assert!(
            to.get(&format!("/v2/{here}")) == (200, bytes.clone()),
            "{here}"
        );
        assert!(
            wanted.is_none_or(|wanted| wanted == digest(&bytes)),
            "{there}"
        );
    }
}

#[test]
fn a_proof_that_did_not_see_the_charts_is_none() {
    let place = Place::new();
    let Some((from, _, second)) = seeded(&place) else {
        return;
    };
    write_inputs(&place, &from.host, &second);
    let proof = format!("images in --in oci://{}", from.host);
    let unseen = place.run(&proof);
    assert_eq!(unseen.code, 1, "{}", unseen.stderr);
    let line = "note: 1 release was not looked into: web/c\nhelp: `--accept-unseen`";
    assert!(unseen.stderr.contains(line), "{}", unseen.stderr);
    let accepted = place.good(&format!("{proof} --accept-unseen --fail-on warning"));
    assert!(
        accepted.stderr.contains("4 of 4 images"),
        "{}",
        accepted.stderr
    );
    place.good(&format!("{proof} {SEEN}"));
    // No answer is no proof, and no finding.
    let none = place.trouble(&format!("{proof} {SEEN}").replace(&from.host, "127.0.0.1:1"));
    assert!(
        none.stderr.contains("cannot look for `127.0.0.1:1/"),
        "{}",
        none.stderr
    );
    assert!(!none.stderr.contains("image-missing"), "{}", none.stderr);
}

#[test]
fn a_proof_asks_with_the_account_and_never_shows_it() {
    let place = Place::new();
    let Some(registry) = Registry::with(true, true) else {
        return;
    };
    let host = &registry.host;
    std::fs::copy(&registry.ca, place.join("ca.pem")).expect("a certificate");
    let entry = format!(r#"{{"username": "{USER}", "password": "{PASSWORD}"}}"#);
    config(&place, host, &entry);
    write_inputs(&place, host, &format!("sha256:{}", "a1".repeat(32)));
    let done = place.run(&format!(
        "images in {SEEN} --in oci://{host} --registry-ca {host}=ca.pem -v"
    ));
    assert_eq!(done.code, 1, "{}", done.stderr);
    assert_eq!(done.stderr.matches("error[image-missing]").count(), 4);
    keeps_quiet(&done);
    let ca = format!("--registry-ca {host}=ca.pem -v");
    for command in [
        "images in --resolve",
        "overrides in --pin",
        "bundle create in -o out",
    ] {
        let done = place.trouble(&format!("{command} {ca}"));
        assert!(done.stderr.contains("request: "), "{}", done.stderr);
        keeps_quiet(&done);
    }
    config(
        &place,
        host,
        r#"{"username": "tester", "password": "planted-word-9"}"#,
    );
    let refused = place.trouble(&format!(
        "images in {SEEN} --in oci://{host} --registry-ca {host}=ca.pem -v"
    ));
    assert!(
        refused.stderr.contains("refuses user `tester`"),
        "{}",
        refused.stderr
    );
    keeps_quiet(&refused);
}
