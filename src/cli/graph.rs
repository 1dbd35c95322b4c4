//! `forebay graph`: releases and what they depend on.

use clap::Args;

use super::console::Console;
use super::inputs::{PathArguments, TableArguments, read, request, tell_skipped};
use super::packages::{OperatorArguments, Options, Packages};
use super::subjects::placed;
use super::{Exit, Global, findings, join};
use crate::finding::Level;
use crate::load::FluxSource;
use crate::report::graph::{GraphFormat, graph};
use crate::resolve::dependencies::Graph;
use crate::resolve::plan::plan;

/// What the command is for, as its help says.
pub(super) const ABOUT: &str = "Draw releases and what they depend on";

/// What `graph` takes.
#[derive(Debug, Args)]
#[command(about = ABOUT)]
pub(super) struct Arguments {
    #[command(flatten)]
    paths: PathArguments,
    #[command(flatten)]
    tables: TableArguments,
    #[command(flatten)]
    operator: OperatorArguments,
    /// The format of the graph
    #[arg(long, value_enum, default_value_t = GraphFormat::Mermaid)]
    format: GraphFormat,
}

/// Draws what the arguments name. Collisions, circles and missing ends are marked, not judged: what
/// keeps the graph from being drawn is only what cannot be read.
pub(super) fn run(
    arguments: &Arguments,
    global: &Global,
    console: &Console,
) -> anyhow::Result<Exit> {
    let request = request(&arguments.paths.paths, &arguments.tables, FluxSource::None)?;
    let loaded = read(&request, global, console)?;
    let options = Options {
        flags: arguments.operator.flags()?,
        ..Options::default()
    };
    let plan = plan(&loaded);
    let tables = join::tables(&loaded, true);
    let packages = Packages::of(&loaded, &plan, &tables, &options);
    let mut said = loaded.findings.clone();
    said.extend(plan.findings.iter().cloned());
    said.extend(packages.refused.iter().cloned());
    let wrong = tables.findings.into_iter();
    said.extend(wrong.filter(|finding| finding.level == Level::Error));
    let stopped = said.iter().any(|finding| finding.level == Level::Error);
    let verdict = findings::decide(said, stopped, global, &loaded, false)?;
    verdict.file(global, &loaded.sources)?;
    verdict.talk(console, &loaded.sources);
    tell_skipped(&loaded, (plan.skipped, plan.inert), console);
    if verdict.exit != Exit::Clean {
        return Ok(verdict.exit);
    }
    let releases = packages.releases(&loaded, &plan);
    let drawn = Graph::of(&releases, placed(&loaded, &plan));
    console.data(graph(&drawn, &loaded.sources, arguments.format))?;
    Ok(Exit::Clean)
}
