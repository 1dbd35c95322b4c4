//! `suspended-in-git`: a suspension in Git, and how it ends.

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Label, Level};
use crate::model::release::{HelmRelease, ReleaseKey};
use crate::model::{field, kinds};
use crate::yaml::Node;

pub(crate) const RULE: Rule = Rule {
    code: "suspended-in-git",
    ids: &["HZ12"],
    level: Level::Warning,
    summary: "a HelmRelease is suspended in Git, or stops being so the wrong way",
    explain: "\
A suspended HelmRelease is not reconciled, and deleting it skips the uninstall: a manifest that is
removed while suspended leaves its resources and its HelmChart behind. A `suspend` line that is removed
rather than set to false goes only where kustomize-controller was its one owner; `flux suspend` or a
kubectl edit keep it, and everything looks reconciled. With flux-plunger, which becomes a co-owner,
nobody lifts a suspension that Git holds.

Example: `check new --against old`, where the old manifest says `suspend: true` and the new one has no
such line.

Fix: resume first, then remove. Commit `suspend: false`, then remove the line.

Quiet: a comment on the line or above it, or an annotation that speaks of the suspension; a suspended
release whose key another one, or a Package's, has or takes over. By itself it is a note.

Source: `spec/hazards.md` HZ12, run against kube-apiserver 1.36; helm-controller#568, cozystack#4060.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    let plunger = context
        .objects_of("Deployment")
        .any(|subject| subject.id.name.contains("flux-plunger"));
    for release in context.releases() {
        let Some(node) = suspension(release) else {
            continue;
        };
        let own = key(release);
        let shared = |other: &Subject<'_>| {
            other.place != release.place && key(other).is_some_and(|one| Some(one) == own)
        };
        if is_explained(release, node)
            || context.releases().any(shared)
            || is_taken_by_a_package(context, own.as_ref())
        {
            continue;
        }
        let (level, what) = if plunger {
            (
                Level::Warning,
                "flux-plunger becomes a co-owner and nobody lifts it",
            )
        } else {
            (Level::Note, "a delete skips the uninstall")
        };
        let message = format!("{}: suspended in Git; {what}", release.id);
        findings.push(
            Finding::new(RULE.code, level, release.at(node), message)
                .help("say why in a comment, or commit `suspend: false`"),
        );
    }
    for (old, new) in context.changed() {
        if !kinds::is_release(&new.id) || suspension(old).is_none() {
            continue;
        }
        let Some(root) = new.root() else { continue };
        if root.at(&["spec", "suspend"]).is_none() && !new.facts.patched {
            let message = format!(
                "{}: the `suspend` line is removed; another owner, such as `flux suspend`, may keep \
                 it suspended",
                new.id
            );
            let finding = Finding::new(RULE.code, Level::Warning, new.label(), message)
                .help("commit `suspend: false`, then remove the line");
            findings.push(with_old(finding, old));
        }
    }
    let taken: Vec<_> = context.releases().filter_map(key).collect();
    for old in context.removed() {
        if !kinds::is_release(&old.id) || suspension(old).is_none() {
            continue;
        }
        let own = key(old);
        if own.as_ref().is_some_and(|key| taken.contains(key))
            || is_taken_by_a_package(context, own.as_ref())
        {
            continue;
        }
        let message = format!("{}: removed while suspended: its resources stay", old.id);
        findings.push(
            Finding::new(RULE.code, Level::Warning, old.label(), message)
                .help("resume it first, or clean up by hand"),
        );
    }
}

fn key(release: &Subject<'_>) -> Option<ReleaseKey> {
    Some(HelmRelease::read(release.root()?).key())
}

/// Whether a HelmRelease that a Package makes works on the release.
fn is_taken_by_a_package(context: &Context<'_>, key: Option<&ReleaseKey>) -> bool {
    let made = context.made.releases.iter();
    made.filter(|it| it.made().is_some())
        .any(|it| Some(&it.key) == key)
}

/// The value of `spec.suspend` where it is true.
fn suspension<'d>(release: &Subject<'d>) -> Option<Node<'d>> {
    let root = release.root()?;
    let route = ["spec", "suspend"];
    root.at(&route).filter(|_| field::is_true(root, &route))
}

/// Whether a comment on the line or above it, or an annotation, speaks of the suspension.
fn is_explained(release: &Subject<'_>, node: Node<'_>) -> bool {
    let source = &release.doc.source;
    let line = source.line_at(node.span().start);
    let above = match u32::try_from(line.start.saturating_sub(1)) {
        Ok(end) if line.start > 0 => source.text[source.line_at(end)].trim_start(),
        _ => "",
    };
    let annotations = release
        .root()
        .map(|root| field::map(root, &["metadata", "annotations"]).collect::<Vec<_>>());
    source.text[node.span().range().end..line.end].contains('#')
        || above.starts_with('#')
        || annotations
            .unwrap_or_default()
            .iter()
            .any(|(name, _)| name.contains("suspend"))
}

fn with_old(finding: Finding, old: &Subject<'_>) -> Finding {
    let place: Option<Label> = suspension(old).map(|node| old.at(node));
    match place {
        Some(label) => finding.related(label.message("suspended here before")),
        None => finding,
    }
}
