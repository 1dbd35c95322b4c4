//! `object-without-name`: an object has no name and cannot be applied.

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Label, Level};
use crate::yaml::Node;

pub(crate) const RULE: Rule = Rule {
    code: "object-without-name",
    ids: &[],
    level: Level::Error,
    summary: "an object has no name and cannot be applied",
    explain: "\
`kubectl apply` and Flux find an object by its name. One with `generateName` can only be created, a
new one each time; one with neither is refused.

Fix: give it a `metadata.name`.

Quiet: list kinds, whose items have names.

Source: kustomize 5.7.1 `missing metadata.name in object`.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let unnamed = |subject: &&Subject<'_>| subject.id.name.is_empty();
    for subject in context.objects.iter().filter(unnamed) {
        let Some(root) = subject.root() else {
            continue;
        };
        let named = root.at(&["metadata", "name"]).is_some_and(|name| {
            name.text().is_some_and(|text| !text.is_empty()) && !name.is_null()
        });
        if named || subject.id.kind.ends_with("List") || subject.id.kind.is_empty() {
            continue;
        }
        let generated = root.at(&["metadata", "generateName"]);
        let (place, what) = if let Some(node) = generated {
            (node.span(), "has only a `generateName`, expected a `name`")
        } else {
            let kind = root.at(&["kind"]).map_or(root.span(), Node::span);
            (kind, "has no name, expected `metadata.name`")
        };
        findings.push(
            Finding::new(
                RULE.code,
                Level::Error,
                Label::new(place).object(&subject.id),
                format!(
                    "this {} {what}: it can be created, but not applied",
                    subject.id.kind
                ),
            )
            .help("give it a `metadata.name`"),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::messages;
    use super::*;

    #[test]
    fn objects_that_cannot_be_applied_are_told() {
        let told = |metadata| {
            messages(
                RULE.code,
                "[]",
                &format!("apiVersion: v1\nkind: Pod\n{metadata}\n"),
            )
        };
        assert!(told("metadata: {generateName: a-}")[0].contains("generateName"));
        assert_eq!(told("metadata: {}").len(), 1);
        assert!(told("metadata: {name: a}").is_empty());
        assert!(messages(RULE.code, "[]", "apiVersion: v1\nkind: List\nitems: []\n").is_empty());
    }
}
