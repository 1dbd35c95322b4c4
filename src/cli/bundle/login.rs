//! `forebay bundle login-status`: whose credentials would be used, and never the secret.

use std::fmt::Write as _;

use anyhow::Context;
use clap::Args;

use crate::cli::console::Console;
use crate::cli::{Exit, Global};
use crate::model::reference::Reference;
use crate::registry::account::Accounts;

/// What `login-status` takes.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// References, or repositories, or registries with a slash behind
    #[arg(value_name = "REF", required = true)]
    references: Vec<String>,
}

/// Says the account of each reference; no registry is asked.
pub(super) fn run(
    arguments: &Arguments,
    global: &Global,
    console: &Console,
) -> anyhow::Result<Exit> {
    let accounts = Accounts::read(&global.registries.settings(None))?;
    let mut text = String::new();
    for name in &arguments.references {
        let reference = Reference::parse(name)?;
        let login = accounts
            .of(&reference)
            .with_context(|| format!("cannot tell the account for `{name}`"))?;
        let origin = login.origin.map(|origin| format!(", from {origin}"));
        let (account, origin) = (login.account.shown(), origin.unwrap_or_default());
        writeln!(text, "{name}: {account}{origin}").expect("a string takes everything");
    }
    console.data(text)?;
    Ok(Exit::Clean)
}
