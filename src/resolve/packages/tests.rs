//! The reconcilers over small estates of our own.

use std::fmt::Write as _;

use super::{Estate, OperatorSettings, PlatformTable, REASONS, Rendered, render};
use crate::source::SourceMap;
use crate::yaml::read_all;

fn estate(text: &str) -> Estate {
    let mut map = SourceMap::default();
    let source = map.add("a.yaml", text);
    let mut estate = Estate::default();
    for doc in read_all(&source) {
        if let Some(root) = doc.unwrap().root() {
            estate.add(root);
        }
    }
    estate
}

fn rendered(text: &str) -> Rendered {
    render(
        &estate(text),
        &OperatorSettings::default(),
        PlatformTable::Unknown,
    )
}

fn source(name: &str, variant: &str) -> String {
    format!(
        "---\napiVersion: cozystack.io/v1alpha1\nkind: PackageSource\nmetadata: {{name: {name}}}\n\
         spec:\n  sourceRef: {{kind: OCIRepository, name: s, namespace: n}}\n  variants:\n  - \
         {variant}\n"
    )
}

fn package(name: &str, spec: &str) -> String {
    format!(
        "---\napiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata: {{name: {name}}}\n\
         spec: {spec}\n"
    )
}

fn codes(rendered: &Rendered) -> Vec<&'static str> {
    rendered
        .findings
        .iter()
        .map(|finding| finding.rule)
        .collect()
}

#[test]
fn codes_are_unique_and_say_the_reason() {
    let mut codes: Vec<&str> = REASONS.iter().map(|reason| reason.code).collect();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), REASONS.len());
    for reason in REASONS {
        let joined: String = reason.code.split('-').collect();
        assert_eq!(reason.ids[0].to_lowercase(), joined);
    }
}

#[test]
fn a_missing_package_and_a_missing_component_are_both_told() {
    let components = "components: [{name: app, path: a, install: {namespace: x, dependsOn: [c]}}]";
    let text = source(
        "p",
        &format!("{{name: default, dependsOn: [gone], {components}}}"),
    ) + &package("p", "{}");
    let made = rendered(&text);
    assert_eq!(
        codes(&made),
        ["dependencies-not-ready", "depends-on-failed"]
    );
    assert!(made.releases.is_empty());
    assert_eq!(made.namespaces.len(), 1);
}

#[test]
fn a_ring_of_packages_is_spelled_out_once() {
    let mut text = String::new();
    for (name, next) in [("a", "b"), ("b", "c"), ("c", "a")] {
        text += &source(
            name,
            &format!("{{name: default, dependsOn: [{next}], components: []}}"),
        );
        text += &package(name, "{}");
    }
    let made = rendered(&text);
    let told: Vec<&str> = made
        .findings
        .iter()
        .map(|finding| finding.message.as_str())
        .collect();
    assert_eq!(
        told.iter()
            .filter(|message| message.contains("`a` → `b` → `c` → `a`"))
            .count(),
        1
    );
    assert_eq!(codes(&made), ["dependencies-not-ready"; 3]);
    let open = text.replace(
        "metadata: {name: c}\nspec: {}",
        "metadata: {name: c}\nspec: {ignoreDependencies: [a]}",
    );
    assert!(codes(&rendered(&open)).is_empty());
}

#[test]
fn names_that_leave_the_directory_are_refused() {
    let components = "components: [{name: ../x, path: a, install: {namespace: n}}]";
    let text = source("p", &format!("{{name: default, {components}}}")) + &package("p", "{}");
    let made = rendered(&text);
    assert!(made.releases.is_empty() && made.generators.is_empty());
    assert_eq!(
        codes(&made),
        ["helm-release-failed", "invalid-artifact-name"]
    );
    assert_eq!(codes(&rendered(&package("../x", "{}"))), ["invalid-object"]);
    let components = "components: [{name: a, path: a, install: {namespace: ../x}}]";
    let text = source("p", &format!("{{name: default, {components}}}")) + &package("p", "{}");
    let made = rendered(&text);
    assert!(made.namespaces.is_empty() && made.releases.is_empty());
    assert_eq!(codes(&made), ["invalid-namespace"]);
}

#[test]
fn the_component_that_was_meant_is_named() {
    let components = "components: [{name: app, path: a, install: {namespace: n}}]";
    let text = source("p", &format!("{{name: default, {components}}}"))
        + &package("p", "{components: {App: {values: {}}}}");
    let made = rendered(&text);
    assert_eq!(
        made.findings[0].help.as_deref(),
        Some("did you mean `app`?")
    );
}

#[test]
fn one_release_twice_in_a_variant_is_told_without_a_package_too() {
    let components = "components: [{name: a, path: a, install: {namespace: n, releaseName: b}}, \
                      {name: b, path: b, install: {namespace: n}}]";
    let text = source("p", &format!("{{name: default, {components}}}"));
    assert_eq!(codes(&rendered(&text)), ["release-collision"]);
    let off = text + &package("p", "{components: {a: {enabled: false}}}");
    let made = rendered(&off);
    assert_eq!(made.findings[0].level, crate::finding::Level::Warning);
    assert_eq!(made.findings.len(), 1);
}

#[test]
fn thousands_of_packages_take_no_time_to_speak_of() {
    let mut text = String::new();
    for at in 0..5_000 {
        let next = (at + 1) % 5_000;
        let components =
            format!("components: [{{name: a, path: a, install: {{namespace: n{at}}}}}]");
        let variant = format!("{{name: default, dependsOn: [p{next}], {components}}}");
        write!(
            text,
            "{}{}",
            source(&format!("p{at}"), &variant),
            package(&format!("p{at}"), "{}")
        )
        .unwrap();
    }
    let estate = estate(&text);
    let start = std::time::Instant::now();
    let made = render(
        &estate,
        &OperatorSettings::default(),
        PlatformTable::Unknown,
    );
    assert!(start.elapsed() < std::time::Duration::from_secs(10));
    assert_eq!(made.findings.len(), 5_000);
    assert_eq!(made.namespaces.len(), 5_000);
    assert!(made.releases.is_empty());
}
