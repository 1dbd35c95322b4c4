//! `duplicate-merge-key`: a list that is merged by a key holds one key twice.

use std::collections::BTreeMap;

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Level};
use crate::model::{field, workload};
use crate::yaml::Node;

pub(crate) const RULE: Rule = Rule {
    code: "duplicate-merge-key",
    ids: &["HZ09"],
    level: Level::Error,
    summary: "a list that is merged by a key holds one key twice",
    explain: "\
Server-side apply merges some lists by a key: `env` by name, container `ports` by number and protocol,
`imagePullSecrets` by name, `hostAliases` by address. A key that stands twice is an error 500
(`duplicate entries for key`), even where both entries are equal. Client-side apply took them, so a
chart that worked for years fails on the first server-side upgrade. Volumes, mounts, containers and a
Service's ports are refused by any method.

Example:

    env: [{name: MODE, value: a}, {name: MODE, value: b}]

Fix: drop one.

Quiet: objects that no chart renders; the first group where the release is set to client-side apply;
lists that are replaced as a whole (`envFrom`, `args`, `tolerations`, `rules`, `subjects`).

Source: `spec/hazards.md` HZ09, run against kube-apiserver 1.36; camunda/camunda-platform-helm#6158.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for subject in context.charted() {
        let Some(root) = subject.root() else { continue };
        let mut lists = Lists {
            subject,
            tolerant: context.applies_client_side(subject),
            findings,
        };
        lists.look(
            root,
            "metadata.ownerReferences",
            &["metadata", "ownerReferences"],
            &["uid"],
            true,
        );
        lists.finalizers(root);
        if subject.id.kind == "Service" && subject.id.group().is_empty() {
            lists.look(
                root,
                "spec.ports",
                &["spec", "ports"],
                &["port", "protocol"],
                false,
            );
        }
        if let Some(spec) = workload::pod_spec(root, &subject.id) {
            lists.pod(spec, &workload::spec_path(&subject.id));
        }
    }
}

struct Lists<'r, 'c> {
    subject: &'r Subject<'c>,
    /// Whether client-side apply takes what server-side apply refuses.
    tolerant: bool,
    findings: &'r mut Vec<Finding>,
}

impl Lists<'_, '_> {
    fn pod(&mut self, spec: Node<'_>, path: &str) {
        let at = |list: &str| format!("{path}.{list}");
        self.look(
            spec,
            &at("imagePullSecrets"),
            &["imagePullSecrets"],
            &["name"],
            true,
        );
        self.look(spec, &at("hostAliases"), &["hostAliases"], &["ip"], true);
        self.look(spec, &at("volumes"), &["volumes"], &["name"], false);
        let spread = ["topologyKey", "whenUnsatisfiable"];
        let name = "topologySpreadConstraints";
        self.look(spec, &at(name), &[name], &spread, false);
        for list in ["containers", "initContainers"] {
            self.look(spec, &at(list), &[list], &["name"], false);
            for (number, container) in field::list(spec, &[list]).into_iter().enumerate() {
                let at = |inner: &str| format!("{path}.{list}[{number}].{inner}");
                self.look(container, &at("env"), &["env"], &["name"], true);
                let ports = ["containerPort", "protocol"];
                self.look(container, &at("ports"), &["ports"], &ports, true);
                self.look(
                    container,
                    &at("volumeMounts"),
                    &["volumeMounts"],
                    &["mountPath"],
                    false,
                );
            }
        }
    }

    fn look(&mut self, node: Node<'_>, path: &str, route: &[&str], keys: &[&str], lenient: bool) {
        let mut seen: BTreeMap<String, Node<'_>> = BTreeMap::new();
        for item in field::list(node, route) {
            let mut parts = Vec::new();
            for key in keys {
                match item.text_at(&[key]) {
                    Some(text) => parts.push(text),
                    None if *key == "protocol" => parts.push("TCP"),
                    None => {}
                }
            }
            if parts.len() == keys.len() {
                self.meet(&mut seen, parts.join("/"), item, path, lenient);
            }
        }
    }

    fn finalizers(&mut self, root: Node<'_>) {
        let mut seen = BTreeMap::new();
        for item in field::list(root, &["metadata", "finalizers"]) {
            if let Some(text) = item.text() {
                self.meet(
                    &mut seen,
                    text.to_owned(),
                    item,
                    "metadata.finalizers",
                    true,
                );
            }
        }
    }

    fn meet<'d>(
        &mut self,
        seen: &mut BTreeMap<String, Node<'d>>,
        key: String,
        item: Node<'d>,
        path: &str,
        lenient: bool,
    ) {
        if lenient && self.tolerant {
            return;
        }
        let Some(first) = seen.get(&key) else {
            seen.insert(key, item);
            return;
        };
        let what = if lenient {
            "server-side apply refuses duplicates that client-side apply took"
        } else {
            "the API server refuses it"
        };
        let message = format!("{}: `{path}` has `{key}` twice; {what}", self.subject.id);
        self.findings.push(
            Finding::new(RULE.code, Level::Error, self.subject.at(item), message)
                .help("drop one")
                .related(self.subject.at(*first).message("the first one")),
        );
    }
}
