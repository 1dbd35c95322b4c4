//! `forebay flux`: Flux's own manifests, overrides applied.

use clap::Args;

use super::console::Console;
use super::inputs::{EnvironmentArguments, FluxArguments, TableArguments, request};
use super::packages::Options;
use super::render::{OutputArguments, produce};
use super::{Exit, Global};
use crate::load::FluxSource;

/// What the command is for, as its help says.
pub(super) const ABOUT: &str = "Print Flux's own manifests, overrides applied";

/// What `flux` takes.
#[derive(Debug, Args)]
#[command(about = ABOUT)]
pub(super) struct Arguments {
    #[command(flatten)]
    flux: FluxArguments,
    #[command(flatten)]
    tables: TableArguments,
    #[command(flatten)]
    environment: EnvironmentArguments,
    #[command(flatten)]
    output: OutputArguments,
}

/// Prints Flux's manifests.
pub(super) fn run(
    arguments: &Arguments,
    global: &Global,
    console: &Console,
) -> anyhow::Result<Exit> {
    let flux = arguments.flux.source(FluxSource::Embedded);
    let request = request(&[], &arguments.tables, flux)?;
    let environment = arguments.environment.environment();
    let (options, output) = (Options::default(), &arguments.output);
    produce(&request, &environment, &options, output, global, console)
}
