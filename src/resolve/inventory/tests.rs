//! What is listed of small objects, and what is not.

use super::*;
use crate::resolve::plan::identity_of;
use crate::source::SourceMap;
use crate::yaml::read_all;

fn listed(text: &str) -> Vec<(String, &'static str, String)> {
    let source = SourceMap::default().add("a.yaml", text);
    let doc = read_all(&source).remove(0).expect("sound YAML");
    let root = doc.root().expect("a document");
    of_object(root, &identity_of(root), &Visits::new())
        .into_iter()
        .map(|named| (named.image, named.grade.name(), named.path.to_string()))
        .collect()
}

#[test]
fn every_pod_spec_is_certain() {
    let text = "kind: Thing\nmetadata: {name: a}\nspec:\n  template:\n    spec:\n      containers: \
                [{image: a:1}]\n      ephemeralContainers: [{image: b}]\n      volumes: [{image: \
                {reference: 'r.io/c:2'}}]\nstatus: {containers: [{image: d:1}]}\n";
    let images: Vec<_> = listed(text).into_iter().map(|it| (it.0, it.1)).collect();
    let certain = |image: &str| (image.to_owned(), "certain");
    assert_eq!(images, [certain("a:1"), certain("b"), certain("r.io/c:2")]);
}

#[test]
fn texts_that_look_like_images_are_possible() {
    let text = "kind: Thing\nmetadata:\n  name: a\n  annotations: {x: 'r.io/app:1.0'}\nspec:\n  args: \
                ['--image=r.io/agent:2', '--listen=0.0.0.0:8080', 'https://r.io/x:1', r.io/tagless]\n  \
                env: [{name: IMAGE, value: r.io/worker}, {name: UP, value: 'example.org:443'}]\n  data: \
                |\n    a: r.io/b:3\n  image: {repository: org/c, tag: 1.20}\n";
    let images: Vec<_> = listed(text).into_iter().map(|it| it.0).collect();
    assert_eq!(
        images,
        [
            "r.io/app:1.0",
            "r.io/agent:2",
            "r.io/worker",
            "r.io/b:3",
            "org/c:1.20"
        ]
    );
}

#[test]
fn a_registry_beside_images_stands_before_each() {
    let text = "kind: Thing\nmetadata: {name: a}\nglobal:\n  registry: {address: r.io/net}\n  images:\n    \
                main: {repository: ovn, vpcRepository: vpc-nat, tag: v1.2}\n    \
                other: {repository: q.io/own, tag: '3'}\n  more: {repository: org/c, tag: '1'}\n\
                chart:\n  registry: {address: r.io}\n  images: ['a:1', 'q.io/b:2']\n";
    let images: Vec<_> = listed(text).into_iter().map(|it| it.0).collect();
    assert_eq!(
        images,
        [
            "r.io/net/ovn:v1.2",
            "r.io/net/vpc-nat:v1.2",
            "q.io/own:3",
            "org/c:1",
            "r.io/a:1",
            "q.io/b:2"
        ]
    );
}

#[test]
fn values_of_secrets_are_left_alone() {
    let text = "kind: Secret\nmetadata: {name: a}\nstringData: {x: 'r.io/app:1'}\n";
    assert!(listed(text).is_empty());
}
