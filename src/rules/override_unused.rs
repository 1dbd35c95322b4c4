//! `override-unused`: an entry matched no image.

use super::image_not_reached::left_behind;
use super::{Applied, Context, Rule};
use crate::finding::{Finding, Label, Level, ObjectId};
use crate::model::image::{missed, split};
use crate::model::overrides::{OverrideTable, distance};
use crate::model::pattern::Pattern;
use crate::resolve::images::Visit;
use crate::source::Span;
use crate::yaml::Doc;

pub(crate) const RULE: Rule = Rule {
    code: "override-unused",
    ids: &[],
    level: Level::Warning,
    summary: "an entry matched no image",
    explain: "\
Behind an air gap an entry that matches nothing is a pull that fails, and kustomize says nothing of
it. forebay names the entry, and the image that comes nearest with the reason why it was missed:

- another spelling of Docker Hub's names: `redis`, `library/redis`, `docker.io/redis`,
  `docker.io/library/redis` and `index.docker.io/library/redis` are five names to kustomize;
- a digest that is not sha256, or a tag with `+`, `$` or a blank, which the filter does not know;
- upper case, another registry or path, a letter too many;
- an image that stands only where the filter does not go, or only in a CustomResourceDefinition.

Fix: as the finding says.

Quiet: where the run did not look at everything that the table applies to, unless an image that is
surely meant was missed. Flux's table applies to Flux's manifests (`--flux`), the platform's to what
the charts of releases render, so a HelmRelease or a Package among the inputs leaves it open. A bare
list of `--images` stands for both; its entries for `…/fluxcd/…` count as Flux's, the others as the
platform's. Quiet too where an image has the entry's new name already, where the filter refused a
text, and for entries with a name that is no regular expression, which have a rule of their own.

Source: kustomize 5.7.1 `internal/image/image.go`; `spec/image-semantics.md` rules 1 to 8.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for table in context.tables.distinct() {
        let mut applied = context.of(table).peekable();
        if applied.peek().is_none() || applied.any(|one| one.refusal().is_some()) {
            continue;
        }
        for entry in &table.entries {
            let used = context
                .of(table)
                .flat_map(Applied::visits)
                .any(|visit| visit.hits.iter().any(|hit| hit.entry == entry.index));
            // Where the new name stands already, the entry has done its work before.
            let done = || {
                let named = |visit: &Visit<'_>| split(&visit.before).name == entry.new_name();
                let mut visits = context.of(table).flat_map(Applied::visits);
                !entry.new_name().is_empty() && visits.any(named)
            };
            let Some(name) = entry.name.as_ref().filter(|_| !used && !done()) else {
                continue;
            };
            let Ok(pattern) = entry.pattern() else {
                continue;
            };
            let finding = Finding::new(
                RULE.code,
                Level::Warning,
                Label::new(name.span),
                format!(
                    "entry {} for `{}` matches no image",
                    entry.index + 1,
                    name.value
                ),
            );
            let all = everything_seen(context, table, pattern);
            findings.extend(match nearest(pattern, context, table) {
                Some(Nearest { miss, .. }) if !all && miss.rank > SURELY_MEANT => None,
                None if !all => None,
                Some(Nearest { image, span, miss }) => Some(
                    finding
                        .help(format!("`{image}` comes nearest: {}", miss.why))
                        .related(Label::new(span).message("the nearest image")),
                ),
                None => {
                    Some(finding.help("take it out, or give the manifests that it is meant for"))
                }
            });
        }
    }
}

/// The greatest rank of a miss that is an entry's own image.
const SURELY_MEANT: usize = 1;

/// Whether the run looked at everything that an entry of the table may be meant for.
fn everything_seen(context: &Context<'_>, table: &OverrideTable, name: &Pattern) -> bool {
    let stands_for =
        |own: &Option<OverrideTable>| own.as_ref().is_some_and(|own| own.span == table.span);
    let rendered_elsewhere = |id: &ObjectId| match id.kind.as_str() {
        "HelmRelease" => id.group() == "helm.toolkit.fluxcd.io",
        "Package" | "PackageSource" => id.group() == "cozystack.io",
        _ => false,
    };
    let (flux, others): (Vec<_>, Vec<_>) = context.subjects.iter().partition(|it| it.flux);
    let releases = others.iter().any(|subject| rendered_elsewhere(&subject.id));
    let of_flux = stands_for(&context.tables.flux);
    if of_flux && !stands_for(&context.tables.platform) {
        return !flux.is_empty();
    }
    if of_flux && name.plain_text().contains("/fluxcd/") {
        return !flux.is_empty();
    }
    !others.is_empty() && !releases
}

/// Why an image is not taken by a name that was likely meant for it; the nearer the lower its rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Miss {
    /// 0: the very name; 1: the same image; beyond: another image.
    pub(super) rank: usize,
    /// The reason.
    pub(super) why: String,
}

struct Nearest<'s> {
    image: &'s str,
    span: Span,
    miss: Miss,
}

