//! `image-tables-merged`: one image stands in two tables that Flux makes one of.

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Label, Level};
use crate::model::image::replace;
use crate::model::overrides::Override;
use crate::model::pattern::Pattern;
use crate::model::version::Version;
use crate::resolve::builds::Applied;
use crate::resolve::image_lists::{merged, table, texts};

pub(crate) const RULE: Rule = Rule {
    code: "image-tables-merged",
    ids: &[],
    level: Level::Warning,
    summary: "one image stands in two tables that Flux makes one of",
    explain: "\
kustomize-controller lays `spec.images` of a Kustomization into the `images` of the kustomization file at
its path. Where both have an entry of one name, Flux up to 2.9.2 replaces the file's entry as a whole, and
what only that one says is lost: a tag, and the image is the latest. Later releases merge the two:
`newName` by itself, `newTag` and `digest` as one.

Example:

    # kustomization.yaml
    images: [{name: r.example/app, newTag: v1.2.3}]
    # the Kustomization
    spec: {images: [{name: r.example/app, newName: m.example/app}]}

which makes `m.example/app` up to Flux 2.9.2 and `m.example/app:v1.2.3` later.

Fix: say all of it in one of the two tables.

Quiet: entries that come to the same either way; entries of another name; the images of a base, which are
applied before; a path that is not read, and a Kustomization that a patch may change. A note where Flux is
known to merge (`--flux-version`, or the images of its controllers).

Source: fluxcd/flux2#5787, fluxcd/pkg#1266.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for owner in context.kustomizations().filter(|it| !it.facts.patched) {
        let images = owner.root().and_then(|root| root.at(&["spec", "images"]));
        let Some(images) = images.map(table) else {
            continue;
        };
        let mut applied = context.builds.applied.iter();
        let Some(applied) = applied.find(|it| it.place == owner.place && !it.patched) else {
            continue;
        };
        for laid in &images.entries {
            let own = applied.images.iter().find(|own| own.name() == laid.name());
            findings.extend(own.and_then(|own| told(context, owner, applied, own, laid)));
        }
    }
}

/// Which way a version of Flux goes; `None` where it is not known.
fn merges(version: Option<Version>) -> Option<bool> {
    match version? {
        // The controller's patch numbers are not those of Flux.
        Version(2, 9, _) => None,
        version => Some(version.reaches(2, 9)),
    }
}

fn told(
    context: &Context<'_>,
    owner: &Subject<'_>,
    applied: &Applied,
    own: &Override,
    laid: &Override,
) -> Option<Finding> {
    let merged = merged(own, laid);
    let says =
        |entry: &Override| [entry.new_name(), entry.new_tag(), entry.digest()].map(str::to_owned);
    if says(&merged) == says(laid) {
        return None;
    }
    let image = met(context, applied, laid.name());
    let (replaced, kept) = (replace(laid, &image), replace(&merged, &image));
    let (level, what) = match merges(context.flux_version) {
        Some(true) => (
            Level::Note,
            format!("the two are merged, and `{image}` becomes `{kept}`"),
        ),
        Some(false) => (
            Level::Warning,
            format!("the entry there is replaced, and `{image}` becomes `{replaced}`"),
        ),
        None => (
            Level::Warning,
            format!(
                "up to Flux 2.9.2 the entry there is replaced, and `{image}` becomes `{replaced}`; \
                 later the two are merged, and it becomes `{kept}`"
            ),
        ),
    };
    let message = format!(
        "{}: `{}` stands in the kustomization file's `images` too: {what}",
        owner.id,
        laid.name()
    );
    let place = |entry: &Override| Label::new(entry.name.as_ref().map_or(entry.span, |it| it.span));
    let finding = Finding::new(RULE.code, level, place(laid).object(&owner.id), message)
        .help("say all of it in one of the two tables");
    Some(finding.related(place(own).message("the entry there")))
}

/// An image that the entry takes among what is applied, or its own name.
fn met(context: &Context<'_>, applied: &Applied, name: &str) -> String {
    let takes = Pattern::compile(name).ok();
    let fits = |text: &&str| takes.as_ref().is_some_and(|takes| takes.is_match(text));
    let objects = context.objects.iter();
    let built = objects.filter(|it| applied.built.iter().any(|built| built.place == it.place));
    let images = built.filter_map(Subject::root).flat_map(texts);
    let mut images = images
        .filter(|(key, _)| *key == "image")
        .map(|(_, text)| text);
    images.find(fits).unwrap_or(name).to_owned()
}
