//! `forebay bundle list`: what a bundle holds.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::{open, progress};
use crate::cli::Exit;
use crate::cli::console::Console;
use crate::registry::contents::Listed;

/// What `list` takes.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// A directory or a tar
    #[arg(value_name = "BUNDLE")]
    bundle: PathBuf,
    /// The earlier bundle that it builds on
    #[arg(long, value_name = "OLD")]
    base: Option<PathBuf>,
    /// The format of the list
    #[arg(long, value_enum, default_value_t = ListFormat::Text)]
    format: ListFormat,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ListFormat {
    /// For people.
    Text,
    /// The contract's shape.
    Json,
}

/// Lists what the arguments name.
pub(super) fn run(arguments: &Arguments, console: &Console) -> anyhow::Result<Exit> {
    let bundle = open(&arguments.bundle, arguments.base.as_ref())?;
    let listed = bundle.list()?;
    console.data(match arguments.format {
        ListFormat::Text => text(&listed),
        ListFormat::Json => {
            let entries: Vec<Value> = listed.iter().map(entry).collect();
            let whole = json!({"version": 1, "entries": entries});
            format!("{whole:#}\n")
        }
    })?;
    Ok(Exit::Clean)
}

fn entry(listed: &Listed) -> Value {
    json!({
        "name": listed.name,
        "digest": listed.digest.as_str(),
        "mediaType": listed.media_type,
        "type": listed.kind.shown(),
        "platforms": listed.platforms,
        "size": listed.size,
    })
}

fn text(listed: &[Listed]) -> String {
    let mut text = String::new();
    for one in listed {
        let name = one.name.as_deref().unwrap_or("(no name)");
        let platforms = one.platforms.join(" ");
        let size = progress::bytes(one.size);
        let line = format!(
            "{name}\n  {} {} {size} {platforms}",
            one.kind.shown(),
            one.digest
        );
        writeln!(text, "{}", line.trim_end()).expect("a string takes everything");
    }
    text
}
