//! `override-near-miss`: an entry takes some spellings of an image and leaves others.

use std::collections::BTreeSet;

use super::override_unused::miss;
use super::{Applied, Context, Rule};
use crate::finding::{Finding, Label, Level};
use crate::model::pattern::Pattern;

pub(crate) const RULE: Rule = Rule {
    code: "override-near-miss",
    ids: &[],
    level: Level::Warning,
    summary: "an entry takes some spellings of an image and leaves others",
    explain: "\
kustomize compares text. An entry for `docker.io/library/redis` leaves `redis`, `library/redis`,
`docker.io/redis` and `index.docker.io/library/redis` alone, although all five are one image. An entry
for `registry.example.org/app` leaves `registry.example.org/app@sha512:…`, `…/app:1+build` and
`…/app:${TAG}` alone, since the filter knows no such digest and no such tag. Because the entry does
take other images nothing looks wrong, and in an air gap those pulls fail.

Fix: spell the images alike, or add an entry for each spelling; the finding says which.

Quiet: images that any entry rewrites; entries that take nothing at all, which are `override-unused`
and named there; images of another registry, path or case.

Source: kustomize 5.7.1 `internal/image/image.go`; `spec/image-semantics.md` rules 4, 5 and 7.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for table in context.tables.distinct() {
        let visits = || context.of(table).flat_map(Applied::visits);
        let used: BTreeSet<usize> =
            visits().flat_map(|visit| visit.hits.iter().map(|hit| hit.entry)).collect();
        let names: Vec<_> = table
            .entries
            .iter()
            .filter(|entry| used.contains(&entry.index))
            .filter_map(|entry| {
                let name = entry.name.as_ref()?;
                Some((entry, name.span, Pattern::compile(&name.value).ok()?.plain_text()))
            })
            .collect();
        let mut told = BTreeSet::new();
        for visit in visits().filter(|visit| visit.hits.is_empty()) {
            for (entry, place, plain) in &names {
                let Some(miss) = miss(plain, &visit.before).filter(|miss| miss.rank <= 1) else {
                    continue;
                };
                if !told.insert((entry.index, visit.before.as_str())) {
                    continue;
                }
                findings.push(
                    Finding::new(
                        RULE.code,
                        Level::Warning,
                        Label::new(visit.span),
                        format!(
                            "entry {} for `{}` looks meant for `{}` too, but does not match it",
                            entry.index + 1,
                            entry.name(),
                            visit.before
                        ),
                    )
                    .help(miss.why)
                    .related(Label::new(*place).message("the entry")),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{findings, messages, pod};
    use super::*;

    #[test]
    fn other_spellings_of_a_rewritten_image_are_told() {
        let table = "- {name: docker.io/library/redis, newName: m.io/redis}\n";
        let images =
            ["redis:7", "library/redis:7", "docker.io/redis:7", "docker.io/library/redis:7"];
        let found = findings(RULE.code, table, &pod(&images));
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[0].help.as_deref().is_some_and(|help| help.contains("write `redis`")));
    }

    #[test]
    fn tags_and_digests_that_the_filter_does_not_know_are_told() {
        let table = "- {name: r.io/app, newTag: '2'}\n";
        let images = ["r.io/app:1", "r.io/app:1+b", "r.io/app:${TAG}", "r.io/app@sha512:ab"];
        assert_eq!(messages(RULE.code, table, &pod(&images)).len(), 3);
    }

    #[test]
    fn quiet_for_other_images_and_where_an_entry_takes_the_spelling() {
        let table = "- {name: r.io/app, newTag: '2'}\n- {name: redis, newTag: '2'}\n- {name: \
                     library/redis, newTag: '2'}\n";
        let images = ["r.io/app:1", "r.io/group/app:1", "r.io:5/app", "redis", "library/redis:1"];
        assert!(messages(RULE.code, table, &pod(&images)).is_empty());
        assert!(messages(RULE.code, table, &pod(&["r.io/app:1+b"])).is_empty(), "unused says it");
    }
}
