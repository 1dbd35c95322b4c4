//! `image-not-reached`: an entry names an image where the filter does not go.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::override_unused::miss;
use super::{Applied, Context, Rule};
use crate::finding::{Finding, Label, Level};
use crate::model::overrides::{Override, OverrideTable};
use crate::model::pattern::Pattern;
use crate::resolve::images::{Filtered, Visit};
use crate::source::Span;
use crate::yaml::split::offset;
use crate::yaml::{Doc, Node};

pub(crate) const RULE: Rule = Rule {
    code: "image-not-reached",
    ids: &[],
    level: Level::Warning,
    summary: "an entry names an image where the filter does not go",
    explain: "\
The filter visits `image` in every `containers` and `initContainers` list, whatever the kind, and in a
build also the image volumes of pods and pod templates. Nothing else: no `ephemeralContainers`, no
image volume of a CronJob, no `spec.image` of a custom resource, no argument, no environment
variable, no annotation. An image there keeps its name and is pulled from where it always was, which
behind an air gap is nowhere.

Example, under an entry for `quay.io/prometheus/prometheus`:

    kind: Prometheus
    spec:
      image: quay.io/prometheus/prometheus:v3.1.0

Nor does it know two spellings for one image. An entry for `docker.io/library/redis` leaves `redis` and
`index.docker.io/library/redis` alone, and one for `registry.example.org/app` leaves
`registry.example.org/app@sha512:…`, `…/app:1+build` and `…/app:${TAG}`. Since the entry takes other
images nothing looks wrong.

Fix: set the field by the chart's values, spell images alike or add an entry for each spelling, or
mirror the registry on the nodes, where the runtime redirects every pull.

Quiet: texts that no entry's name matches as a whole (an argument `--image=…` counts by what stands
behind the `=`); URLs; images inside larger texts; `status`; post-renderers and override tables, which
say what images become; CustomResourceDefinitions, whose schema defaults are no pulls; texts that the
real filter refuses.

Source: kustomize 5.7.1 `api/filters/imagetag/legacy.go`; `spec/image-semantics.md` rules 33 to 39.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for table in context.tables.distinct() {
        let patterns = patterns(table);
        for left in left_behind(context, table) {
            let Some((entry, _)) = patterns
                .iter()
                .find(|(_, pattern)| pattern.is_match(left.image))
            else {
                continue;
            };
            let name = entry.name.as_ref().map_or(entry.span, |name| name.span);
            findings.push(
                Finding::new(
                    RULE.code,
                    Level::Warning,
                    Label::new(left.span),
                    format!(
                        "`{}` stands where the image filter does not go, so entry {} does not \
                         reach it",
                        left.image,
                        entry.index + 1
                    ),
                )
                .help("set it by the chart's values, or mirror the registry on the nodes")
                .related(Label::new(name).message("the entry that its name matches")),
            );
        }
        near_misses(context, table, &patterns, findings);
    }
}

/// Images that are visited, but that no entry matches though one that takes others is surely meant
/// for them. An entry that takes none is `override-unused`, which names its nearest image.
fn near_misses(
    context: &Context<'_>,
    table: &OverrideTable,
    patterns: &[(&Override, &Pattern)],
    findings: &mut Vec<Finding>,
) {
    let visits = || context.of(table).flat_map(Applied::visits);
    let places = table.entries.last().map_or(0, |last| last.index + 1);
    let mut used = vec![false; places];
    for hit in visits().flat_map(|visit| visit.hits.iter()) {
        used[hit.entry] = true;
    }
    for visit in visits().filter(|visit| visit.hits.is_empty()) {
        let meant = patterns.iter().filter(|(entry, _)| used[entry.index]);
        let Some((entry, miss)) = meant
            .filter_map(|(entry, pattern)| {
                Some((entry, miss(&pattern.plain_text(), &visit.before)?))
            })
            .find(|(_, miss)| miss.rank <= 1)
        else {
            continue;
        };
        let name = entry.name.as_ref().map_or(entry.span, |name| name.span);
        let message = format!(
            "entry {} looks meant for `{}` but does not match it: {}",
            entry.index + 1,
            visit.before,
            miss.why
        );
        findings.push(
            Finding::new(RULE.code, Level::Warning, Label::new(visit.span), message)
                .help("add an entry for this spelling, or change the manifest")
                .related(Label::new(name).message("the entry")),
        );
    }
}

