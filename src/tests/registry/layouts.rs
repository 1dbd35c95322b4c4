//! What other tools wrote is read, and what forebay wrote is read by other tools.

use crate::program::Place;
use crate::seed::{Layout, digest, noise};
use crate::service::Registry;

#[test]
fn skopeo_and_forebay_read_each_other() {
    let place = Place::new();
    let Some(registry) = Registry::start() else {
        return;
    };
    let mut layout = Layout::new(&place.join("seed"));
    let image = layout.two_platforms(20, 5000, &noise(2, 5000));
    layout.name(&image, "app:1");
    let there = format!("docker://{}/app:1", registry.host);
    let copy = ["copy", "-q", "--all", "--preserve-digests"];
    let with = |more: &[&str]| -> bool {
        let arguments: Vec<&str> = copy.iter().chain(more).copied().collect();
        place.other("skopeo", &arguments).is_some()
    };
    // Fed by skopeo, fetched by forebay, read by skopeo.
    if !with(&["--dest-tls-verify=false", "oci:seed:app:1", &there]) {
        return;
    }
    let name = format!("{}/app:1", registry.host);
    place.write("list", &name);
    place.good("bundle create --from list -o ours");
    let read = place.other("skopeo", &["inspect", "--raw", &format!("oci:ours:{name}")]);
    let read = read.expect("skopeo is there");
    assert_eq!(
        digest(read.stdout.as_bytes()),
        image["digest"].as_str().expect("a digest")
    );

    // What skopeo bundles verifies, and can be pushed under a name.
    assert!(with(&[
        "--src-tls-verify=false",
        &there,
        "oci:theirs:app:1"
    ]));
    place.good("bundle verify theirs");
    assert!(place.good("bundle list theirs").stdout.contains("index"));
    assert!(with(&[
        "--src-tls-verify=false",
        &there,
        "oci-archive:theirs.tar:app:1"
    ]));
    place.good("bundle verify theirs.tar");
    place.good(&format!(
        "bundle push theirs.tar oci://{}/copied",
        registry.host
    ));
    let (status, bytes) = registry.get("/v2/copied/library/app/manifests/1");
    assert_eq!(
        (status, digest(&bytes)),
        (200, digest(read.stdout.as_bytes()))
    );
    assert!(with(&["--src-tls-verify=false", &there, "oci:bare"]));
    let refused = place.trouble(&format!("bundle push bare oci://{}", registry.host));
    assert!(refused.stderr.contains("has no name"), "{}", refused.stderr);
    let named = image["digest"].as_str().expect("a digest");
    place.good(&format!(
        "bundle push bare oci://{} --name {named}=x/y:2",
        registry.host
    ));
    assert_eq!(registry.get("/v2/x/y/manifests/2").0, 200);

    // Docker's own media types.
    let docker = format!("docker://{}/docker:1", registry.host);
    let arguments = [
        "copy",
        "-q",
        "--format",
        "v2s2",
        "--dest-tls-verify=false",
        "--src-tls-verify=false",
        &there,
        &docker,
    ];
    place.other("skopeo", &arguments).expect("skopeo is there");
    place.write("list", &format!("{}/docker:1", registry.host));
    place.good("bundle create --from list -o docker");
    let listed = place.good("bundle list docker --format json").stdout;
    assert!(
        listed.contains("application/vnd.docker.distribution.manifest.v2+json"),
        "{listed}"
    );
    place.good("bundle verify docker --from list");
    place.good(&format!("bundle push docker oci://{}/again", registry.host));
    let one = registry.get("/v2/docker/manifests/1").1;
    assert_eq!(
        digest(&one),
        digest(&registry.get("/v2/again/docker/manifests/1").1)
    );
}
