//! `forebay bundle`: images into an OCI layout, and out of it into a registry.
//!
//! Lives here: the subcommands and what they share. Each is a file; [`images`] says which images
//! the inputs ask for, [`mod@progress`] how a long run is shown.

mod create;
mod images;
mod list;
mod login;
pub(super) mod progress;
mod push;
mod verify;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use clap::{Args, Subcommand};

use super::console::Console;
use super::{Exit, Global};
use crate::registry::client::Client;
use crate::registry::contents::Bundle;
use crate::registry::layout::Layout;
use crate::registry::settings::Watch;

pub(super) use push::target;

/// What `bundle` takes.
#[derive(Debug, Args)]
#[command(about = super::BUNDLE)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Fetch every image into a bundle
    Create(create::Arguments),
    /// Check, without a network, that a bundle is whole and holds what the inputs ask for
    Verify(verify::Arguments),
    /// List what a bundle holds
    List(list::Arguments),
    /// Push a bundle to a registry, under the rewritten names
    Push(push::Arguments),
    /// Say which account would be used for a reference
    LoginStatus(login::Arguments),
}

/// Does what the subcommand says.
pub(super) fn run(
    arguments: &Arguments,
    global: &Global,
    console: &Console,
) -> anyhow::Result<Exit> {
    match &arguments.command {
        Command::Create(arguments) => create::run(arguments, global, console),
        Command::Verify(arguments) => verify::run(arguments, global, console),
        Command::List(arguments) => list::run(arguments, console),
        Command::Push(arguments) => push::run(arguments, global, console),
        Command::LoginStatus(arguments) => login::run(arguments, global, console),
    }
}

/// Opens a bundle and the one that it builds on.
pub(super) fn open(path: &Path, base: Option<&PathBuf>) -> anyhow::Result<Bundle> {
    let layout = Layout::open(path)?;
    let base = base.map(|base| Layout::open(base)).transpose()?;
    match (&layout.base, &base) {
        (Some(wanted), Some(base)) if *wanted != base.digest() => anyhow::bail!(
            "`{}` builds on {wanted}, and `{}` is {}",
            layout.shown,
            base.shown,
            base.digest()
        ),
        (Some(wanted), None) => Err(anyhow::anyhow!("expected it with `--base OLD`"))
            .with_context(|| format!("`{}` leaves out what the bundle {wanted} has", layout.shown)),
        _ => Ok(Bundle { layout, base }),
    }
}

/// Who asks registries; nobody where none may be asked.
pub(super) fn client(global: &Global, watch: Arc<dyn Watch>) -> anyhow::Result<Client> {
    anyhow::ensure!(
        !global.offline,
        "`--offline` asks no registry, and this cannot be done without one"
    );
    Ok(Client::new(&global.registries.settings(Some(watch)))?)
}