/// The entries with a name that takes some image, not every text.
fn patterns(table: &OverrideTable) -> Vec<(&Override, &Pattern)> {
    let compile = |entry| Some((entry, Override::pattern(entry).ok()?));
    let fits = |(_, pattern): &(_, &Pattern)| {
        !pattern.matches_empty() && !pattern.unanchored_alternation()
    };
    table
        .entries
        .iter()
        .filter_map(compile)
        .filter(fits)
        .collect()
}

/// A text that may be an image and that the filter does not visit.
pub(super) struct LeftBehind<'d> {
    /// The text, without an option's name before it.
    pub(super) image: &'d str,
    /// Where the whole scalar stands.
    pub(super) span: Span,
}

/// What the table's filter leaves unvisited, document by document. Where it refuses a text nothing
/// is known of it.
pub(super) fn left_behind<'s>(
    context: &'s Context<'_>,
    table: &'s OverrideTable,
) -> Vec<LeftBehind<'s>> {
    let mut docs: Vec<(&Doc, &[Visit<'_>])> = Vec::new();
    let mut refused = BTreeSet::new();
    for applied in context.of(table) {
        if let Some(refusal) = applied.refusal() {
            refused.insert(refusal.primary.span.source);
        }
        let first = docs.len();
        docs.extend(applied.docs.iter().map(|doc| (doc, [].as_slice())));
        let by_doc = |pass: &'s Filtered<'s>| {
            let visits = pass.visits.as_slice();
            visits.chunk_by(|one, other| one.doc == other.doc)
        };
        for visits in applied.passes.iter().copied().flat_map(by_doc) {
            docs[first + visits[0].doc].1 = visits;
        }
    }
    docs.sort_by_key(|(doc, _)| doc.span());
    docs.into_par_iter()
        .filter(|(doc, _)| !refused.contains(&doc.source.id))
        .flat_map_iter(|(doc, visits)| left_in(doc, visits))
        .collect()
}

/// What is left unvisited of one document.
fn left_in<'d>(doc: &'d Doc, visits: &[Visit<'_>]) -> Vec<LeftBehind<'d>> {
    let Some(root) = doc.root() else {
        return Vec::new();
    };
    if root.text_at(&["kind"]) == Some("CustomResourceDefinition") {
        return Vec::new();
    }
    if leaves_none(root, visits) {
        return Vec::new();
    }
    let places = |visit: &Visit<'_>| [visit.span, doc.node(visit.node).span()];
    let mut visited: Vec<Span> = visits.iter().flat_map(places).collect();
    visited.sort_unstable();
    if !may_leave(root, &visited) {
        return Vec::new();
    }
    candidates(root)
        .filter(|found| visited.binary_search(&found.span).is_err())
        .collect()
}

/// Whether [`candidates`] surely find no more than what was visited: each slash of the document stands
/// in a text that was, in `apiVersion` or in a key, and what follows `image` or `reference` was visited.
/// Visits in another order than the text's are not found, and then nothing is sure.
fn leaves_none(root: Node<'_>, visits: &[Visit<'_>]) -> bool {
    let doc = root.doc();
    if !doc.is_straight() || doc.has_decoded() {
        return false;
    }
    let at = |place: u32| {
        let behind = visits.partition_point(|visit| visit.span.end <= place);
        let visit = visits.get(behind).map(|visit| visit.span);
        visit.filter(|span| span.start <= place)
    };
    let version = root.get("apiVersion").map(Node::span);
    let slashes = memchr::memchr_iter(b'/', doc.text().as_bytes());
    let mut slashes = slashes.map(|slash| doc.start + offset(slash));
    let in_version = |place| version.is_some_and(|span| span.start <= place && place < span.end);
    let values = doc.nodes().skip(1).map(Some).chain([None]);
    let mut named = doc.nodes().zip(values).filter(|(it, _)| is_image_key(*it));
    slashes.all(|slash| {
        at(slash).is_some() || in_version(slash) || in_key(&doc.source.text, slash as usize)
    }) && named.all(|(_, value)| {
        let value = value.map(Node::span);
        value.is_some_and(|value| at(value.start) == Some(value))
    })
}

/// Whether what stands there is part of a key, or of a text with a blank in it, which is no image.
fn in_key(text: &str, place: usize) -> bool {
    let rest = &text.as_bytes()[place..];
    let ordinary = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-".contains(byte);
    let end = rest.iter().position(|byte| !ordinary(byte));
    end.is_some_and(|end| matches!(rest[end..], [b':', b' ' | b'\n', ..]))
}

/// Whether [`candidates`] may find more than what was visited, told from the nodes one after the other:
/// there is a slash in a text, or `image` or `reference` before one. Most documents end here.
fn may_leave(root: Node<'_>, visited: &[Span]) -> bool {
    let doc = root.doc();
    let text = doc.source.text.as_bytes();
    let version = root.get("apiVersion").map(Node::span);
    let known = |span: Span| visited.binary_search(&span).is_ok() || version == Some(span);
    let mut named = false;
    let left = |node: Node<'_>| {
        let span = node.span();
        if std::mem::replace(&mut named, is_image_key(node)) {
            return !known(span);
        }
        // What a colon follows at once is a key.
        let key = text.get(span.end as usize) == Some(&b':');
        !key && node.text().is_some_and(has_slash) && !known(span)
    };
    !doc.is_straight() || doc.nodes().any(left) || named
}

