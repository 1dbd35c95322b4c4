//! `forebay render`: the main job.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;

use super::console::Console;
use super::inputs::{
    EnvironmentArguments, FluxArguments, HazardArguments, MoveArguments, PathArguments,
    SchemaArguments, TableArguments, read, request, tell_skipped,
};
use super::packages::{OperatorArguments, Options};
use super::pipeline::prepare;
use super::{Exit, Global, findings};
use crate::diff::unified;
use crate::emit::write::Target;
use crate::emit::{Tree, stream, tree};
use crate::load::{FluxSource, Request, load};
use crate::resolve::environment::Environment;

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
    /// Print the difference to OLD (a file or a directory) instead of the stream
    #[arg(long, value_name = "OLD")]
    against: Option<PathBuf>,
    /// Write the difference to a file; without `--against` it is the difference to DIR as it was
    #[arg(long, value_name = "FILE")]
    diff: Option<PathBuf>,
    /// Only Namespaces and CRDs (1), or only the rest (2)
    #[arg(long, value_name = "STAGE", value_parser = clap::value_parser!(u8).range(1..=2))]
    stage: Option<u8>,
    /// Show the values of Secrets in differences
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
    let loaded = read(request, global, console)?;
    let outcome = prepare(&loaded, environment, options);
    let skipped = (outcome.skipped, outcome.inert);
    let mut verdict = findings::judge(outcome.findings, outcome.stopped, global.fail_on);
    verdict.more.insert("releases".to_owned(), outcome.releases);
    verdict.file(global, &loaded.sources)?;
    verdict.talk(console, &loaded.sources);
    tell_skipped(&loaded, skipped, console);
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
    let difference = difference(output, options, target.as_ref(), &new)?;
    let changed = match &target {
        Some(target) if output.check => target.would_change(&new)?,
        _ => false,
    };
    if let (Some(path), Some(difference)) = (&output.diff, &difference) {
        findings::write(path, difference.as_bytes())?;
    }
    match &target {
        Some(target) if !output.check => target.write(&new)?,
        _ => {}
    }
    let shown = difference.filter(|_| output.against.is_some() && output.diff.is_none());
    match (&shown, &target) {
        (Some(difference), _) => console.data(difference)?,
        (None, None) if output.against.is_none() => console.data(stream(&objects))?,
        _ => {}
    }
    Ok(if changed { Exit::Findings } else { Exit::Clean })
}

/// The difference that the arguments ask for.
fn difference(
    output: &OutputArguments,
    options: &Options,
    target: Option<&Target>,
    new: &Tree,
) -> anyhow::Result<Option<String>> {
    let old = match (&output.against, target, &output.diff) {
        (Some(path), _, _) => objects_at(path, options, output.stage)?,
        (None, Some(target), Some(_)) => target.standing()?,
        _ => return Ok(None),
    };
    Ok(Some(unified(&old, new, output.show_secrets)))
}

/// The objects of an older rendering, whatever its files are called, in the tree that they would
/// make now.
fn objects_at(path: &Path, options: &Options, stage: Option<u8>) -> anyhow::Result<Tree> {
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
    // What stands in OLD stands: only its Packages are made into what they were there.
    let options = Options {
        override_releases: false,
        ..options.clone()
    };
    let mut objects = prepare(&loaded, &Environment::default(), &options).objects;
    objects.retain(|object| stage.is_none_or(|stage| object.stage.number() == stage));
    Ok(tree(&objects))
}
