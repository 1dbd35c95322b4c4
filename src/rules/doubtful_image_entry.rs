//! `doubtful-image-entry`: an image entry does not do what it says.

use std::collections::{BTreeMap, BTreeSet};

use super::{Context, Rule, Subject};
use crate::finding::{Finding, Label, Level};
use crate::model::image::split;
use crate::model::overrides::{Override, OverrideTable, new_name_fault};
use crate::model::pattern::Pattern;
use crate::resolve::builds::DocPlace;
use crate::resolve::image_lists::{table, texts};

pub(crate) const RULE: Rule = Rule {
    code: "doubtful-image-entry",
    ids: &["HZ35"],
    level: Level::Warning,
    summary: "an image entry does not do what it says",
    explain: "\
The `name` of an entry in `spec.images` of a Flux Kustomization, or in a post-renderer, is a regular
expression: dots are any character, `*` and `+` repeat. Two entries of one name both run, or the later one
replaces the former. `newName` is pasted as it is: a tag in it stays, and the image's own tag follows. An
entry that matches nothing is a mistake, or is left over. Of digests only `@sha256:` is known.

Example:

    images: [{name: nginx, newName: \"r.example/nginx:1.25\"}]

Fix: a `name` without operators, one entry an image, `newName` without tag.

Quiet: a name that takes images of one name only; a tag in `name`, which selects it; variables; dots, as
long as they take nothing else among what is applied; what is applied is not known (a chart whose output
is not given by `--rendered`, a path that is not read, patches, remote bases), or holds the new name
already. What is not a string, and tables of `--images`, have rules of their own.

Source: `spec/hazards.md` HZ35; kustomize 5.7.1 `internal/image/image.go`.
",
    check,
};

fn check(context: &Context<'_>, findings: &mut Vec<Finding>) {
    for (release, renderers) in context.post_rendered() {
        let mut seen = rendered(context, release);
        for (at, renderer) in renderers.iter().enumerate() {
            if !renderer.patches.is_empty() {
                seen = None;
            }
            let path = format!("postRenderers[{at}].kustomize.images");
            look(release, &path, &renderer.images, seen.as_mut(), findings);
        }
    }
    let mut places = BTreeMap::new();
    for owner in context.kustomizations().filter(|it| !it.facts.patched) {
        let images = owner.root().and_then(|root| root.at(&["spec", "images"]));
        let Some(images) = images.map(table).filter(|it| !it.entries.is_empty()) else {
            continue;
        };
        if places.is_empty() {
            places = context.objects.iter().map(|it| (it.place, it)).collect();
        }
        let mut seen = built(context, owner, &places);
        look(owner, "images", &images, seen.as_mut(), findings);
    }
}

/// The texts that a table may meet, and those among them that are images.
#[derive(Default)]
struct Seen<'c> {
    texts: BTreeSet<&'c str>,
    images: BTreeSet<&'c str>,
    /// The names that entries before gave.
    names: BTreeSet<String>,
}

impl<'c> Seen<'c> {
    fn add(&mut self, subject: &Subject<'c>) {
        for (key, text) in subject.root().map(texts).unwrap_or_default() {
            self.texts.insert(text);
            if key == "image" {
                self.images.insert(text);
            }
        }
    }
}

/// What the chart of a release renders, where it was given by itself.
fn rendered<'c>(context: &Context<'c>, release: &Subject<'_>) -> Option<Seen<'c>> {
    let mut seen = Seen::default();
    let own = |it: &&Subject<'_>| {
        let by = it.rendered_by.as_ref();
        by.is_some_and(|(namespace, name)| {
            *name == release.id.name && release.namespaces().contains(&namespace.as_str())
        })
    };
    context
        .rendered
        .iter()
        .filter(own)
        .for_each(|it| seen.add(it));
    (!seen.texts.is_empty()).then_some(seen)
}

