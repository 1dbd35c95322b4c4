//! `post-renderer-order`: a post-renderer looks for an image that an earlier one renamed.

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Label, Level};
use crate::model::image::missed;
use crate::model::overrides::Override;
use crate::model::pattern::Pattern;
use crate::resolve::image_lists::Renderer;

pub(crate) const RULE: Rule = Rule {
    code: "post-renderer-order",
    ids: &["HZ34"],
    level: Level::Warning,
    summary: "a post-renderer looks for an image that an earlier one renamed",
    explain: "\
The post-renderers of a HelmRelease run as they are listed, and an image entry matches the name as the
one before left it. An entry whose image was renamed already never matches; a patch that sets `image`
after the entries is never seen by them, and one before them by another name neither. Within one
post-renderer the patches run first.

Example:

    postRenderers:
      - {kustomize: {images: [{name: nginx, newName: r.example/nginx}]}}
      - {kustomize: {images: [{name: nginx, newTag: \"1.27\"}]}}     # matches nothing any more

Fix: match the new name, or merge the entries.

Quiet: a name that takes the new name too; an entry of the first name that a patch between the two
brings back; a patch whose image a later entry takes; a HelmRelease that a patch of a build may change.

Source: `spec/hazards.md` HZ34; kustomize 5.7.1 `internal/target/kusttarget.go`; cozystack#5137.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for (release, renderers) in context.post_rendered() {
        renamed(release, &renderers, findings);
        patched(release, &renderers, findings);
    }
}

/// An entry with its post-renderer's place and what it takes.
struct Step<'r> {
    at: usize,
    entry: &'r Override,
    takes: Pattern,
}

fn steps<'r>(renderers: &'r [Renderer<'_>]) -> Vec<Step<'r>> {
    let all = renderers.iter().enumerate();
    let entries = all.flat_map(|(at, one)| one.images.entries.iter().map(move |entry| (at, entry)));
    let step = |(at, entry): (usize, &'r Override)| {
        let takes = Pattern::compile(entry.name()).ok()?;
        Some(Step { at, entry, takes })
    };
    entries.filter_map(step).collect()
}

fn label(release: &Subject<'_>, entry: &Override) -> Label {
    let span = entry.name.as_ref().map_or(entry.span, |name| name.span);
    Label::new(span).object(&release.id)
}

/// Entries whose name an earlier post-renderer took away.
fn renamed(release: &Subject<'_>, renderers: &[Renderer<'_>], findings: &mut Vec<Finding>) {
    let steps = steps(renderers);
    for (place, step) in steps.iter().enumerate() {
        let lost = |first: &&Step<'_>| {
            let (old, new) = (first.entry.name(), first.entry.new_name());
            first.at < step.at
                && old == step.entry.name()
                && !new.is_empty()
                && !step.takes.is_match(new)
        };
        let Some(first) = steps[..place].iter().find(lost) else {
            continue;
        };
        let made = steps[..place]
            .iter()
            .any(|it| step.takes.is_match(it.entry.new_name()));
        let between = renderers[first.at + 1..=step.at].iter();
        let set = between
            .flat_map(|one| &one.patches)
            .flat_map(|(_, images)| images);
        if made || set.into_iter().any(|image| step.takes.is_match(image)) {
            continue;
        }
        let message = format!(
            "{}: `postRenderers[{}]`: `{}` was renamed to `{}` by [{}] and never matches",
            release.id,
            step.at,
            step.entry.name(),
            first.entry.new_name(),
            first.at
        );
        findings.push(
            Finding::new(
                RULE.code,
                Level::Warning,
                label(release, step.entry),
                message,
            )
            .help("match the new name, or merge the entries")
            .related(label(release, first.entry).message("renamed here")),
        );
    }
}

/// Images that patches set where no entry comes to them.
fn patched(release: &Subject<'_>, renderers: &[Renderer<'_>], findings: &mut Vec<Finding>) {
    let steps = steps(renderers);
    for (at, renderer) in renderers.iter().enumerate() {
        let set = renderer.patches.iter();
        for (node, image) in set.flat_map(|(node, images)| images.iter().map(move |it| (node, it)))
        {
            let (before, behind): (Vec<_>, Vec<_>) = steps.iter().partition(|step| step.at < at);
            if behind.iter().any(|step| step.takes.is_match(image)) {
                continue;
            }
            let late = before.iter().find(|step| step.takes.is_match(image));
            let other = behind
                .iter()
                .find_map(|step| Some((*step, missed(image, step.entry.name())?)));
            let (step, what, help) = match (late, other) {
                (Some(step), _) => (
                    *step,
                    format!("sets `{image}` after [{}], which never sees it", step.at),
                    "put the patch before the entries",
                ),
                (None, Some((step, why))) => (
                    step,
                    format!(
                        "sets `{image}`, which [{}] may be meant for: {why}",
                        step.at
                    ),
                    "spell the image as the entry does",
                ),
                (None, None) => continue,
            };
            let message = format!("{}: the patch of `postRenderers[{at}]` {what}", release.id);
            findings.push(
                Finding::new(
                    RULE.code,
                    Level::Warning,
                    release.at_text(*node, image),
                    message,
                )
                .help(help)
                .related(label(release, step.entry).message("the entry")),
            );
        }
    }
}
