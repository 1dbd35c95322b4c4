//! `forebay explain`: a rule's page, or the list.

use anyhow::bail;
use clap::Args;

use super::console::Console;
use super::{Exit, join};

/// What the command is for, as its help says.
pub(super) const ABOUT: &str = "Explain a rule, or list all of them";

/// What `explain` takes.
#[derive(Debug, Args)]
#[command(about = ABOUT)]
pub(super) struct Arguments {
    /// A rule's code, or an id that it carries
    #[arg(value_name = "RULE")]
    rule: Option<String>,
}

/// Prints what the arguments ask for.
pub(super) fn run(arguments: &Arguments, console: &Console) -> anyhow::Result<Exit> {
    let text = match &arguments.rule {
        None => join::rules()
            .iter()
            .fold(String::new(), |list, (code, summary)| {
                list + &format!("{code:<34} {summary}\n")
            }),
        Some(rule) => match join::page(rule) {
            Some(page) => page,
            None => bail!("no rule is called `{rule}`; `forebay explain` lists them"),
        },
    };
    console.data(text)?;
    Ok(Exit::Clean)
}