/// Whether it is spelt as the keys under which any text counts, in quotes or not.
fn is_image_key(node: Node<'_>) -> bool {
    matches!(node.length(), 5 | 7 | 9 | 11) && matches!(node.text(), Some("image" | "reference"))
}

fn has_slash(text: &str) -> bool {
    memchr::memchr(b'/', text.as_bytes()).is_some()
}

/// Every value under a root that is spelt as an image may be. Aliases are told where their anchor
/// stands.
fn candidates(root: Node<'_>) -> impl Iterator<Item = LeftBehind<'_>> {
    let mut stack = vec![("", root)];
    std::iter::from_fn(move || {
        while let Some((key, node)) = stack.pop() {
            if let Some(text) = node.text() {
                if let Some(image) = image_in(key, text) {
                    return Some(LeftBehind {
                        image,
                        span: node.span(),
                    });
                }
                continue;
            }
            stack.extend(node.items().map(|item| (key, item)));
            for (name, value) in node.entries() {
                let name = name.text().unwrap_or_default();
                let is_meta = matches!(name, "apiVersion" | "kind" | "status") && node == root;
                let is_table = matches!(name, "postRenderers" | "imageOverrides");
                stack.extend((!is_meta && !is_table).then_some((name, value)));
            }
        }
        None
    })
}

/// The image that a value may be: one word with a path, or any word where the key says image; short
/// names elsewhere are too often plain words.
fn image_in<'t>(key: &str, text: &'t str) -> Option<&'t str> {
    let named = matches!(key, "image" | "reference") && !text.is_empty();
    // Most texts have no path.
    if !named && !has_slash(text) {
        return None;
    }
    if text.contains(char::is_whitespace) || text.contains("://") {
        return None;
    }
    if named {
        return Some(text);
    }
    let image = text.rsplit_once('=').map_or(text, |(_, behind)| behind);
    image.contains('/').then_some(image)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{messages, pod};

    const TABLE: &str = "- {name: r.io/app, newTag: '2'}\n- {name: nginx, newTag: '2'}\n";

    fn told(manifests: &str) -> Vec<String> {
        let mut images: Vec<String> = messages("image-not-reached", TABLE, manifests)
            .iter()
            .map(|message| message.split('`').nth(1).unwrap_or_default().to_owned())
            .collect();
        images.sort();
        images
    }

    #[test]
    fn images_outside_containers_are_told() {
        let ephemeral = "  ephemeralContainers:\n  - image: nginx:1\n  volumes: []\n";
        assert_eq!(told(&(pod(&["r.io/app:1"]) + ephemeral)), ["nginx:1"]);
        let custom = "apiVersion: e/v1\nkind: A\nmetadata:\n  name: a\n  annotations: {x: \
                      'r.io/app:1'}\nspec:\n  image: r.io/app:2\n  split: {repository: r.io/app}\n  \
                      args: ['--image=r.io/app:3', --to, 'r.io/app:4']\n";
        assert_eq!(
            told(custom),
            [
                "r.io/app",
                "r.io/app:1",
                "r.io/app:2",
                "r.io/app:3",
                "r.io/app:4"
            ]
        );
        let job = "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: a}\nspec: {jobTemplate: \
                   {spec: {template: {spec: {volumes: [{image: {reference: 'nginx:1'}}]}}}}}\n";
        assert_eq!(told(job), ["nginx:1"]);
    }

    #[test]
    fn what_is_no_pull_or_was_visited_is_left_alone() {
        for manifests in [
            pod(&["r.io/app:1", "nginx"]),
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: nginx}\ndata: {a: nginx, r.io/app: x, \
             u: 'https://r.io/app', t: 'use r.io/app:1'}\n"
                .to_owned(),
            "apiVersion: e/v1\nkind: CustomResourceDefinition\nmetadata: {name: a}\nspec: {image: \
             'r.io/app:1'}\n"
                .to_owned(),
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: image\n".to_owned(),
            "apiVersion: e/v1\nkind: A\nmetadata: {name: a}\nstatus: {image: 'r.io/app:1'}\n"
                .to_owned(),
            "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nx: &i r.io/app:1\nspec: {containers: \
             [{image: *i}]}\n"
                .to_owned(),
        ] {
            assert!(told(&manifests).is_empty(), "{manifests}: {:?}", told(&manifests));
        }
    }

    #[test]
    fn a_text_that_the_filter_refuses_is_left_alone() {
        let wrong =
            "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [r.io/app]}\n";
        assert!(told(wrong).is_empty());
    }

    #[test]
    fn other_spellings_of_an_image_that_is_rewritten_are_told() {
        let table = "- {name: docker.io/library/redis, newName: m.io/redis}\n";
        let images = [
            "redis:7",
            "library/redis:7",
            "docker.io/redis:7",
            "docker.io/library/redis:7",
        ];
        let found = messages("image-not-reached", table, &pod(&images));
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[0].ends_with("the same image under another name; write `redis`"));
        assert!(
            messages("image-not-reached", table, &pod(&images[..2])).is_empty(),
            "unused"
        );
    }

    #[test]
    fn tags_and_digests_that_the_filter_does_not_know_are_told() {
        let images = [
            "r.io/app:1",
            "r.io/app:1+b",
            "r.io/app:${TAG}",
            "r.io/app@sha512:ab",
        ];
        assert_eq!(messages("image-not-reached", TABLE, &pod(&images)).len(), 3);
        let others = [
            "r.io/app:1",
            "r.io/group/app:1",
            "r.io:5/app",
            "nginx",
            "nginx-x:1",
        ];
        assert!(messages("image-not-reached", TABLE, &pod(&others)).is_empty());
    }
}
