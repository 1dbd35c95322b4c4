//! `forebay render`: the main job.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;

use super::console::Console;
use super::diff::{Compared, compare, format_of};
use super::inputs::{
    EnvironmentArguments, FluxArguments, HazardArguments, MoveArguments, PathArguments,
    SchemaArguments, TableArguments, read, request, tell_skipped,
};
use super::packages::{OperatorArguments, Options};
use super::pipeline::prepare;
use super::{Exit, Global, findings};
use crate::diff::{Format, Options as DiffOptions, Printing};
use crate::emit::write::Target;
use crate::emit::{Emitted, Tree, stream, tree};
use crate::load::side::{Side, sides};
use crate::load::{FluxSource, LoadError, Request, load};
use crate::resolve::environment::Environment;
use crate::resolve::plan::Stage;
use crate::source::SourceMap;

/// What `render` takes.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    paths: PathArguments,
    #[command(flatten)]
    tables: TableArguments,
    #[command(flatten)]
    flux: FluxArguments,
    #[command(flatten)]
    environment: EnvironmentArguments,
    #[command(flatten)]
    hazards: HazardArguments,
    #[command(flatten)]
    schemas: SchemaArguments,
    #[command(flatten)]
    operator: OperatorArguments,
    #[command(flatten)]
    moves: MoveArguments,
    /// Put the platform's table on the HelmReleases among the inputs too
    #[arg(long)]
    override_releases: bool,
    /// Pass PackageSources and Packages on as well
    #[arg(long)]
    keep_packages: bool,
    #[command(flatten)]
    output: OutputArguments,
}

/// Where the result goes.
#[derive(Debug, Args)]
pub(super) struct OutputArguments {
    /// A directory for a tree, or `-` for one stream
    #[arg(short, long, value_name = "DIR", default_value = "-")]
    output: PathBuf,
    /// Write nothing; exit 1 if DIR would change
    #[arg(long)]
    check: bool,
    /// Print the difference to OLD, an earlier rendering (a file, a directory, `git:REV[:PATH]`),
    /// instead of the stream
    #[arg(long, value_name = "OLD")]
    against: Option<PathBuf>,
    /// Write the difference to a file, in the format of its ending (`.md`, `.json`, `.diff`
    /// or `.patch`, else text); without `--against` it is the difference to DIR as it was
    #[arg(long, value_name = "FILE")]
    diff: Option<PathBuf>,
    /// Only Namespaces and CRDs (1), or only the rest (2)
    #[arg(long, value_name = "STAGE", value_parser = clap::value_parser!(u8).range(1..=2))]
    stage: Option<u8>,
    /// Leave a label or an annotation out of differences, and count it; `KEY*` for all that begin so
    #[arg(long, value_name = "KEY")]
    hide: Vec<String>,
    /// Show secrets in differences
    #[arg(long)]
    show_secrets: bool,
}

/// Renders what the arguments name.
pub(super) fn run(
    arguments: &Arguments,
    global: &Global,
    console: &Console,
) -> anyhow::Result<Exit> {
    let paths = &arguments.paths.paths;
    let fallback = if paths.is_empty() {
        FluxSource::Embedded
    } else {
        FluxSource::None
    };
    let request = request(paths, &arguments.tables, arguments.flux.source(fallback))?;
    let mut request = arguments.schemas.join(request);
    request.rendered.clone_from(&arguments.hazards.rendered);
    request.against.clone_from(&arguments.output.against);
    let environment = arguments.environment.environment();
    let options = Options {
        flags: arguments.operator.flags()?,
        moved_by: arguments.moves.move_annotation.clone(),
        keep: arguments.keep_packages,
        override_releases: arguments.override_releases,
        target: arguments.hazards.target(),
    };
    let output = &arguments.output;
    produce(&request, &environment, &options, output, global, console)
}

