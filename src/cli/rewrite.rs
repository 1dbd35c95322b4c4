//! `forebay rewrite`: the image rewrite by itself, as the real filter does it.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};

use super::console::Console;
use super::inputs::{PathArguments, TableArguments, let_go, read, request};
use super::packages::Packages;
use super::{Exit, Global, findings, join, pipeline};
use crate::emit::file::{self, Waiting};
use crate::load::{Cut, FluxSource, Input, Loaded, Request, Role};
use crate::model::overrides::Tables;
use crate::resolve::images::{Filtered, Mode};
use crate::resolve::plan::plan;
use crate::rewrite::each_stretch;

/// What the command is for, as its help says.
pub(super) const ABOUT: &str = "Rewrite images, and nothing else by a byte";

/// What `rewrite` takes.
#[derive(Debug, Args)]
#[command(about = ABOUT)]
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
    let mut filtered = join::Passes::new();
    for (at, input) in loaded.inputs.iter().enumerate() {
        if let (Role::Manifest, Some(table)) = (input.role, table) {
            let passes = join::filter(mode, &input.source, &input.docs, table);
            filtered.extend(passes.into_iter().map(|pass| (at, pass)));
        }
    }
    for (_, pass) in &filtered {
        stopped |= pass.refusal.is_some();
        said.extend(pass.said().cloned());
    }
    let used = Tables {
        flux: None,
        platform: table.cloned(),
    };
    let none = Packages::default();
    let plan = plan(&loaded);
    said.extend(join::check(
        &loaded,
        &plan,
        &used,
        &filtered,
        none.made(&[]),
        None,
    ));
    let verdict = findings::decide(said, stopped, global, &loaded, false)?;
    verdict.file(global, &loaded.sources)?;
    verdict.talk(console, &loaded.sources);
    if verdict.exit != Exit::Clean {
        return Ok(verdict.exit);
    }
    let texts: Vec<Text<'_>> = texts(&loaded, &filtered, mode);
    if arguments.in_place {
        in_place(&texts)?;
    } else if arguments.output.as_os_str() == "-" {
        console.data_from(|to| joined(&texts, to))?;
    } else {
        findings::write_from(&arguments.output, &mut |to| joined(&texts, to))?;
    }
    drop(texts);
    let_go((plan, filtered), global);
    let_go(loaded, global);
    Ok(Exit::Clean)
}

/// A text and what becomes of it.
struct Text<'l> {
    input: &'l Input,
    passes: Vec<&'l Filtered<'l>>,
    mode: Mode,
}

impl Text<'_> {
    /// Gives what the text becomes, part by part.
    fn each_part(&self, put: &mut dyn FnMut(&str) -> io::Result<()>) -> io::Result<()> {
        let Input { source, docs, .. } = self.input;
        each_stretch(&source.text, docs, &self.passes, self.mode, put)
    }
}

/// The texts in order, each with what the filter did to it.
fn texts<'l>(loaded: &'l Loaded, filtered: &'l join::Passes<'l>, mode: Mode) -> Vec<Text<'l>> {
    let inputs = loaded.inputs.iter().enumerate();
    let manifests = inputs.filter(|(_, input)| input.role == Role::Manifest);
    let mut filtered = filtered.iter().peekable();
    let text = |(at, input)| {
        let mut passes = Vec::new();
        while let Some((_, pass)) = filtered.next_if(|(of, _)| *of == at) {
            passes.push(pass);
        }
        Text {
            input,
            passes,
            mode,
        }
    };
    manifests.map(text).collect()
}

/// Writes all texts as one: a single one byte for byte, several with separators between them.
fn joined(texts: &[Text<'_>], to: &mut dyn Write) -> io::Result<()> {
    let (mut any, mut ended) = (false, true);
    for (at, text) in texts.iter().enumerate() {
        let mut opened = at == 0;
        text.each_part(&mut |part| {
            if !opened && any && !ended {
                to.write_all(b"\n")?;
            }
            if !opened && !part.starts_with("---") {
                to.write_all(b"---\n")?;
                (any, ended) = (true, true);
            }
            opened = true;
            to.write_all(part.as_bytes())?;
            if !part.is_empty() {
                (any, ended) = (true, part.ends_with('\n'));
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// Writes every file that changed in its place: none where one cannot be written.
fn in_place(texts: &[Text<'_>]) -> anyhow::Result<()> {
    let mut waiting = Vec::new();
    for text in texts {
        let input = text.input;
        let Some(path) = &input.file else {
            bail!("stdin cannot be rewritten in place, expected files");
        };
        let mut new = String::with_capacity(input.source.text.len());
        text.each_part(&mut |part| {
            new.push_str(part);
            Ok(())
        })?;
        if new == input.source.text {
            continue;
        }
        let prepared = file::prepare(path, new.as_bytes());
        waiting.extend(prepared.with_context(|| format!("cannot write `{}`", input.source.path))?);
    }
    waiting
        .into_iter()
        .try_for_each(Waiting::put)
        .context("cannot put a file in its place")
}
