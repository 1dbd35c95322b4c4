//! Texts before and after injection.

use super::*;
use crate::source::SourceMap;

fn injected(containers: &str) -> String {
    let text = format!(
        "kind: Deployment\napiVersion: apps/v1\nspec:\n  template:\n    spec:\n      \
         hostNetwork: true\n{containers}"
    );
    whole(&text)[text.len() - containers.len()..].to_owned()
}

fn whole(text: &str) -> String {
    let source = SourceMap::default().add("a.yaml", text);
    let (docs, faults) = crate::load::documents(&source);
    assert_eq!(faults, []);
    let environment = Environment {
        host: "localhost".to_owned(),
        port: "7445".to_owned(),
    };
    let (mut edits, findings) = inject(&docs[0], &environment);
    assert_eq!(findings, []);
    edits.sort();
    let mut result = text.to_owned();
    for edit in edits.iter().rev() {
        result.replace_range(edit.span.range(), &edit.text);
    }
    result
}

#[test]
fn variables_are_appended_host_before_port() {
    assert_eq!(
        injected(
            "      containers:\n      - name: a\n        env:\n        - name: X\n          \
             value: y # why\n        image: i\n"
        ),
        "      containers:\n      - name: a\n        env:\n        - name: X\n          \
         value: y # why\n        - name: KUBERNETES_SERVICE_HOST\n          value: \"localhost\"\n        \
         - name: KUBERNETES_SERVICE_PORT\n          value: \"7445\"\n        image: i\n"
    );
}

#[test]
fn a_variable_that_exists_is_overwritten_in_place() {
    assert_eq!(
        injected(
            "      containers:\n      - env:\n        - name: KUBERNETES_SERVICE_PORT\n          \
             value: 1\n        - name: KUBERNETES_SERVICE_HOST\n          valueFrom: {f: g}\n"
        ),
        "      containers:\n      - env:\n        - name: KUBERNETES_SERVICE_PORT\n          \
         value: \"7445\"\n        - name: KUBERNETES_SERVICE_HOST\n          value: \"localhost\"\n          \
         valueFrom: {f: g}\n"
    );
}

#[test]
fn a_container_without_a_list_gets_one() {
    assert_eq!(
        injected("      initContainers:\n        - name: a\n          image: b"),
        "      initContainers:\n        - name: a\n          image: b\n          env:\n          \
         - name: KUBERNETES_SERVICE_HOST\n            value: \"localhost\"\n          \
         - name: KUBERNETES_SERVICE_PORT\n            value: \"7445\""
    );
}

#[test]
fn bracketed_lists_stay_bracketed() {
    let both = "{\"name\": \"KUBERNETES_SERVICE_HOST\", \"value\": \"localhost\"}, \
                {\"name\": \"KUBERNETES_SERVICE_PORT\", \"value\": \"7445\"}";
    assert_eq!(
        injected(
            "      containers: [{name: a}, {name: b, env: []}, {name: c, env: [{name: X}]}]\n"
        ),
        format!(
            "      containers: [{{name: a, \"env\": [{both}]}}, {{name: b, env: [{both}]}}, \
             {{name: c, env: [{{name: X}}, {both}]}}]\n"
        )
    );
}

#[test]
fn a_shared_list_is_edited_once_and_other_pods_not_at_all() {
    let shared = "      containers:\n      - name: a\n        env: &e\n        - name: X\n      \
                  - name: b\n        env: *e\n";
    assert_eq!(
        injected(shared).matches("KUBERNETES_SERVICE_HOST").count(),
        1
    );
    let plain = "kind: Deployment\napiVersion: apps/v1\nspec: {template: {spec: {containers: [{name: a}]}}}\n";
    assert_eq!(whole(plain), plain);
}

#[test]
fn injecting_twice_changes_nothing() {
    let once = injected("      containers:\n      - name: a\n        env:\n");
    assert_eq!(injected(&once), once);
}
