//! `forebay check`: findings only.

use clap::{Args, ValueEnum};

use super::console::Console;
use super::inputs::{
    EnvironmentArguments, FluxArguments, PathArguments, TableArguments, read, request, tell_skipped,
};
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
    /// The format of the findings
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// The formats of findings.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// For people.
    Text,
    /// One object.
    Json,
    /// SARIF 2.1.0.
    Sarif,
    /// Workflow annotations.
    Github,
    /// `JUnit` XML.
    Junit,
}

/// Checks what the arguments name.
pub(super) fn run(
    arguments: &Arguments,
    global: &Global,
    console: &Console,
) -> anyhow::Result<Exit> {
    let flux = arguments.flux.source(FluxSource::None);
    let request = request(&arguments.paths.paths, &arguments.tables, flux)?;
    let loaded = read(&request, global, console)?;
    let outcome = prepare(&loaded, &arguments.environment.environment());
    // What stops a rendering is an error already; `--fail-on never` wants to know and go on.
    let verdict = findings::judge(outcome.findings, false, global.fail_on);
    verdict.file(global, &loaded.sources)?;
    tell_skipped(&loaded, outcome.skipped, console);
    let format = match arguments.format {
        Format::Text => join::Format::Text,
        Format::Json => join::Format::Json,
        Format::Sarif => join::Format::Sarif,
        Format::Github => join::Format::Github,
        Format::Junit => join::Format::Junit,
    };
    console.data(join::report(
        format,
        &verdict.findings,
        &loaded.sources,
        console.color_data,
    ))?;
    Ok(verdict.exit)
}
