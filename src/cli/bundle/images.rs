//! Which images the inputs ask for: the seam between what was read and what is bundled.
//!
//! Taken are the images that the filter visits, and lists of references. Whoever knows more places
//! (charts, values, artifacts) makes [`Asked`]s of them; nothing else of the bundle commands looks
//! at manifests.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use crate::cli::console::Console;
use crate::cli::inputs::{
    FluxArguments, PathArguments, TableArguments, read, request, tell_skipped,
};
use crate::cli::packages::{Options, Packages};
use crate::cli::{Global, join};
use crate::finding::{Finding, Label, Level, ObjectId};
use crate::load::{FluxSource, Loaded, Role};
use crate::model::Spanned;
use crate::model::image::{replace, split};
use crate::model::overrides::{Override, OverrideTable};
use crate::model::pattern::Pattern;
use crate::model::reference::Reference;
use crate::registry::create::Item;
use crate::resolve::images::{Filtered, Mode};
use crate::resolve::plan::{identity, plan};
use crate::source::{SourceMap, Span};

/// What the commands over images take.
#[derive(Debug, Args)]
pub(super) struct ImageArguments {
    #[command(flatten)]
    tables: TableArguments,
    #[command(flatten)]
    flux: FluxArguments,
    /// References, one a line, beside those of the inputs; `-` is stdin
    #[arg(long, visible_alias = "add", value_name = "FILE")]
    from: Vec<PathBuf>,
}

/// One image that something asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    /// As written.
    pub(super) image: String,
    /// As the tables make it.
    pub(super) rewritten: String,
    /// Where it was written first.
    pub(super) place: Label,
}

/// All that the inputs ask for.
#[derive(Debug, Default)]
pub(super) struct Images {
    /// The images, each pair of texts once, in byte order.
    pub(super) asked: Vec<Asked>,
    /// Releases whose charts were not looked into, `namespace/name`.
    pub(super) unseen: BTreeSet<String>,
    /// What is wrong with the inputs.
    pub(super) findings: Vec<Finding>,
    /// The texts.
    pub(super) sources: SourceMap,
}

impl ImageArguments {
    /// Reads the inputs; `None` where nothing is named.
    pub(super) fn read(
        &self,
        paths: &PathArguments,
        global: &Global,
        console: &Console,
    ) -> anyhow::Result<Option<Images>> {
        let flux = self.flux.source(FluxSource::None);
        let nothing = paths.paths.is_empty() && flux == FluxSource::None;
        if nothing && self.from.is_empty() {
            return Ok(None);
        }
        let mut loaded = Loaded::default();
        if !nothing || !self.tables.images.is_empty() || !self.tables.values.is_empty() {
            let request = request(&paths.paths, &self.tables, flux)?;
            loaded = read(&request, global, console)?;
            let plan = plan(&loaded);
            tell_skipped(&loaded, (plan.skipped, plan.inert), console);
        }
        let mut images = of(&mut loaded, &self.from)?;
        images.sources = loaded.sources;
        Ok(Some(images))
    }
}

/// The images of what was read, and of the lists.
fn of(loaded: &mut Loaded, lists: &[PathBuf]) -> anyhow::Result<Images> {
    let tables = join::tables(loaded, true);
    let mut images = Images {
        findings: loaded.findings.clone(),
        ..Images::default()
    };
    images.findings.extend(tables.findings.iter().cloned());
    let unseen = {
        let plan = plan(loaded);
        let packages = Packages::of(loaded, &plan, &tables, &Options::default());
        images.findings.extend(packages.refused.iter().cloned());
        let releases = packages.releases(loaded, &plan);
        let name = |id: &ObjectId| format!("{}/{}", id.namespace, id.name);
        releases.iter().map(|release| name(&release.id)).collect()
    };
    let (flux, platform) = (tables.tables.flux, tables.tables.platform);
    let none = OverrideTable::default();
    let mut found = BTreeMap::new();
    for input in &loaded.inputs {
        let (mode, table) = match input.role {
            Role::Flux => (Mode::Legacy, flux.as_ref()),
            Role::Manifest => (Mode::Build, platform.as_ref()),
            _ => continue,
        };
        let table = table.unwrap_or(&none);
        for pass in passes(mode, input, table) {
            images.findings.extend(pass.refusal.map(|refusal| *refusal));
            for visit in pass.visits {
                let object = input.docs.get(visit.doc).and_then(identity);
                let label = Label {
                    object,
                    ..Label::new(visit.span)
                };
                let key = (visit.before.to_string(), visit.after().to_owned());
                found.entry(key).or_insert(label);
            }
        }
    }
    images.unseen = unseen;
    let table = platform.as_ref().or(flux.as_ref());
    for list in lists {
        for (image, span) in listed(loaded, list)? {
            let rewritten = table.map_or_else(|| image.clone(), |table| rewritten(table, &image));
            found.entry((image, rewritten)).or_insert(Label::new(span));
        }
    }
    images.asked = found
        .into_iter()
        .filter(|((image, _), _)| !image.is_empty())
        .map(|((image, rewritten), place)| Asked {
            image,
            rewritten,
            place,
        })
        .collect();
    Ok(images)
}

