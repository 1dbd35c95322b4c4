//! `override-chain`: an entry rewrites what an earlier entry made.

use super::{Context, Rule};
use crate::finding::{Finding, Label, Level};
use std::collections::BTreeSet;

use super::Applied;
use crate::model::image::split;

pub(crate) const RULE: Rule = Rule {
    code: "override-chain",
    ids: &[],
    level: Level::Warning,
    summary: "an entry rewrites what an earlier entry made",
    explain: "\
Entries run in order, each on the result of the one before. So an entry can meet an image under the
name that an earlier entry gave it: a swap of two names is impossible in one table, and the second
mirror wins.

Example: `a` becomes `b`, then `b` becomes `a`; both end as `a`.

Fix: put the entries in the other order, or name the original in both.

Quiet: two entries that meet the image under its own name.

Source: kustomize 5.7.1 `internal/builtins/ImageTagTransformer.go`.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for table in context.tables.distinct() {
        let mut told = BTreeSet::new();
        for visit in context.of(table).flat_map(Applied::visits) {
            if visit.hits.len() < 2 {
                continue;
            }
            for (first, second) in visit.steps().zip(visit.steps().skip(1)) {
                let renamed = split(first.before).name != split(first.after).name;
                if first.entry == second.entry || !renamed {
                    continue;
                }
                if !told.insert((first.entry, second.entry)) {
                    continue;
                }
                let place = |entry: usize| {
                    let entry = table.entry(entry);
                    entry.name.as_ref().map_or(entry.span, |name| name.span)
                };
                findings.push(
                    Finding::new(
                        RULE.code,
                        Level::Warning,
                        Label::new(place(second.entry)),
                        format!(
                            "entry {} rewrites what entry {} made: `{}` becomes `{}`, then `{}`",
                            second.entry + 1,
                            first.entry + 1,
                            first.before,
                            first.after,
                            second.after
                        ),
                    )
                    .help("entries run in order; name the original image in both, or reorder them")
                    .related(Label::new(place(first.entry)).message("the earlier entry"))
                    .related(Label::new(visit.span).message("the image")),
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
    fn a_swap_is_told_once_a_pair() {
        let table = "- {name: r.io/a, newName: r.io/b}\n- {name: r.io/b, newName: r.io/a}\n";
        let found = messages(
            RULE.code,
            table,
            &pod(&["r.io/a:1", "r.io/a:2", "r.io/b:1"]),
        );
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(
            found[0].contains("`r.io/a:1` becomes `r.io/b:1`, then `r.io/a:1`"),
            "{found:?}"
        );
    }

    #[test]
    fn two_entries_for_one_image_are_no_chain() {
        let table = "- {name: r.io/a, newTag: '2'}\n- {name: r.io/a, newTag: '3'}\n";
        assert!(messages(RULE.code, table, &pod(&["r.io/a:1"])).is_empty());
    }
}
