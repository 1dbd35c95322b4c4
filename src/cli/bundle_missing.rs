//! `forebay bundle` in a build without the feature `registry`: it says what is missing.

use anyhow::bail;
use clap::Args;

use super::console::Console;
use super::{Exit, Global};

/// What `bundle` takes: anything, since it can do nothing.
#[derive(Debug, Args)]
#[command(about = super::BUNDLE)]
pub(super) struct Arguments {
    /// Not in this build
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    _rest: Vec<String>,
}

/// Says what is missing.
pub(super) fn run(_: &Arguments, _: &Global, _: &Console) -> anyhow::Result<Exit> {
    bail!("`bundle` needs registries, and this forebay was built without the feature `registry`")
}