/// Renders a request and puts it where it goes.
pub(super) fn produce(
    request: &Request,
    environment: &Environment,
    options: &Options,
    output: &OutputArguments,
    global: &Global,
    console: &Console,
) -> anyhow::Result<Exit> {
    let directory = Some(&output.output).filter(|path| path.as_os_str() != "-");
    if output.check && directory.is_none() {
        bail!("`--check` has nothing to compare with, expected `-o DIR` beside it");
    }
    if output.diff.is_some() && directory.is_none() && output.against.is_none() {
        bail!(
            "`--diff` has nothing to compare with, expected `-o DIR` or `--against OLD` beside it"
        );
    }
    let piped = |path: &PathBuf| path.as_os_str() == "-";
    let inputs = [&request.manifests, &request.values, &request.tables];
    if output.against.as_ref().is_some_and(piped) && inputs.into_iter().flatten().any(piped) {
        return Err(LoadError::StdinTwice.into());
    }
    let loaded = read(request, global, console)?;
    let outcome = prepare(&loaded, environment, options);
    let skipped = (outcome.skipped, outcome.inert);
    let mut verdict = findings::judge(outcome.findings, outcome.stopped, global.fail_on);
    verdict.more.insert("releases".to_owned(), outcome.releases);
    verdict.file(global, &loaded.sources)?;
    verdict.talk(console, &loaded.sources);
    tell_skipped(&loaded.skipped, skipped, console);
    if verdict.exit != Exit::Clean {
        return Ok(verdict.exit);
    }
    let mut objects = outcome.objects;
    objects.retain(|object| {
        output
            .stage
            .is_none_or(|stage| object.stage.number() == stage)
    });

    let target = directory.map(|path| Target::look(path)).transpose()?;
    let new = tree(&objects);
    let difference = difference(output, options, target.as_ref(), &objects, console)?;
    let changed = match &target {
        Some(target) if output.check => target.would_change(&new)?,
        _ => false,
    };
    if let (Some(path), Some(found)) = (&output.diff, &difference) {
        let format = format_of(path);
        let printed = found.diff.print(format, &Printing::default());
        findings::write(path, printed.as_bytes())?;
    }
    if changed && let Some(target) = &target {
        tell_change(target, &objects, output, console);
    }
    match &target {
        Some(target) if !output.check => target.write(&new)?,
        _ => {}
    }
    let shown = difference.filter(|_| output.against.is_some() && output.diff.is_none());
    match (&shown, &target) {
        (Some(found), _) => {
            let colour = console.color_data;
            let printing = Printing {
                colour,
                ..Printing::default()
            };
            console.data(found.diff.print(Format::Text, &printing))?;
            found.tell(console);
        }
        (None, None) if output.against.is_none() => console.data(stream(&objects))?,
        _ => {}
    }
    Ok(if changed { Exit::Findings } else { Exit::Clean })
}

/// The difference that the arguments ask for; nothing is rendered for it a second time.
fn difference(
    output: &OutputArguments,
    options: &Options,
    target: Option<&Target>,
    objects: &[Emitted],
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
    let texts = objects
        .iter()
        .map(|object| (name.as_ref(), object.text.as_str()));
    Ok(Side::of_texts(texts, sources))
}

/// The difference of an earlier rendering to the objects at hand, which are those of one stage where
/// that is asked for.
fn to_objects(
    mut old: Side,
    objects: &[Emitted],
    mut sources: SourceMap,
    output: &OutputArguments,
    console: &Console,
) -> anyhow::Result<Compared> {
    // A rendering's files are named by us: another place says nothing.
    old.tree = false;
    let texts = objects
        .iter()
        .map(|object| ("the rendering", object.text.as_str()));
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
fn tell_change(target: &Target, objects: &[Emitted], output: &OutputArguments, console: &Console) {
    let mut sources = SourceMap::default();
    let Ok(tree) = target.standing() else { return };
    let old = standing(&tree, &mut sources);
    let quiet = Console {
        quiet: true,
        ..*console
    };
    if let Ok(found) = to_objects(old, objects, sources, output, &quiet) {
        let directory = output.output.display();
        console.note(&format!(
            "`{directory}` would change: {}",
            found.diff.summary()
        ));
    }
}
