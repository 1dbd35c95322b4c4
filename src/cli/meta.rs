//! `forebay completions` and `forebay man`: what packagers ship.

use std::fs;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, CommandFactory};

use super::Exit;
use super::console::Console;

/// What the command is for, as its help says.
pub(super) const COMPLETIONS: &str = "Print a completion script";

/// What `completions` takes.
#[derive(Debug, Args)]
#[command(about = COMPLETIONS)]
pub(super) struct CompletionsArguments {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: clap_complete::Shell,
}

/// What the command is for, as its help says.
pub(super) const MAN: &str = "Write man pages to a directory";

/// What `man` takes.
#[derive(Debug, Args)]
#[command(about = MAN)]
pub(super) struct ManArguments {
    /// Where the pages go
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

/// Prints a completion script.
pub(super) fn completions(
    arguments: &CompletionsArguments,
    console: &Console,
) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    let mut command = super::Arguments::command();
    clap_complete::generate(arguments.shell, &mut command, "forebay", &mut script);
    console.data(script)?;
    Ok(Exit::Clean)
}

/// Writes a man page for the program and for each command.
pub(super) fn man(arguments: &ManArguments) -> anyhow::Result<Exit> {
    let directory = &arguments.directory;
    fs::create_dir_all(directory)
        .and_then(|()| clap_mangen::generate_to(super::Arguments::command(), directory))
        .with_context(|| format!("cannot write man pages to `{}`", directory.display()))?;
    Ok(Exit::Clean)
}
