//! The command line: arguments, exit codes, and a command a file.
//!
//! The contract is `design/cli.md`. Lives here: what was typed, and how a run ends. What a command
//! does is in its file; what several need is in [`inputs`], [`pipeline`], [`findings`], [`console`].
//! [`join`] is where the parts of the library meet.

mod allow;
mod attribute;
mod audit;
mod baseline;
#[cfg(feature = "registry")]
mod bundle;
#[cfg(not(feature = "registry"))]
#[path = "bundle_missing.rs"]
mod bundle;
mod carriers;
mod check;
mod claims;
mod config;
mod console;
mod diff;
mod earlier;
mod estate;
mod explain;
mod findings;
mod flux;
mod graph;
mod images;
mod inputs;
mod inventory;
mod join;
#[cfg(any(test, feature = "laws"))]
pub(crate) mod kept;
mod meta;
mod overrides;
mod packages;
mod pipeline;
#[cfg(feature = "registry")]
mod presence;
#[cfg(not(feature = "registry"))]
#[path = "presence_missing.rs"]
mod presence;
mod proof;
#[cfg(feature = "registry")]
mod registries;
mod render;
mod reports;
mod rewrite;
mod schemas;
mod subjects;

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use crate::load::threads;
use console::{ClosedPipe, Console};

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Nothing to object to: 0.
    Clean,
    /// The answer is no: 1.
    Findings,
    /// The job could not be done: 2.
    Trouble,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Clean => 0,
            Exit::Findings => 1,
            Exit::Trouble => 2,
        })
    }
}

/// Compute offline what Flux and Cozystack will do to manifests.
#[derive(Debug, Parser)]
#[command(name = "forebay", version, disable_help_subcommand = true)]
struct Arguments {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// What every command takes.
#[derive(Debug, Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "switches that do not depend on each other"
)]
struct Global {
    /// What the repository always wants [default: `forebay.yaml`, if it is there]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// What that file says.
    #[arg(skip)]
    settings: config::Settings,
    /// Findings that are known already
    #[arg(long, global = true, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Make every present finding known: write them to a file for `--baseline`
    #[arg(long, global = true, value_name = "FILE", conflicts_with = "baseline")]
    write_baseline: Option<PathBuf>,
    /// When to colour what is said
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    color: Color,
    /// Write the findings to a file as well
    #[arg(long, global = true, value_name = "FILE")]
    report: Option<PathBuf>,
    /// The format of that file
    #[arg(long, global = true, value_enum, value_name = "FORMAT", default_value_t = findings::FileFormat::Json)]
    report_format: findings::FileFormat,
    /// The least level of a finding that makes the exit code 1
    #[arg(long, global = true, value_enum, value_name = "LEVEL", default_value_t = findings::FailOn::Error)]
    fail_on: findings::FailOn,
    /// Say only what is wrong
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Say more
    #[arg(short, long, global = true)]
    verbose: bool,
    /// How many threads to use [default: one for a small input, else as many as there are processors]
    #[arg(long, global = true, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Whether this process is one run, whose threads are started by the size of its input and whose
    /// memory goes with it.
    #[arg(skip)]
    one_run: bool,
    /// Never ask a registry
    #[arg(long, global = true)]
    offline: bool,
    /// Which readers of YAML are asked: for comparing them
    #[arg(long, global = true, value_enum, hide = true, default_value_t = inputs::ReaderName::Quick)]
    reader: inputs::ReaderName,
    #[cfg(feature = "registry")]
    #[command(flatten)]
    registries: registries::RegistryArguments,
}

/// When to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// What `bundle` is for, as its help says in every build.
const BUNDLE: &str = "Bundle images into an OCI layout, verify it, push it";

// What a command takes is told to clap when that command is called: a start has no use for the others.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
enum Command {
    #[command(about = render::ABOUT)]
    Render(render::Arguments),
    #[command(about = check::ABOUT)]
    Check(check::Arguments),
    #[command(about = rewrite::ABOUT)]
    Rewrite(rewrite::Arguments),
    #[command(about = diff::ABOUT)]
    Diff(diff::Arguments),
    #[command(about = images::ABOUT)]
    Images(images::Arguments),
    #[command(about = overrides::ABOUT)]
    Overrides(overrides::Arguments),
    #[command(about = flux::ABOUT)]
    Flux(flux::Arguments),
    #[command(about = audit::ABOUT)]
    Audit(audit::Arguments),
    #[command(about = BUNDLE)]
    Bundle(bundle::Arguments),
    #[command(about = graph::ABOUT)]
    Graph(graph::Arguments),
    #[command(about = explain::ABOUT)]
    Explain(explain::Arguments),
    #[command(about = config::ABOUT)]
    Config(config::Arguments),
    #[command(about = config::init::ABOUT)]
    Init(config::init::Arguments),
    #[command(about = meta::COMPLETIONS)]
    Completions(meta::CompletionsArguments),
    #[command(about = meta::MAN)]
    Man(meta::ManArguments),
}

/// Runs the program: reads arguments (the program's name first), does the job, prints data to
/// stdout and talk to stderr.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Exit {
    let typed: Vec<OsString> = arguments.into_iter().collect();
    // Not on a thread of its own, which costs 7 to 8 % of a small run.
    match threads::room_for_a_stack() {
        Ok(()) => stacker::grow(threads::STACK, || answer(&typed)),
        Err(why) => end(&anyhow::Error::new(why).context("no memory for a stack of 256 MiB")),
    }
}

