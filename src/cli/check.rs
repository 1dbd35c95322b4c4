//! `forebay check`: findings only.

use std::path::PathBuf;

use clap::Args;

use super::console::Console;
use super::estate::EstateArguments;
use super::inputs::{let_go, read, tell_skipped};
use super::packages::{NO_TABLE, Options};
use super::pipeline::prepare;
use super::{Exit, Global, findings, join};
use crate::load::FluxSource;

/// What the command is for, as its help says.
pub(super) const ABOUT: &str = "Report findings only";

/// What `check` takes.
#[derive(Debug, Args)]
#[command(about = ABOUT)]
pub(super) struct Arguments {
    #[command(flatten)]
    estate: EstateArguments,
    /// What stood before the change (a file or a directory), for the rules that look at a change
    #[arg(long, value_name = "OLD")]
    against: Option<PathBuf>,
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
    let estate = &arguments.estate;
    let request = estate.request(arguments.against.as_ref(), FluxSource::None)?;
    let options = Options {
        only_findings: true,
        ..estate.options()?
    };
    let loaded = read(&request, global, console)?;
    let outcome = prepare(&loaded, &estate.environment(), &options);
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
    let_go(loaded, global);
    Ok(verdict.exit)
}
