//! `forebay render`: the main job.

use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, ValueEnum};

use super::console::Console;
use super::diff::format_of;
use super::earlier::{difference, tell_change};
use super::estate::EstateArguments;
use super::inputs::{let_go, read, tell_skipped};
use super::packages::{NO_TABLE, Options};
use super::pipeline::prepare;
use super::{Exit, Global, findings};
use crate::diff::{Format, Printing, Remark};
use crate::emit::write::Target;
use crate::emit::{stream, tree};
use crate::load::{FluxSource, LoadError, Request};
use crate::report::redact::shown;
use crate::resolve::environment::Environment;

/// What the command is for, as its help says.
pub(super) const ABOUT: &str = "Render what would reach the cluster";

/// What `render` takes.
#[derive(Debug, Args)]
#[command(about = ABOUT)]
pub(super) struct Arguments {
    #[command(flatten)]
    estate: EstateArguments,
    /// Pass PackageSources and Packages on as well
    #[arg(long)]
    keep_packages: bool,
    /// The order within a stage: as read, or what is depended on first
    #[arg(long, value_enum, default_value_t = Order::File)]
    order: Order,
    #[command(flatten)]
    output: OutputArguments,
}

/// The order of objects within a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Order {
    /// As they were read.
    File,
    /// What is depended on first.
    Depends,
}

/// Where the result goes.
#[derive(Debug, Args)]
pub(super) struct OutputArguments {
    /// A directory for a tree, or `-` for one stream
    #[arg(short, long, value_name = "DIR", default_value = "-")]
    pub(super) output: PathBuf,
    /// Write nothing; exit 1 if DIR would change
    #[arg(long)]
    check: bool,
    /// Print the difference to OLD, an earlier rendering (a file, a directory, `git:REV[:PATH]`),
    /// instead of the stream
    #[arg(long, value_name = "OLD")]
    pub(super) against: Option<PathBuf>,
    /// Write the difference to a file, in the format of its ending (`.md`, `.json`, `.html`, `.diff`
    /// or `.patch`, else text); without `--against` it is the difference to DIR as it was
    #[arg(long, value_name = "FILE")]
    pub(super) diff: Option<PathBuf>,
    /// Only Namespaces and CRDs (1), or only the rest (2)
    #[arg(long, value_name = "STAGE", value_parser = clap::value_parser!(u8).range(1..=2))]
    pub(super) stage: Option<u8>,
    /// Leave a label or an annotation out of differences, and count it; `KEY*` for all that begin so
    #[arg(long, value_name = "KEY")]
    pub(super) hide: Vec<String>,
    /// Show secrets in differences
    #[arg(long)]
    pub(super) show_secrets: bool,
}

/// Renders what the arguments name.
pub(super) fn run(
    arguments: &Arguments,
    global: &Global,
    console: &Console,
) -> anyhow::Result<Exit> {
    let (estate, output) = (&arguments.estate, &arguments.output);
    let request = estate.request(output.against.as_ref(), FluxSource::Embedded)?;
    let environment = estate.environment();
    let options = Options {
        keep: arguments.keep_packages,
        by_dependence: arguments.order == Order::Depends,
        ..estate.options()?
    };
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
    let mut verdict = findings::decide(outcome.findings, outcome.stopped, global, &loaded, true)?;
    verdict.more.insert("releases".to_owned(), outcome.releases);
    verdict.file(global, &loaded.sources)?;
    verdict.talk(console, &loaded.sources);
    tell_skipped(&loaded, skipped, console);
    if outcome.table_unknown {
        console.note(NO_TABLE);
    }
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
    // A stream needs no names of files.
    let new = target.as_ref().map(|_| tree(&objects)).unwrap_or_default();
    let difference = difference(output, options, target.as_ref(), &objects, console)?;
    let changed = match &target {
        Some(target) if output.check => target.would_change(&new)?,
        _ => false,
    };
    if let (Some(path), Some(found)) = (&output.diff, &difference) {
        let format = format_of(path);
        let remark = |finding| Remark::of(&shown(finding, &loaded.sources), &loaded.sources);
        let printing = Printing {
            findings: verdict.findings.iter().map(remark).collect(),
            ..Printing::default()
        };
        let printed = found.diff.print(format, &printing);
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
        (None, None) if output.against.is_none() => {
            console.data_from(|to| stream(&objects, to))?;
        }
        _ => {}
    }
    let_go(objects, global);
    let_go(loaded, global);
    Ok(if changed { Exit::Findings } else { Exit::Clean })
}
