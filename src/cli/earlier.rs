//! What a rendering is compared with: an earlier one, or what stands in the directory it goes to.
//!
//! An earlier rendering is taken as it is and nothing is rendered for it a second time; only where
//! OLD holds Packages, and so is the state before a rendering, are these made into what they were.

use std::path::Path;

use anyhow::Context;

use super::console::Console;
use super::diff::{Compared, compare};
use super::packages::Options;
use super::pipeline::prepare;
use super::render::OutputArguments;
use crate::diff::Options as DiffOptions;
use crate::emit::write::Target;
use crate::emit::{Emitted, Tree};
use crate::load::side::{Side, sides};
use crate::load::{Request, load};
use crate::resolve::environment::Environment;
use crate::resolve::plan::Stage;
use crate::source::SourceMap;

/// The difference that the arguments ask for, if they do.
pub(super) fn difference(
    output: &OutputArguments,
    options: &Options,
    target: Option<&Target>,
    objects: &[Emitted<'_>],
    console: &Console,
) -> anyhow::Result<Option<Compared>> {
    let mut sources = SourceMap::default();
    let old = match (&output.against, target, &output.diff) {
        (Some(path), _, _) => {
            let [old] = sides([path.as_path()], &mut std::io::stdin().lock(), &mut sources)?;
            let rendering = options.keep || !holds_packages(&old);
            if rendering || path.as_os_str() == "-" {
                old
            } else {
                packages_rendered(path, options, &mut sources)?
            }
        }
        (None, Some(target), Some(_)) => standing(&target.standing()?, &mut sources),
        _ => return Ok(None),
    };
    Ok(Some(to_objects(old, objects, sources, output, console)?))
}

/// Whether a side may hold what the operator consumes: then it is no rendering, but the state before
/// one.
fn holds_packages(side: &Side) -> bool {
    let marks = ["kind: Package", "\"Package"];
    let holds =
        |text: &str| text.contains("cozystack.io/") && marks.iter().any(|mark| text.contains(mark));
    side.texts.iter().any(|text| holds(&text.source.text))
}

/// An older state with its Packages made into what they were there; all else stands as it is.
fn packages_rendered(
    path: &Path,
    options: &Options,
    sources: &mut SourceMap,
) -> anyhow::Result<Side> {
    let request = Request {
        manifests: vec![path.to_path_buf()],
        ..Request::default()
    };
    let loaded = load(&request, &mut std::io::empty())?;
    if let Some(finding) = loaded.findings.first() {
        let source = loaded.sources.get(finding.primary.span.source);
        let place = source.line_col(finding.primary.span.start);
        let why = anyhow::anyhow!("{}:{place}: {}", source.path, finding.message);
        return Err(why).with_context(|| format!("cannot compare with `{}`", path.display()));
    }
    let options = Options {
        override_releases: false,
        ..options.clone()
    };
    let objects = prepare(&loaded, &Environment::default(), &options).objects;
    let name = path.to_string_lossy();
    let texts = objects.iter().map(|object| (name.as_ref(), &*object.text));
    Ok(Side::of_texts(texts, sources))
}

/// The difference of an earlier rendering to the objects at hand, which are those of one stage where
/// that is asked for.
fn to_objects(
    mut old: Side,
    objects: &[Emitted<'_>],
    mut sources: SourceMap,
    output: &OutputArguments,
    console: &Console,
) -> anyhow::Result<Compared> {
    // A rendering's files are named by us: another place says nothing.
    old.tree = false;
    let texts = objects
        .iter()
        .map(|object| ("the rendering", &*object.text));
    let new = Side::of_texts(texts, &mut sources);
    let options = DiffOptions {
        hide: output.hide.clone(),
        show_secrets: output.show_secrets,
    };
    let stage = output.stage;
    let keep = move |kind: &str| stage.is_none_or(|stage| Stage::of(kind).number() == stage);
    compare(&old, &new, &options, &|id| keep(&id.kind), sources, console)
}

/// The files of a directory as one side.
fn standing(tree: &Tree, sources: &mut SourceMap) -> Side {
    let texts: Vec<_> = tree
        .files
        .iter()
        .map(|(name, content)| (name.as_str(), String::from_utf8_lossy(content)))
        .collect();
    Side::of_texts(
        texts.iter().map(|(name, text)| (*name, text.as_ref())),
        sources,
    )
}

/// Says in one line how DIR would change, where its objects can still be read.
pub(super) fn tell_change(
    target: &Target,
    objects: &[Emitted<'_>],
    output: &OutputArguments,
    console: &Console,
) {
    let mut sources = SourceMap::default();
    let Ok(tree) = target.standing() else { return };
    let old = standing(&tree, &mut sources);
    if let Ok(found) = to_objects(old, objects, sources, output, &console.quietly()) {
        let directory = output.output.display();
        console.note(&format!(
            "`{directory}` would change: {}",
            found.diff.summary()
        ));
    }
}