/// What a table does to a text; where a build would not take it, document by document.
fn passes<'l>(
    mode: Mode,
    input: &'l crate::load::Input,
    table: &OverrideTable,
) -> Vec<Filtered<'l>> {
    // A table without entries visits nothing; one whose entry matches nothing visits all. No text
    // of YAML holds a NUL.
    let name = Spanned {
        value: r"\x00".to_owned(),
        span: Span::default(),
    };
    let blind = OverrideTable {
        entries: vec![Override {
            name: Some(name),
            ..Override::default()
        }],
        ..OverrideTable::default()
    };
    let table = if table.entries.is_empty() {
        &blind
    } else {
        table
    };
    let whole = join::filter(mode, &input.source, &input.docs, table);
    if mode == Mode::Build && whole.iter().any(|pass| pass.refusal.is_some()) {
        return join::filter(Mode::Legacy, &input.source, &input.docs, table);
    }
    whole
}

/// What the entries of a table make of one image, one after the other.
fn rewritten(table: &OverrideTable, image: &str) -> String {
    let mut text = image.to_owned();
    for entry in &table.entries {
        if Pattern::compile(entry.name()).is_ok_and(|pattern| pattern.is_match(&text)) {
            text = replace(entry, &text);
        }
    }
    text
}

/// The references of a list: one a line, blank lines and `#` left out.
fn listed(loaded: &mut Loaded, path: &Path) -> anyhow::Result<Vec<(String, Span)>> {
    let mut text = String::new();
    let shown = path.display().to_string();
    if path.as_os_str() == "-" {
        std::io::stdin().lock().read_to_string(&mut text)
    } else {
        std::fs::File::open(path).and_then(|mut file| file.read_to_string(&mut text))
    }
    .with_context(|| format!("cannot read `{shown}`"))?;
    let source = loaded.sources.add(shown, text);
    let mut found = Vec::new();
    let mut start = 0;
    for line in source.text.split_inclusive('\n') {
        let bare = line.split('#').next().unwrap_or_default().trim();
        if !bare.is_empty() {
            let at = start + line.find(bare).unwrap_or_default();
            let place = |offset: usize| crate::yaml::split::offset(offset);
            let span = Span {
                source: source.id,
                start: place(at),
                end: place(at + bare.len()),
            };
            found.push((bare.to_owned(), span));
        }
        start += line.len();
    }
    Ok(found)
}

/// The rule of images that are not where they must be; also of texts that name none.
pub(super) const NOT_IN_BUNDLE: &str = "image-not-in-bundle";

/// What a bundle is to hold for these images: pulled is the original name with the tag and digest
/// of the rewritten one, or the rewritten name. What is no reference is a finding.
pub(super) fn items(asked: &[Asked], pull_rewritten: bool) -> (Vec<Item>, Vec<Finding>) {
    let (mut items, mut findings) = (Vec::new(), Vec::new());
    for image in asked {
        let name = if pull_rewritten {
            image.rewritten.clone()
        } else {
            pulled(image)
        };
        match (Reference::parse(&name), Reference::parse(&image.rewritten)) {
            (Ok(pull), Ok(_)) => items.push(Item {
                name: name.trim_start_matches("oci://").to_owned(),
                pull,
                rewritten: [image.rewritten.trim_start_matches("oci://").to_owned()].into(),
            }),
            (Err(why), _) | (_, Err(why)) => {
                let place = image.place.clone();
                findings.push(Finding::new(
                    NOT_IN_BUNDLE,
                    Level::Error,
                    place,
                    why.to_string(),
                ));
            }
        }
    }
    (items, findings)
}

/// The original name with the tag and digest of the rewritten reference.
pub(super) fn pulled(image: &Asked) -> String {
    let (name, new) = (split(&image.image).name, split(&image.rewritten));
    let mut text = name.to_owned();
    if !new.tag.is_empty() {
        text.push(':');
        text.push_str(new.tag);
    }
    if !new.digest.is_empty() {
        text.push('@');
        text.push_str(new.digest);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pulled_is_the_original_name_with_the_new_tag_and_digest() {
        let asked = |image: &str, rewritten: &str| Asked {
            image: image.to_owned(),
            rewritten: rewritten.to_owned(),
            place: Label::new(Span::default()),
        };
        let pulled = |image, rewritten| pulled(&asked(image, rewritten));
        assert_eq!(pulled("ghcr.io/a/b:1", "m.example/a/b:2"), "ghcr.io/a/b:2");
        assert_eq!(pulled("ghcr.io/a/b:1@sha256:aa", "m/b:1"), "ghcr.io/a/b:1");
        assert_eq!(pulled("redis", "m.example:5000/redis"), "redis");
    }
}
