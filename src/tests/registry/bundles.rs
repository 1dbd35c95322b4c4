//! From one registry into a bundle and out of it into another one.

use std::fs;

use serde_json::json;

use crate::program::Place;
use crate::seed::{IMAGE_CONFIG, LAYER, Layout, digest, noise};
use crate::service::Registry;

const PODS: &str = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n";

/// A registry with two images, an artifact, a chart, a signature and a referrer; the digests of the
/// first image and of the second.
pub(crate) fn seeded(place: &Place) -> Option<(Registry, String, String)> {
    let registry = Registry::start()?;
    let mut layout = Layout::new(&place.join("seed"));
    let host = "seed.example";
    let base = noise(1, 50_000);
    let first = layout.two_platforms(10, 20_000, &base);
    let second = layout.two_platforms(11, 20_000, &base);
    layout.name(&first, &format!("{host}/team/app:1"));
    layout.name(&second, &format!("{host}/team/side:2"));
    let config = layout.blob("application/vnd.cncf.flux.config.v1+json", b"{}");
    let content = "application/vnd.cncf.flux.content.v1.tar+gzip";
    let artifact = layout.manifest(&config, &[layout.blob(content, b"packed")], &json!({}));
    layout.name(&artifact, &format!("{host}/packages:v1"));
    let config = layout.blob(
        "application/vnd.cncf.helm.config.v1+json",
        b"{\"name\":\"c\"}",
    );
    let content = "application/vnd.cncf.helm.chart.content.v1.tar+gzip";
    let chart = layout.manifest(&config, &[layout.blob(content, b"chart")], &json!({}));
    layout.name(&chart, &format!("{host}/charts/c:1.0.0"));
    let of_first = first["digest"].as_str().expect("a digest").to_owned();
    let config = layout.blob(IMAGE_CONFIG, b"{}");
    let signature = layout.blob(
        "application/vnd.dev.cosign.simplesigning.v1+json",
        b"signed",
    );
    let signature = layout.manifest(&config, &[signature], &json!({}));
    let tag = format!("{}.sig", of_first.replace(':', "-"));
    layout.name(&signature, &format!("{host}/team/app:{tag}"));
    let mut subject = first.clone();
    subject["mediaType"] = json!("application/vnd.oci.image.index.v1+json");
    let more = json!({"artifactType": "application/x.list", "subject": subject});
    let list = layout.manifest(
        &layout.blob("application/vnd.oci.empty.v1+json", b"{}"),
        &[layout.blob(LAYER, b"parts")],
        &more,
    );
    let name = format!(
        "{host}/team/app@{}",
        list["digest"].as_str().expect("a digest")
    );
    layout.name(&list, &name);
    place.good(&format!("bundle push seed oci://{}", registry.host));
    let of_second = second["digest"].as_str().expect("a digest").to_owned();
    Some((registry, of_first, of_second))
}

#[test]
fn what_goes_through_a_bundle_comes_out_with_its_digests() {
    let place = Place::new();
    let Some((from, first, second)) = seeded(&place) else {
        return;
    };
    let Some(to) = Registry::start() else { return };
    let host = &from.host;
    let pods = format!(
        "{PODS}  - {{name: a, image: \"{host}/team/app:1\"}}\n  - {{name: b, image: \"{host}/team/side@{second}\"}}\n"
    );
    place.write("pods.yaml", &pods);
    place.write(
        "list",
        &format!("{host}/packages:v1 # an artifact\n\noci://{host}/charts/c:1.0.0\n"),
    );
    place.write(
        "table.yaml",
        &format!(
            "- name: {host}/team/app\n  newName: {}/mirror/app\n",
            to.host
        ),
    );
    let inputs = "pods.yaml --images table.yaml --from list";
    let made = place.good(&format!("bundle create {inputs} -o one.tar"));
    let again = place.good(&format!("bundle create {inputs} -o two.tar --jobs 1"));
    assert_eq!(made.stdout, again.stdout);
    let same = fs::read(place.join("one.tar")).expect("a tar")
        == fs::read(place.join("two.tar")).expect("a tar");
    assert!(same, "two runs give equal bytes");
    assert!(!place.join("one.tar.partial").exists());
    // A directory of the same has the same digest, and a tar of it is made without fetching.
    assert_eq!(
        place.good(&format!("bundle create {inputs} -o dir")).stdout,
        made.stdout
    );
    let reused = place.good(&format!("bundle create {inputs} -o dir"));
    assert!(reused.stderr.contains(" 0 B fetched"), "{}", reused.stderr);

    place.good(&format!(
        "bundle verify one.tar {inputs} --names rewritten --fail-on note"
    ));
    place.good(&format!("bundle verify one.tar {inputs} --names original"));
    let listed = place.good("bundle list dir --format json").stdout;
    let listed: serde_json::Value = serde_json::from_str(&listed).expect("JSON");
    let mut types: Vec<&str> = listed["entries"]
        .as_array()
        .expect("entries")
        .iter()
        .filter_map(|entry| entry["type"].as_str())
        .collect();
    types.sort_unstable();
    assert_eq!(
        types,
        [
            "flux-artifact",
            "helm-chart",
            "index",
            "index",
            "other",
            "other"
        ]
    );

    pushed(&place, &to, &first, &second);
    // An earlier bundle is built on, and asked for by name.
    place.write("more", &format!("{host}/team/app:1\n"));
    place.good("bundle create --from more -o base --no-signatures");
    place.good("bundle create --from more -o thin.tar --base base --no-signatures");
    assert!(
        place
            .trouble("bundle verify thin.tar")
            .stderr
            .contains("--base")
    );
    place.good("bundle verify thin.tar --base base");
}

