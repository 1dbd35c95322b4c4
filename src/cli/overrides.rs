//! `forebay overrides`: the validated table in the form that a consumer takes.
//!
//! Below: the forms of a table ([`forms`]) and of the mirrors that match it ([`mirrors`]), the table
//! that moves every image seen ([`relocate`]), its digests ([`pin`]), and the command that makes the same again
//! ([`command`]).

mod command;
mod forms;
mod mirrors;
#[cfg(feature = "registry")]
mod pin;
#[cfg(not(feature = "registry"))]
#[path = "overrides/pin_missing.rs"]
mod pin;
mod relocate;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::{ArgGroup, Args, ValueEnum};

use super::console::Console;
use super::inputs::{PathArguments, TableArguments, read, rendered, request};
use super::inventory::charts;
use super::proof::NameKind;
use super::{Exit, Global, findings, pipeline};
use crate::emit::Tree;
use crate::emit::write::Target;
use crate::load::{ChartContent, ChartSource, FluxSource, RenderedBy, Request};
use crate::model::overrides::{OverrideTable, Tables};
use crate::resolve::relocation::{Escape, Move};
use forms::{Form, form, json, values};

/// What the command is for, as its help says.
pub(super) const ABOUT: &str =
    "Print the validated override table in the form that a consumer takes";

/// What `overrides` takes.
#[derive(Debug, Args)]
#[command(about = ABOUT)]
#[command(group = ArgGroup::new("making").multiple(true))]
pub(super) struct Arguments {
    #[command(flatten)]
    paths: PathArguments,
    #[command(flatten)]
    tables: TableArguments,
    /// The form
    #[arg(long, value_enum, default_value_t = Form::Yaml)]
    format: Form,
    /// Which table, where the inputs give two that differ
    #[arg(long, value_enum)]
    table: Option<Which>,
    /// Make the table that moves every image seen; of several that fit the longest counts
    #[arg(long, value_name = "FROM=TO", group = "making")]
    relocate: Vec<Move>,
    /// Ask registries for the digest of every image seen and add it to the table
    #[arg(long, group = "making")]
    pin: bool,
    /// The names that registries are asked for [default: original]
    #[arg(long, value_enum, requires = "pin")]
    names: Option<NameKind>,
    /// Put the digests into the file that the table stands in
    #[arg(short, long, requires = "pin", conflicts_with_all = ["relocate", "output", "check", "format"])]
    in_place: bool,
    /// When the names are escaped [default: needed]
    #[arg(long, value_enum, requires = "relocate")]
    escape: Option<Escape>,
    /// Flux's own manifests: `embedded`, `none`, a path, `-`, `oci://REF`, `operator:PATH`, or
    /// `operator:oci://REF`
    #[arg(long, value_name = "SOURCE", requires = "making")]
    flux: Option<String>,
    /// What the chart of a HelmRelease renders: a file or a directory
    #[arg(long, value_name = "NAMESPACE/NAME=PATH", value_parser = rendered, requires = "making")]
    rendered: Vec<(RenderedBy, PathBuf)>,
    /// Where a chart source's content is: a directory, or an artifact in a registry
    #[arg(
        long,
        value_name = "KIND/NAMESPACE/NAME=PATH|oci://REF",
        value_parser = charts,
        requires = "making"
    )]
    charts: Vec<(ChartSource, ChartContent)>,
    /// A directory for `--format hosts-toml`
    #[arg(long, short, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Write nothing; exit 1 where this file, or directory of `hosts-toml`, says something else
    #[arg(long, value_name = "FILE", conflicts_with = "output")]
    check: Option<PathBuf>,
}

/// The two tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Which {
    /// Of Flux's own manifests.
    Flux,
    /// Of releases.
    Platform,
}

/// The tables of a run, and the one that stands for both where one does.
struct Made {
    tables: Tables,
    both: Option<OverrideTable>,
    exit: Exit,
}

