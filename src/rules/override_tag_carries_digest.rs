//! `override-tag-carries-digest`: a tag carries a digest.

use super::{Context, Rule};
use crate::finding::{Finding, Label, Level};
use crate::model::overrides::new_tag_fault;

pub(crate) const RULE: Rule = Rule {
    code: "override-tag-carries-digest",
    ids: &[],
    level: Level::Note,
    summary: "a tag carries a digest",
    explain: "\
`newTag: 2.0@sha256:…` is pasted as it is and gives a pinned image. It is common and works. The field
`digest` says the same more plainly, and tools that read the table find it there.

Fix: none is needed; `newTag: 2.0` and `digest: sha256:…` are the same.

Quiet: tags without a digest.

Source: kustomize 5.7.1 `api/filters/imagetag/updater.go`.
",
    check: check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for table in context.tables.distinct() {
        for tag in table.entries.iter().filter_map(|entry| entry.new_tag.as_ref()) {
            if new_tag_fault(&tag.value).is_some() {
                continue;
            }
            if let Some((bare, digest)) = tag.value.split_once('@') {
                findings.push(
                    Finding::new(
                        RULE.code,
                        Level::Note,
                        Label::new(tag.span),
                        format!("`newTag` carries a digest: the image is pinned as `{bare}@{digest}`"),
                    )
                    .help("`digest` is the field for it"),
                );
            }
        }
    }
}