/// What a Kustomization applies, where all of it is known.
fn built<'c>(
    context: &Context<'c>,
    owner: &Subject<'_>,
    places: &BTreeMap<DocPlace, &Subject<'c>>,
) -> Option<Seen<'c>> {
    let mut applied = context.builds.applied.iter();
    let applied = applied.find(|it| it.place == owner.place && !it.patched)?;
    if !context.builds.complete() || applied.built.iter().any(|it| it.patched) {
        return None;
    }
    let mut seen = Seen {
        names: context.builds.renamed.clone(),
        ..Seen::default()
    };
    for built in &applied.built {
        seen.add(places.get(&built.place)?);
    }
    (!seen.texts.is_empty()).then_some(seen)
}

fn look(
    owner: &Subject<'_>,
    path: &str,
    table: &OverrideTable,
    mut seen: Option<&mut Seen<'_>>,
    findings: &mut Vec<Finding>,
) {
    let mut names: BTreeMap<&str, &Override> = BTreeMap::new();
    for entry in &table.entries {
        let mut tell = |label: Label, what: String, help: &str| {
            let message = format!("{}: `{path}[{}]`: {what}", owner.id, entry.index);
            let finding = Finding::new(RULE.code, Level::Warning, label.object(&owner.id), message);
            findings.push(finding.help(help));
        };
        let name = Label::new(entry.name.as_ref().map_or(entry.span, |name| name.span));
        let first = *names.entry(entry.name()).or_insert(entry);
        if first.index != entry.index {
            let what = format!("`{}` stands in [{}] already", entry.name(), first.index);
            tell(name.clone(), what, "one entry an image");
        }
        let own = entry
            .new_name
            .as_ref()
            .filter(|it| !it.value.contains("${"));
        let fault = own.and_then(|own| Some((own, new_name_fault(&own.value)?)));
        if let Some((own, fault)) = fault {
            tell(Label::new(own.span), fault.message, &fault.help);
        }
        let Ok(takes) = Pattern::compile(entry.name()) else {
            let what = format!(
                "`{}` is no regular expression, which a name is",
                entry.name()
            );
            tell(name, what, "escape what is no letter: `\\+`");
            continue;
        };
        if !entry.name().contains("${")
            && let Some((what, help)) = doubt(entry, &takes, seen.as_deref())
        {
            tell(name, what, help);
        }
        if let Some(seen) = seen.as_deref_mut() {
            seen.names.insert(entry.new_name().to_owned());
        }
    }
}

/// What is doubtful of what a name takes.
fn doubt(
    entry: &Override,
    takes: &Pattern,
    seen: Option<&Seen<'_>>,
) -> Option<(String, &'static str)> {
    const HELP: &str = "escape what is no letter, or write an entry for each image";
    let name = entry.name();
    let operators = takes.operators().iter().any(|operator| !operator.dot);
    let Some(seen) = seen else {
        let what = format!("`{name}` is a pattern, not a name");
        return operators.then_some((what, HELP));
    };
    let plain = takes.plain_text();
    let spells = |image: &str| {
        let rest = image.strip_prefix(plain.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '@']))
    };
    let hits: Vec<&str> = seen
        .images
        .iter()
        .copied()
        .filter(|it| takes.is_match(it))
        .collect();
    let names: BTreeSet<&str> = hits.iter().map(|image| split(image).name).collect();
    let other = hits.iter().find(|image| !spells(image));
    if let Some(other) = other.filter(|_| names.len() > 1) {
        let what = format!("`{name}` is a pattern and takes `{other}` too");
        return Some((what, HELP));
    }
    let meets = seen.texts.iter().any(|text| takes.is_match(text))
        || seen.names.iter().any(|text| takes.is_match(text))
        // What is given is rewritten already.
        || seen.images.iter().any(|image| split(image).name == entry.new_name());
    let what = format!("`{name}` matches nothing that is applied");
    (!meets).then_some((what, "correct the name, or drop the entry"))
}