/// Pushes both bundles and looks at what stands there.
fn pushed(place: &Place, to: &Registry, first: &str, second: &str) {
    let pushed = place.good(&format!("bundle push one.tar oci://{}", to.host));
    assert!(
        pushed
            .stdout
            .contains(&format!("{}/mirror/app:1@{first}", to.host)),
        "{}",
        pushed.stdout
    );
    let repeated = place.good(&format!("bundle push dir oci://{}", to.host));
    assert!(
        repeated.stderr.contains(" 0 blobs sent, 0 taken over"),
        "{}",
        repeated.stderr
    );
    for (path, wanted) in [
        ("mirror/app/manifests/1".to_owned(), first),
        (format!("team/side/manifests/{second}"), second),
        (
            format!("team/side/manifests/forebay-{}", &second[7..19]),
            second,
        ),
    ] {
        let (status, bytes) = to.get(&format!("/v2/{path}"));
        assert_eq!((status, digest(&bytes).as_str()), (200, wanted), "{path}");
    }
    let tag = first.replace(':', "-");
    assert_eq!(
        to.get(&format!("/v2/mirror/app/manifests/{tag}.sig")).0,
        200,
        "the signature came along"
    );
    let (status, list) = to.get(&format!("/v2/mirror/app/manifests/{tag}"));
    let list: serde_json::Value = serde_json::from_slice(&list).expect("an index");
    assert_eq!(
        (status, &list["manifests"][0]["artifactType"]),
        (200, &json!("application/x.list"))
    );
    assert_eq!(to.get("/v2/packages/manifests/v1").0, 200);
}

#[test]
fn one_platform_stands_under_its_own_digest_and_a_pin_is_refused() {
    let place = Place::new();
    let Some((from, first, _)) = seeded(&place) else {
        return;
    };
    let host = &from.host;
    place.write("list", &format!("{host}/team/app:1\n"));
    let create = "bundle create --from list --no-signatures --platform linux/arm64";
    let made = place.good(&format!("{create} -o one"));
    assert!(made.stderr.contains("linux/arm64 only"), "{}", made.stderr);
    place.good("bundle verify one --from list");
    let listed = place.good("bundle list one").stdout;
    assert!(
        listed.contains("image sha256:") && listed.contains("linux/arm64"),
        "{listed}"
    );
    let missing = place.trouble(
        &create
            .replace("arm64", "s390x")
            .replace("--from list", "--from list -o no"),
    );
    assert!(
        missing.stderr.contains("only linux/amd64, linux/arm64"),
        "{}",
        missing.stderr
    );

    place.write("list", &format!("{host}/team/app@{first}\n"));
    let refused = place.trouble(&format!("{create} -o two"));
    assert!(refused.stderr.contains("--sparse"), "{}", refused.stderr);
    assert!(!place.join("two").exists());
    place.good(&format!("{create} -o two --sparse"));
    let verified = place.good("bundle verify two --from list");
    assert!(
        verified.stdout.contains("note[bundle-partial-index]"),
        "{}",
        verified.stdout
    );
}

#[test]
fn one_failing_image_does_not_hide_the_others() {
    let place = Place::new();
    let Some((from, ..)) = seeded(&place) else {
        return;
    };
    let host = &from.host;
    place.write(
        "list",
        &format!("{host}/team/app:1\n{host}/team/app:none\n{host}/gone:1\n"),
    );
    let refused = place.trouble("bundle create --from list -o out");
    for name in ["team/app:none", "gone:1"] {
        assert!(
            refused
                .stderr
                .contains(&format!("cannot bundle `{host}/{name}`")),
            "{}",
            refused.stderr
        );
    }
    assert!(refused.stderr.contains("2 failures"), "{}", refused.stderr);
    assert!(!place.join("out").exists());
    place.write("list", &format!("{host}/team/app:1\n"));
    let done = place.good("bundle create --from list -o out");
    assert!(
        done.stderr.contains(" 0 B fetched"),
        "it goes on: {}",
        done.stderr
    );
}
