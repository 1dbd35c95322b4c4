//! `duplicate-key`: a mapping has one key twice.

use super::{Context, Rule};
use crate::finding::{Finding, Label, Level, ObjectId};
use std::collections::BTreeMap;

pub(crate) const RULE: Rule = Rule {
    code: "duplicate-key",
    ids: &[],
    level: Level::Error,
    summary: "a mapping has one key twice",
    explain: "\
YAML forbids it and readers disagree on it: the operator's filter looks at the first, kubectl and the
API server refuse or take the last. So the image that is rewritten may not be the one that runs.

Example:

    containers:
    - name: app
      image: app:1
      image: app:2

Fix: keep one of them.

Quiet: keys of different mappings; `<<` beside keys of its own.

Source: go.yaml.in/yaml/v3 `decode.go`; kustomize refuses such a build.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let settings = context
        .settings
        .iter()
        .map(|doc| (*doc, None, Level::Error));
    let level = context.value_level();
    let objects = context
        .subjects
        .iter()
        .map(|it| (it.doc, Some(&it.id), level));
    let all = settings.chain(objects);
    for (doc, id, level) in all.filter(|(doc, ..)| doc.traits.repeated_keys) {
        for mapping in doc.nodes().filter(|node| node.is_mapping()) {
            let mut seen = BTreeMap::new();
            for (key, _) in mapping.entries() {
                let Some(text) = key.resolved().text() else {
                    continue;
                };
                let Some(first) = seen.insert(text, key.span()) else {
                    continue;
                };
                let label = Label {
                    object: id.map(|id| ObjectId::clone(id)),
                    ..Label::new(key.span())
                };
                findings.push(
                    Finding::new(
                        RULE.code,
                        level,
                        label,
                        format!("the key `{text}` stands twice in one mapping, expected once"),
                    )
                    .help("keep one of them: readers disagree on which counts")
                    .related(Label::new(first).message("the first one")),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::messages;
    use super::*;

    #[test]
    fn a_key_twice_is_told_in_manifests_and_in_tables() {
        let pod = "kind: Pod\nmetadata: {name: a, labels: {b: x, b: y}}\n";
        assert_eq!(messages(RULE.code, "[]", pod).len(), 1);
        assert_eq!(
            messages(RULE.code, "images: []\nimages: []\n", "kind: Pod\n").len(),
            1
        );
        assert!(messages(RULE.code, "[]", "kind: Pod\na: {b: 1}\nc: {b: 1}\n").is_empty());
    }
}