/// The image that comes nearest to a name, and why it was missed.
fn nearest<'s>(
    pattern: &Pattern,
    context: &'s Context<'_>,
    table: &'s OverrideTable,
) -> Option<Nearest<'s>> {
    let plain = pattern.plain_text();
    let mut best: Option<Nearest<'s>> = None;
    for visit in context.of(table).flat_map(Applied::visits) {
        let Some(miss) = miss(&plain, &visit.before) else {
            continue;
        };
        if best.as_ref().is_none_or(|best| miss.rank < best.miss.rank) {
            best = Some(Nearest {
                image: &visit.before,
                span: visit.span,
                miss,
            });
        }
    }
    if best.as_ref().is_some_and(|best| best.miss.rank == 0) {
        return best;
    }
    let why = |why: &str| Miss {
        rank: 0,
        why: why.to_owned(),
    };
    let mut left = left_behind(context, table).into_iter();
    if let Some(found) = left.find(|found| pattern.is_match(found.image)) {
        let miss = why("it stands only where the filter does not go");
        return Some(Nearest {
            image: found.image,
            span: found.span,
            miss,
        });
    }
    let definitions = context
        .of(table)
        .flat_map(|applied| applied.docs)
        .filter(|doc| {
            doc.root().and_then(|root| root.text_at(&["kind"])) == Some("CustomResourceDefinition")
        });
    for node in definitions.flat_map(Doc::nodes) {
        let text = node
            .text()
            .filter(|text| text.contains('/') && pattern.is_match(text));
        if let Some(image) = text {
            let miss = why("it stands only in a CustomResourceDefinition, which the filter skips");
            return Some(Nearest {
                image,
                span: node.span(),
                miss,
            });
        }
    }
    best
}

/// Why a name, as plain text, misses an image; `None` where the two have nothing in common.
pub(super) fn miss(plain: &str, image: &str) -> Option<Miss> {
    let parts = split(image);
    let (rank, why) = if parts.name == plain && image.contains('$') {
        (
            0,
            "its tag is a placeholder with `$`, which the filter does not know".to_owned(),
        )
    } else if let Some(why) = missed(image, plain) {
        (usize::from(parts.name != plain), why)
    } else if parts.name.eq_ignore_ascii_case(plain) {
        (2, "its name differs in upper and lower case".to_owned())
    } else if last(parts.name) == last(plain) {
        (
            3,
            "it has the same last part under another registry or path".to_owned(),
        )
    } else {
        let steps = distance(parts.name, plain);
        if steps > plain.chars().count() / 20 + 2 {
            return None;
        }
        (3 + steps, format!("its name is `{}`", parts.name))
    };
    Some(Miss { rank, why })
}

fn last(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{findings, pod};
    use super::*;

    fn help(name: &str, manifests: &str) -> Option<String> {
        let table = format!("- {{name: '{name}', newTag: '2'}}\n");
        let mut findings = findings(RULE.code, &table, manifests);
        assert!(findings.len() < 2, "{findings:?}");
        findings
            .pop()
            .map(|finding| finding.help.unwrap_or_default())
    }

    #[test]
    fn the_nearest_image_is_named_with_the_reason() {
        for (name, image, reason) in [
            (
                "r.io/sourcecontroller",
                "r.io/source-controller:v1",
                "its name is",
            ),
            (
                "docker.io/library/redis",
                "redis:7",
                "the same image under another name",
            ),
            (
                "redis",
                "index.docker.io/library/redis",
                "the same image under another name",
            ),
            ("r.io/app", "r.io/app:1+b", "its tag holds `+`"),
            ("r.io/app", "r.io/app:${TAG}", "placeholder"),
            ("r.io/app", "r.io/app@sha512:ab", "not sha256"),
            ("r.io/App", "r.io/app:1", "upper and lower case"),
            ("r.io/a/app", "quay.io/app:1", "the same last part"),
        ] {
            let help = help(name, &pod(&[image])).expect("a finding");
            assert!(
                help.contains(reason) && help.contains(image),
                "{name} {image}: {help}"
            );
        }
    }

    #[test]
    fn an_image_elsewhere_is_named_as_such() {
        let custom =
            "apiVersion: e/v1\nkind: A\nmetadata: {name: a}\nspec: {image: 'r.io/app:1'}\n";
        assert!(help("r.io/app", custom).is_some_and(|help| help.contains("does not go")));
        let definition = custom.replace("kind: A", "kind: CustomResourceDefinition");
        assert!(help("r.io/app", &definition).is_some_and(|help| help.contains("skips")));
    }

    #[test]
    fn quiet_where_a_release_may_hold_the_image_unless_it_is_surely_meant() {
        let release = "---\napiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\n\
                       metadata: {name: a}\n";
        let with_release = |image| pod(&[image]) + release;
        assert!(help("r.io/app", &pod(&["other:1"])).is_some());
        assert_eq!(help("r.io/app", &with_release("other:1")), None);
        assert_eq!(help("r.io/app", &with_release("r.io/apps:1")), None);
        assert!(help("redis", &with_release("docker.io/redis:7")).is_some());
    }

    #[test]
    fn quiet_where_used_refused_or_no_pattern() {
        assert_eq!(help("r.io/app", &pod(&["r.io/app:1"])), None);
        let table = "- {name: r.io/app, newName: m/app}\n";
        assert_eq!(findings(RULE.code, table, &pod(&["m/app:1"])), []);
        let wrong = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [x]}\n";
        assert_eq!(help("r.io/app", wrong), None);
    }

    #[test]
    fn other_registries_have_no_library() {
        assert_eq!(
            miss("r.io/library/redis", "redis:7").map(|miss| miss.rank),
            Some(3)
        );
    }
}
