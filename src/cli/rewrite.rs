//! `forebay rewrite`: the image rewrite by itself, as the real filter does it.

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};

use super::console::Console;
use super::inputs::{PathArguments, TableArguments, read, request};
use super::packages::Packages;
use super::{Exit, Global, findings, join, pipeline};
use crate::emit::file::{self, Waiting};
use crate::load::{Cut, FluxSource, Input, Request, Role};
use crate::model::overrides::Tables;
use crate::resolve::images::Mode;
use crate::resolve::plan::plan;
use crate::yaml::edit::apply;

/// What `rewrite` takes.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    paths: PathArguments,
    #[command(flatten)]
    tables: TableArguments,
    /// Whose rewrite: the operator's filter, or helm-controller's post-renderer
    #[arg(long, value_enum, default_value_t = ModeName::Legacy)]
    mode: ModeName,
    /// Write every file in its place
    #[arg(short, long, conflicts_with = "output")]
    in_place: bool,
    /// Where the result goes
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
}

/// The two modes.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum ModeName {
    /// The operator's filter.
    Legacy,
    /// helm-controller's post-renderer.
    Build,
}

/// Rewrites what the arguments name.
pub(super) fn run(
    arguments: &Arguments,
    global: &Global,
    console: &Console,
) -> anyhow::Result<Exit> {
    if arguments.paths.paths.is_empty() {
        bail!("nothing to rewrite, expected a PATH or `-`");
    }
    let mode = match arguments.mode {
        ModeName::Legacy => Mode::Legacy,
        ModeName::Build => Mode::Build,
    };
    let request = Request {
        cut: match mode {
            Mode::Legacy => Cut::Filter,
            Mode::Build => Cut::Build,
        },
        ..request(&arguments.paths.paths, &arguments.tables, FluxSource::None)?
    };
    let loaded = read(&request, global, console)?;
    let (tables, usable) = pipeline::tables(&loaded, false);
    let mut said = loaded.findings.clone();
    said.extend(tables.findings.iter().cloned());
    let (flux, platform) = (tables.tables.flux.as_ref(), tables.tables.platform.as_ref());
    let table = match mode {
        Mode::Legacy => flux.or(platform),
        Mode::Build => platform.or(flux),
    };
    let mut stopped = !usable;
    let mut texts = Vec::new();
    let mut filtered = Vec::new();
    for (at, input) in loaded.inputs.iter().enumerate() {
        if input.role != Role::Manifest {
            continue;
        }
        let mut edits = Vec::new();
        for pass in table
            .iter()
            .flat_map(|table| join::filter(mode, &input.source, &input.docs, table))
        {
            stopped |= pass.refusal.is_some();
            said.extend(pass.refusal.iter().chain(&pass.findings).cloned());
            edits.extend(join::edits(&pass, &input.docs, mode));
            filtered.push((at, pass));
        }
        texts.push((
            input,
            apply(&input.source.text, 0, &edits).expect("the edits of one filter do not overlap"),
        ));
    }
    let used = Tables {
        flux: None,
        platform: table.cloned(),
    };
    let none = Packages::default();
    said.extend(join::check(
        &loaded,
        &plan(&loaded),
        &used,
        filtered,
        none.made(&[]),
        None,
    ));
    let verdict = findings::decide(said, stopped, global, &loaded, false)?;
    verdict.file(global, &loaded.sources)?;
    verdict.talk(console, &loaded.sources);
    if verdict.exit != Exit::Clean {
        return Ok(verdict.exit);
    }
    if arguments.in_place {
        in_place(&texts)?;
    } else if arguments.output.as_os_str() == "-" {
        console.data(joined(&texts))?;
    } else {
        findings::write(&arguments.output, joined(&texts).as_bytes())?;
    }
    Ok(Exit::Clean)
}

/// All texts in one: a single one byte for byte, several with separators between them.
fn joined(texts: &[(&Input, String)]) -> String {
    let mut all = String::new();
    for (at, (_, text)) in texts.iter().enumerate() {
        if at > 0 {
            if !all.is_empty() && !all.ends_with('\n') {
                all.push('\n');
            }
            if !text.starts_with("---") {
                all.push_str("---\n");
            }
        }
        all.push_str(text);
    }
    all
}

/// Writes every file that changed in its place: none where one cannot be written.
pub(super) fn in_place(texts: &[(&Input, String)]) -> anyhow::Result<()> {
    let mut waiting = Vec::new();
    for (input, text) in texts {
        let Some(path) = &input.file else {
            bail!("stdin cannot be rewritten in place, expected files");
        };
        if *text == input.source.text {
            continue;
        }
        let prepared = file::prepare(path, text.as_bytes());
        waiting.extend(prepared.with_context(|| format!("cannot write `{}`", input.source.path))?);
    }
    waiting
        .into_iter()
        .try_for_each(Waiting::put)
        .context("cannot put a file in its place")
}
