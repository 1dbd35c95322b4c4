//! `override-unused`: an entry matched no image.

use super::{Context, Rule};
use crate::finding::{Finding, Label, Level};
use super::Applied;
use crate::model::image::split;
use crate::model::overrides::distance;
use crate::model::pattern::Pattern;
use crate::resolve::images::Visit;

pub(crate) const RULE: Rule = Rule {
    code: "override-unused",
    ids: &[],
    level: Level::Warning,
    summary: "an entry matched no image",
    explain: "\
Behind an air gap an entry that matches nothing is a pull that fails. kustomize says nothing of it.
forebay names the entry, and the image that comes nearest with the reason why it was missed: another
spelling of Docker Hub's names, a digest that the filter does not know, a tag with `+`, another case,
a place that the filter does not visit.

Fix: as the finding says.

Quiet: where no documents were given that the table could meet.

Source: kustomize 5.7.1 `internal/image/image.go`.
",
    check: check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for table in context.tables.distinct() {
        if context.of(table).next().is_none() {
            continue;
        }
        let visits: Vec<&Visit> = context.of(table).flat_map(Applied::visits).collect();
        for entry in &table.entries {
            let used = visits
                .iter()
                .any(|visit| visit.hits.iter().any(|hit| hit.entry == entry.index));
            let Some(name) = entry.name.as_ref().filter(|_| !used) else { continue };
            let Ok(pattern) = Pattern::compile(&name.value) else { continue };
            let mut finding = Finding::new(
                RULE.code,
                Level::Warning,
                Label::new(name.span),
                format!("entry {} for `{}` matches no image", entry.index + 1, name.value),
            );
            finding = match nearest(&pattern, &visits) {
                Some((visit, why)) => finding
                    .help(format!("`{}` comes nearest: {why}", visit.before))
                    .related(Label::new(visit.span).message("the nearest image")),
                None => finding.help("take it out, or give the manifests that it is meant for"),
            };
            findings.push(finding);
        }
    }
}

/// The image that comes nearest to a name, and why it was missed.
fn nearest<'v>(pattern: &Pattern, visits: &[&'v Visit]) -> Option<(&'v Visit, String)> {
    let plain = pattern.plain_text();
    let mut best: Option<(usize, &'v Visit, String)> = None;
    for visit in visits {
        let parts = split(&visit.before);
        let (rank, why) = if parts.name == plain {
            let why = if parts.tag.contains('+') {
                "its tag holds `+`, which the filter does not know".to_owned()
            } else if !parts.digest.is_empty() && !parts.digest.starts_with("sha256:") {
                "its digest is not sha256, the only one that the filter knows".to_owned()
            } else {
                "its tag or digest has a form that the filter does not know".to_owned()
            };
            (0, why)
        } else if hub(parts.name) == hub(&plain) {
            (1, format!("it is the same image under another name; write `{}`", parts.name))
        } else if parts.name.eq_ignore_ascii_case(&plain) {
            (2, "its name differs in upper and lower case".to_owned())
        } else if last(parts.name) == last(&plain) {
            (3, "it has the same last part under another registry or path".to_owned())
        } else {
            let steps = distance(parts.name, &plain);
            if steps > plain.len() / 4 + 1 {
                continue;
            }
            (3 + steps, format!("its name is `{}`", parts.name))
        };
        if best.as_ref().is_none_or(|(least, ..)| rank < *least) {
            best = Some((rank, visit, why));
        }
    }
    best.map(|(_, visit, why)| (visit, why))
}

/// A name as Docker Hub knows it, without what may be left out.
fn hub(name: &str) -> &str {
    let name = name.strip_prefix("index.").unwrap_or(name);
    let name = name.strip_prefix("docker.io/").unwrap_or(name);
    name.strip_prefix("library/").unwrap_or(name)
}

fn last(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}
