//! `forebay check`: findings only.

use std::path::PathBuf;

use clap::Args;

use super::console::Console;
use super::inputs::{
    EnvironmentArguments, FluxArguments, HazardArguments, MoveArguments, PathArguments,
    SchemaArguments, SnapshotArguments, TableArguments, read, request, tell_skipped,
};
use super::packages::{NO_TABLE, OperatorArguments, Options};
use super::pipeline::prepare;
use super::{Exit, Global, findings, join};
use crate::load::FluxSource;

/// What `check` takes.
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
    /// What stood before the change (a file or a directory), for the rules that look at a change
    #[arg(long, value_name = "OLD")]
    against: Option<PathBuf>,
    #[command(flatten)]
    schemas: SchemaArguments,
    #[command(flatten)]
    snapshot: SnapshotArguments,
    #[command(flatten)]
    operator: OperatorArguments,
    #[command(flatten)]
    moves: MoveArguments,
    /// Put the platform's table on the HelmReleases among the inputs too
    #[arg(long)]
    override_releases: bool,
    /// The format of the findings
    #[arg(long, value_enum, default_value_t = join::Format::Text)]
    format: join::Format,
}

/// Checks what the arguments name.
pub(super) fn run(
    arguments: &Arguments,
    global: &Global,
    console: &Console,
) -> anyhow::Result<Exit> {
    let flux = arguments.flux.source(FluxSource::None);
    let request = request(&arguments.paths.paths, &arguments.tables, flux)?;
    let mut request = arguments.schemas.join(request);
    request.snapshots.clone_from(&arguments.snapshot.snapshot);
    request.rendered.clone_from(&arguments.hazards.rendered);
    request.against.clone_from(&arguments.against);
    let loaded = read(&request, global, console)?;
    let options = Options {
        flags: arguments.operator.flags()?,
        moved_by: arguments.moves.move_annotation.clone(),
        override_releases: arguments.override_releases,
        target: arguments.hazards.target(),
        ..Options::default()
    };
    let outcome = prepare(&loaded, &arguments.environment.environment(), &options);
    // What stops a rendering is an error already; `--fail-on never` wants to know and go on.
    let skipped = (outcome.skipped, outcome.inert);
    let verdict = findings::decide(outcome.findings, false, global, &loaded, true)?;
    verdict.file(global, &loaded.sources)?;
    tell_skipped(&loaded, skipped, console);
    if outcome.table_unknown {
        console.note(NO_TABLE);
    }
    let (format, colour) = (arguments.format, console.color_data);
    console.data(verdict.report(format, &loaded.sources, colour))?;
    Ok(verdict.exit)
}
