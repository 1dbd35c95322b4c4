//! `override-drops-digest`: a new tag takes the digest off an image.

use super::{Context, Rule};
use crate::finding::{Finding, Label, Level};
use std::collections::BTreeSet;

use super::Applied;
use crate::model::image::split;

pub(crate) const RULE: Rule = Rule {
    code: "override-drops-digest",
    ids: &[],
    level: Level::Warning,
    summary: "a new tag takes the digest off an image",
    explain: "\
`newTag` alone replaces the tag and drops the digest that stood there. The image was pinned and is
not any more: what runs is whatever the tag means on the day of the pull.

Fix: give the entry the `digest` of the new image too.

Quiet: entries with a `digest`, or with `newName` alone, which keeps tag and digest.

Source: kustomize 5.7.1 `api/filters/imagetag/updater.go`.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for table in context.tables.distinct() {
        let mut told = BTreeSet::new();
        for visit in context.of(table).flat_map(Applied::visits) {
            for hit in visit.steps() {
                let lost = hit.before.contains('@')
                    && !split(hit.before).digest.is_empty()
                    && !hit.after.contains('@');
                if !lost || !told.insert(hit.entry) {
                    continue;
                }
                let entry = table.entry(hit.entry);
                let place = entry.new_tag.as_ref().map_or(entry.span, |tag| tag.span);
                findings.push(
                    Finding::new(
                        RULE.code,
                        Level::Warning,
                        Label::new(place),
                        format!(
                            "entry {} replaces a digest by a tag: `{}` becomes `{}`",
                            hit.entry + 1,
                            hit.before,
                            hit.after
                        ),
                    )
                    .help("give the entry the `digest` of the new image too")
                    .related(Label::new(visit.span).message("the image that was pinned")),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{messages, pod};
    use super::*;

    #[test]
    fn a_lost_pin_is_told_once_an_entry() {
        let images = pod(&["r.io/a:1@sha256:ab", "r.io/a@sha256:ab", "r.io/a:1"]);
        let told = |fields| {
            messages(
                RULE.code,
                &format!("- {{name: r.io/a, {fields}}}\n"),
                &images,
            )
            .len()
        };
        assert_eq!(told("newTag: '2'"), 1);
        for fields in [
            "newName: r.io/b",
            "digest: 'sha256:cd'",
            "newTag: '2@sha256:cd'",
        ] {
            assert_eq!(told(fields), 0, "{fields}");
        }
    }
}