/// Prints the table that the arguments name.
pub(super) fn run(
    arguments: &Arguments,
    global: &Global,
    console: &Console,
) -> anyhow::Result<Exit> {
    let directory = arguments.output.as_ref().or(arguments.check.as_ref());
    match (arguments.format, directory) {
        (Form::HostsToml, None) => {
            bail!("`--format hosts-toml` makes a directory, expected `-o DIR` or `--check DIR`")
        }
        (form, _) if form != Form::HostsToml && arguments.output.is_some() => {
            bail!("`-o` is for `--format hosts-toml`; every other form goes to stdout")
        }
        _ => {}
    }
    let making = arguments.pin || !arguments.relocate.is_empty();
    let Some(made) = (if making {
        relocate::tables(arguments, global, console)?
    } else {
        given(arguments, global, console)?
    })
    .filter(|made| made.exit != Exit::Trouble) else {
        return Ok(Exit::Trouble);
    };
    let again = command::of(arguments);
    if arguments.in_place {
        return Ok(made.exit);
    }
    let comment = if !making && !arguments.format.is_of_mirrors() {
        String::new()
    } else {
        format!("# made by: {again}\n")
    };
    if arguments.format == Form::HostsToml {
        let table = chosen(arguments, &made)?;
        let tree = mirrors::hosts(&mirrors::told(table, console), &comment);
        return put_tree(arguments, &tree, &again, made.exit, console);
    }
    let text = match arguments.format {
        Form::Values => {
            let only = |which| arguments.table.is_none_or(|asked| asked == which);
            let (flux, platform) = (&made.tables.flux, &made.tables.platform);
            values(
                flux.as_ref().filter(|_| only(Which::Flux)),
                platform.as_ref().filter(|_| only(Which::Platform)),
            )
        }
        of_mirrors if of_mirrors.is_of_mirrors() => mirrors::text(
            of_mirrors,
            &mirrors::told(chosen(arguments, &made)?, console),
        ),
        other => form(other, chosen(arguments, &made)?),
    };
    let Some(file) = &arguments.check else {
        let comment = if arguments.format.takes_comments() {
            comment.as_str()
        } else {
            ""
        };
        console.data(format!("{comment}{text}"))?;
        return Ok(made.exit);
    };
    let standing =
        fs::read_to_string(file).with_context(|| format!("cannot read `{}`", file.display()))?;
    if says(&standing).eq(says(&text)) {
        return Ok(made.exit);
    }
    tell_stale(file, &again, console);
    Ok(Exit::Findings)
}

/// The tables among the inputs; `None` where something is wrong with them.
fn given(
    arguments: &Arguments,
    global: &Global,
    console: &Console,
) -> anyhow::Result<Option<Made>> {
    let request: Request = request(&arguments.paths.paths, &arguments.tables, FluxSource::None)?;
    let loaded = read(&request, global, console)?;
    let (tables, usable) = pipeline::tables(&loaded, true);
    let mut said = loaded.findings.clone();
    said.extend(tables.findings);
    let verdict = findings::decide(said, !usable, global, &loaded, false)?;
    verdict.file(global, &loaded.sources)?;
    verdict.talk(console, &loaded.sources);
    Ok((verdict.exit == Exit::Clean).then_some(Made {
        tables: tables.tables,
        both: None,
        exit: verdict.exit,
    }))
}

/// The table that a form which holds one is of.
fn chosen<'m>(arguments: &Arguments, made: &'m Made) -> anyhow::Result<Option<&'m OverrideTable>> {
    let (flux, platform) = (made.tables.flux.as_ref(), made.tables.platform.as_ref());
    let which = arguments.table.or(match arguments.format {
        Form::Flag => Some(Which::Flux),
        Form::Postrenderer => Some(Which::Platform),
        _ => None,
    });
    Ok(match which {
        Some(Which::Flux) => flux,
        Some(Which::Platform) => platform,
        None if made.both.is_some() => made.both.as_ref(),
        None => match (flux, platform) {
            (Some(one), Some(other)) if json(Some(one)) != json(Some(other)) => {
                bail!("the inputs give two tables that differ, expected `--table flux|platform`")
            }
            (one, other) => one.or(other),
        },
    })
}

/// Puts a tree into its directory, or says whether the directory is stale.
fn put_tree(
    arguments: &Arguments,
    tree: &Tree,
    again: &str,
    exit: Exit,
    console: &Console,
) -> anyhow::Result<Exit> {
    if let Some(directory) = &arguments.output {
        Target::look(directory)?.write(tree)?;
    }
    if let Some(directory) = &arguments.check {
        let standing = Target::look(directory)?.standing()?;
        let same = |(name, content): (&String, &Vec<u8>)| {
            let other = standing
                .files
                .get(name)
                .map(|it| String::from_utf8_lossy(it));
            other.is_some_and(|other| says(&other).eq(says(&String::from_utf8_lossy(content))))
        };
        if standing.files.len() != tree.files.len() || !tree.files.iter().all(same) {
            tell_stale(directory, again, console);
            return Ok(Exit::Findings);
        }
    }
    Ok(exit)
}

/// The lines of a text that say something: a comment names the paths as they were typed, which may
/// differ where the table does not.
fn says(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .map(str::trim_end)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn tell_stale(path: &Path, again: &str, console: &Console) {
    console.talk(format!(
        "error: `{}` is stale\nhelp: make it again with `{again}`\n",
        path.display()
    ));
}
