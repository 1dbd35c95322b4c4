//! `image-not-reached`: an entry names an image where the filter does not go.

use super::{Context, Rule};
use crate::finding::{Finding, Label, Level};
use std::collections::BTreeSet;

use crate::model::overrides::{Override, OverrideTable};
use crate::model::pattern::Pattern;
use crate::source::Span;

pub(crate) const RULE: Rule = Rule {
    code: "image-not-reached",
    ids: &[],
    level: Level::Warning,
    summary: "an entry names an image where the filter does not go",
    explain: "\
The filter visits `containers` and `initContainers`, and in a build the image volumes of pods.
Nothing else: no `ephemeralContainers`, no `spec.image` of a custom resource, no argument, no
environment variable, no ConfigMap. An image there keeps its name, and is pulled from where it was.

Example: Prometheus with `spec.image: quay.io/prometheus/prometheus:v3` under an entry for that name.

Fix: set the field by the chart's values.

Quiet: texts that no entry's name matches; CustomResourceDefinitions.

Source: kustomize 5.7.1 `api/filters/imagetag/legacy.go`.
",
    check: check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for applied in &context.applied {
        let visited: BTreeSet<Span> = applied.visits().map(|visit| visit.span).collect();
        let patterns = patterns(applied.table);
        for doc in applied.docs {
            let Some(root) = doc.root() else { continue };
            if root.text_at(&["kind"]) == Some("CustomResourceDefinition") {
                continue;
            }
            for node in doc.nodes().filter(|node| node.kind().is_scalar()) {
                let Some(text) = node.text().filter(|text| looks_like_image(text)) else {
                    continue;
                };
                if visited.contains(&node.span()) {
                    continue;
                }
                let Some((entry, _)) =
                    patterns.iter().find(|(_, pattern)| pattern.is_match(text))
                else {
                    continue;
                };
                let name = entry.name.as_ref().map_or(entry.span, |name| name.span);
                findings.push(
                    Finding::new(
                        RULE.code,
                        Level::Warning,
                        Label::new(node.span()),
                        format!(
                            "`{text}` stands where the image filter does not go, so entry {} does \
                             not reach it",
                            entry.index + 1
                        ),
                    )
                    .help("set it by the chart's values, or mirror the registry on the nodes")
                    .related(Label::new(name).message("the entry that its name matches")),
                );
            }
        }
    }
}

/// The entries with a name that takes some image, not every text.
fn patterns(table: &OverrideTable) -> Vec<(&Override, Pattern)> {
    let compile = |entry| Some((entry, Pattern::compile(Override::name(entry)).ok()?));
    let fits = |(_, pattern): &(_, Pattern)| {
        !pattern.matches_empty() && !pattern.unanchored_alternation()
    };
    table.entries.iter().filter_map(compile).filter(fits).collect()
}

/// Whether a text is one word with a path, as an image with a registry is; shorter ones are too
/// often plain words.
fn looks_like_image(text: &str) -> bool {
    text.contains('/') && !text.contains(char::is_whitespace) && !text.contains("://")
}