/// Does what was typed, or says why that cannot be understood.
fn answer(arguments: &[OsString]) -> Exit {
    threads::make_room(threads::ROOM);
    match parse(arguments) {
        Ok((arguments, typed)) => work(arguments, typed),
        Err(error) => {
            let written = error.print();
            if error.use_stderr() {
                return Exit::Trouble;
            }
            written.map_or_else(|why| end(&console::closed(why, "stdout")), |()| Exit::Clean)
        }
    }
}

/// The arguments, and whether `--fail-on` is among them.
fn parse(arguments: &[OsString]) -> Result<(Arguments, bool), clap::Error> {
    let whole = Arguments::command();
    let matches = match alone(&whole, arguments) {
        Some(matches) => matches,
        None => whole.try_get_matches_from(arguments)?,
    };
    let mut typed = false;
    let mut level = Some(&matches);
    while let Some(matches) = level {
        let source = matches.try_contains_id("fail_on").ok();
        let source = source.and_then(|_| matches.value_source("fail_on"));
        typed |= source == Some(ValueSource::CommandLine);
        level = matches.subcommand().map(|(_, below)| below);
    }
    Ok((Arguments::from_arg_matches(&matches)?, typed))
}

/// What the command that is called first makes of the arguments, asked without the others: each of
/// them would be given a copy of all that every command takes. Nothing where it refuses them or help
/// is asked for: the whole knows what to say.
fn alone(whole: &clap::Command, arguments: &[OsString]) -> Option<ArgMatches> {
    let called = whole.find_subcommand(arguments.get(1)?)?;
    let command = Global::augment_args(clap::Command::new(env!("CARGO_PKG_NAME")));
    let command = command.subcommand(called.clone());
    command.try_get_matches_from(arguments).ok()
}

/// Does the job on as many threads as are asked for.
fn work(mut arguments: Arguments, typed: bool) -> Exit {
    if let Err(error) = settle(&mut arguments, typed) {
        return end(&error);
    }
    // Who reads an estate starts as many threads as its size is worth.
    let estate = matches!(
        arguments.command,
        Command::Render(_) | Command::Check(_) | Command::Rewrite(_) | Command::Flux(_)
    );
    arguments.global.one_run = estate;
    if !estate && let Err(why) = threads::start(arguments.global.jobs, u64::MAX) {
        return end(&anyhow::Error::new(why).context("cannot start threads"));
    }
    let console = Console::new(&arguments.global);
    command(&arguments, &console).unwrap_or_else(|error| end(&error))
}

/// Adds what the configuration says to what was typed; the error is a configuration that cannot be
/// read.
fn settle(arguments: &mut Arguments, typed: bool) -> anyhow::Result<()> {
    let silent = matches!(
        arguments.command,
        Command::Explain(_)
            | Command::Config(_)
            | Command::Init(_)
            | Command::Completions(_)
            | Command::Man(_)
    );
    if !silent {
        let global = &mut arguments.global;
        global.settings = config::read(global.config.as_deref())?;
        let set = global.settings.fail_on.filter(|_| !typed);
        global.fail_on = set.unwrap_or(global.fail_on);
    }
    Ok(())
}

/// Does what the command says, on the threads at hand.
fn command(arguments: &Arguments, console: &Console) -> anyhow::Result<Exit> {
    let global = &arguments.global;
    match &arguments.command {
        Command::Render(arguments) => render::run(arguments, global, console),
        Command::Check(arguments) => check::run(arguments, global, console),
        Command::Rewrite(arguments) => rewrite::run(arguments, global, console),
        Command::Diff(arguments) => diff::run(arguments, global, console),
        Command::Images(arguments) => images::run(arguments, global, console),
        Command::Overrides(arguments) => overrides::run(arguments, global, console),
        Command::Flux(arguments) => flux::run(arguments, global, console),
        Command::Audit(arguments) => audit::run(arguments, global, console),
        Command::Bundle(arguments) => bundle::run(arguments, global, console),
        Command::Graph(arguments) => graph::run(arguments, global, console),
        Command::Explain(arguments) => explain::run(arguments, console),
        Command::Config(arguments) => config::run(arguments, console),
        Command::Init(_) => config::init::run(global, console),
        Command::Completions(arguments) => meta::completions(arguments, console),
        Command::Man(arguments) => meta::man(arguments),
    }
}

/// Says why the job could not be done; a reader that went away is no trouble.
fn end(error: &anyhow::Error) -> Exit {
    if error.is::<ClosedPipe>() {
        return Exit::Clean;
    }
    console::error(error);
    Exit::Trouble
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_hold_together() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn a_command_says_the_same_of_itself_in_every_help() {
        let said = |command: &clap::Command| -> Vec<_> {
            let commands = command.get_subcommands();
            commands
                .map(|it| (it.get_name().to_owned(), it.get_about().cloned()))
                .collect()
        };
        let mut whole = Arguments::command();
        let listed = said(&whole);
        whole.build();
        let built = said(&whole).into_iter().filter(|(name, _)| name != "help");
        let show = |(name, about): (String, Option<clap::builder::StyledStr>)| {
            format!("{name}: {}", about.unwrap_or_default())
        };
        let (listed, built): (Vec<_>, Vec<_>) = (
            listed.into_iter().map(show).collect(),
            built.map(show).collect(),
        );
        assert_eq!(listed, built);
        assert!(listed.iter().all(|line| !line.ends_with(": ")));
    }

    #[test]
    fn usage_is_trouble_and_help_is_not() {
        let run = |words: &[&str]| run(words.iter().map(OsString::from));
        assert_eq!(run(&["forebay", "no-such-command"]), Exit::Trouble);
        assert_eq!(run(&["forebay", "--version"]), Exit::Clean);
    }
}
