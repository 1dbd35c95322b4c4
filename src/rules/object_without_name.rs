//! `object-without-name`: an object has no name and cannot be applied.

use super::{Context, Rule};
use crate::finding::{Finding, Label, Level};

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
    check: check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for subject in &context.subjects {
        let Some(root) = subject.doc.root() else { continue };
        let named = root.at(&["metadata", "name"]).is_some_and(|name| {
            name.text().is_some_and(|text| !text.is_empty()) && !name.is_null()
        });
        if named || subject.id.kind.ends_with("List") || subject.id.kind.is_empty() {
            continue;
        }
        let generated = root.at(&["metadata", "generateName"]);
        let (place, what) = match generated {
            Some(node) => (node.span(), "has only a `generateName`, expected a `name`"),
            None => {
                let kind = root.at(&["kind"]).map_or(root.span(), |kind| kind.span());
                (kind, "has no name, expected `metadata.name`")
            }
        };
        findings.push(
            Finding::new(
                RULE.code,
                Level::Error,
                Label::new(place).object(&subject.id),
                format!("this {} {what}: it can be created, but not applied", subject.id.kind),
            )
            .help("give it a `metadata.name`"),
        );
    }
}
