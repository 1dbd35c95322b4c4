//! `namespace-labels-differ`: two writers of one Namespace give a label two values.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Label, Level};
use crate::resolve::packages::SHARED_NAMESPACES;
use crate::yaml::Node;
use crate::yaml::json::to_json;
use crate::yaml::scalar::Reader;

pub(crate) const RULE: Rule = Rule {
    code: "namespace-labels-differ",
    ids: &[],
    level: Level::Warning,
    summary: "two writers of one Namespace give a label or annotation two values",
    explain: "\
The operator applies a Namespace for every component that it installs, with force: its labels win over
those of a document among the inputs, `pod-security.kubernetes.io/enforce: privileged` of a privileged
component too. `cozy-system` and `cozy-fluxcd` have several writers by design. Where two give one label
or annotation different values the later applier takes it from the earlier at every turn. `render`
writes one document: what Packages make stands over what is written, a later document over an earlier.

Fix: make the values equal, or leave the label to one writer.

Quiet: labels that only one writer sets.

Source: `spec/package-rendering.md`, section 5.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let made: BTreeMap<&str, Value> = context
        .made
        .rendered
        .namespaces
        .iter()
        .map(|namespace| (namespace.name.as_str(), namespace.value()))
        .collect();
    let mut written: BTreeMap<&str, Vec<&Subject<'_>>> = BTreeMap::new();
    for subject in context.objects_of("Namespace") {
        if subject.id.group().is_empty() {
            written.entry(&subject.id.name).or_default().push(subject);
        }
    }
    for (name, subjects) in written {
        let shared = SHARED_NAMESPACES.contains(&name);
        for section in ["labels", "annotations"] {
            let mut seen: BTreeMap<String, (String, Label)> = BTreeMap::new();
            for subject in &subjects {
                for (key, node) in texts(subject, section) {
                    let Some(value) = text(node) else { continue };
                    let label = Label::new(node.span()).object(&subject.id);
                    let operator = made
                        .get(name)
                        .and_then(|made| made["metadata"][section][&key].as_str());
                    if let Some(other) = operator.filter(|other| *other != value) {
                        let message = format!(
                            "`{key}` of Namespace `{name}` is `{value}` here and `{other}` where \
                             Packages make it, which wins"
                        );
                        findings.push(differs(label.clone(), message));
                    }
                    match seen.get(&key) {
                        Some((other, first)) if shared && *other != value => {
                            let message = format!(
                                "`{key}` of Namespace `{name}` is `{value}` here and `{other}` \
                                 elsewhere: the later applier wins"
                            );
                            let first = first.clone().message("the other value");
                            findings.push(differs(label, message).related(first));
                        }
                        Some(_) => {}
                        None => {
                            seen.insert(key, (value, label));
                        }
                    }
                }
            }
        }
    }
}

fn differs(label: Label, message: String) -> Finding {
    Finding::new(RULE.code, RULE.level, label, message)
        .help("make the values equal, or leave it to one writer")
}

/// The entries of a section of the metadata.
fn texts<'c>(subject: &Subject<'c>, section: &str) -> Vec<(String, Node<'c>)> {
    let section = subject
        .root()
        .and_then(|root| root.at(&["metadata", section]));
    let entries = section.into_iter().flat_map(Node::entries);
    entries
        .filter_map(|(key, value)| Some((key.resolved().text()?.to_owned(), value.resolved())))
        .collect()
}

fn text(node: Node<'_>) -> Option<String> {
    let value = to_json(node, Reader::Kubernetes).ok()?;
    value.as_str().map(str::to_owned)
}
