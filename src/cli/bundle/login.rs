//! `forebay bundle login-status`: whose credentials would be used, and never the secret.

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
        text.push_str(&format!("{name}: {}", login.account.shown()));
        if let Some(origin) = login.origin {
            text.push_str(&format!(", from {origin}"));
        }
        text.push('\n');
    }
    console.data(text)?;
    Ok(Exit::Clean)
}
