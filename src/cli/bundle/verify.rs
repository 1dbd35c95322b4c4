//! `forebay bundle verify`: is it whole, and does it hold what the inputs ask for. Nothing is asked
//! over a network.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::images::ImageArguments;
use super::open;
use crate::cli::console::Console;
use crate::cli::proof::{NameKind, tell_unseen, without_unseen};
use crate::cli::{Exit, Global, findings, join};
use crate::finding::{Finding, Label, Level};
use crate::model::reference::Reference;
use crate::registry::contents::{Bundle, Fault};
use crate::registry::presence::{Names, in_bundle};
use crate::registry::push::shown;
use crate::registry::signatures::is_of_scheme;
use crate::source::{Source, Span};

/// What `verify` takes.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// A directory or a tar
    #[arg(value_name = "BUNDLE")]
    bundle: PathBuf,
    #[command(flatten)]
    images: ImageArguments,
    /// The earlier bundle that it builds on
    #[arg(long, value_name = "OLD")]
    base: Option<PathBuf>,
    /// The names that images must be there under [default: either]
    #[arg(long, value_enum)]
    names: Option<NameKind>,
    /// Accept that the charts of releases were not looked into
    #[arg(long)]
    accept_unseen: bool,
    /// The format of the findings
    #[arg(long, value_enum, default_value_t = join::Format::Text)]
    format: join::Format,
}

/// Verifies what the arguments name.
pub(super) fn run(
    arguments: &Arguments,
    global: &Global,
    console: &Console,
) -> anyhow::Result<Exit> {
    let bundle = open(&arguments.bundle, arguments.base.as_ref())?;
    let images = arguments.images.read(global, console)?;
    let asked = images.is_some();
    let mut images = images.unwrap_or_default();
    let name = format!("{}/index.json", bundle.layout.shown.trim_end_matches('/'));
    let text = bundle.layout.index_text.clone();
    let index = images.loaded.sources.add(name, text);
    let places = places(&bundle, &index);
    let mut said = images.findings;
    for (fault, mut owners) in bundle.verify()? {
        owners.sort_unstable();
        owners.dedup();
        said.push(finding(&bundle, &fault, &owners, &places));
    }
    if asked && !images.stopped {
        let names = arguments.names.map_or(Names::Any, Names::from);
        let proof = in_bundle(&bundle, &images.wanted, names);
        said.extend(proof.findings);
        said.extend(unasked(&bundle, &proof.wanted, &places));
    }
    if arguments.accept_unseen {
        said = without_unseen(said);
    }
    let unproved = !images.unseen.is_empty() && !arguments.accept_unseen;
    let stopped = images.stopped || unproved;
    let verdict = findings::decide(said, stopped, global, &images.loaded, false)?;
    verdict.file(global, &images.loaded.sources)?;
    console.data(verdict.report(arguments.format, &images.loaded.sources, console.color_data))?;
    let entries = bundle.layout.entries.len();
    if verdict.exit == Exit::Clean {
        let whole = if entries == 1 {
            "entry is"
        } else {
            "entries are"
        };
        let digest = bundle.layout.digest();
        console.note(&format!("{entries} {whole} whole, bundle {digest}"));
    }
    tell_unseen(&images.unseen, unproved, console);
    Ok(verdict.exit)
}

/// Where each entry stands in `index.json`: its digest, found in the order of the entries.
fn places(bundle: &Bundle, index: &Arc<Source>) -> Vec<Span> {
    let mut from = 0;
    let mut found = Vec::new();
    for entry in &bundle.layout.entries {
        let digest = entry.descriptor.digest.as_str();
        let at = index.text[from..].find(digest).map_or(0, |at| from + at);
        let end = if at == 0 { 0 } else { at + digest.len() };
        from = end.max(from);
        found.push(Span {
            source: index.id,
            start: crate::yaml::split::offset(at),
            end: crate::yaml::split::offset(end),
        });
    }
    found
}

fn finding(bundle: &Bundle, fault: &Fault, owners: &[usize], places: &[Span]) -> Finding {
    let entry = |at: &usize| &bundle.layout.entries[*at];
    let names: Vec<String> = owners
        .iter()
        .map(|at| format!("`{}`", entry(at).shown()))
        .collect();
    let sparse = owners.iter().all(|at| entry(at).sparse());
    let (rule, level, help) = match fault {
        Fault::Hole { .. } if sparse => ("bundle-partial-index", Level::Note, None),
        Fault::Hole { .. } => (
            "bundle-partial-index",
            Level::Error,
            Some("copy all platforms; a registry may refuse the index, and what is pinned to it"),
        ),
        _ => (
            "bundle-damaged",
            Level::Error,
            Some("run `forebay bundle create` again"),
        ),
    };
    let blob = match fault {
        Fault::Hole { .. } => "",
        _ => "blob ",
    };
    let message = format!("{blob}{} (of {})", shown(fault), names.join(", "));
    let place = owners.first().map_or_else(Span::default, |at| places[*at]);
    let finding = Finding::new(rule, level, Label::new(place), message);
    match help {
        Some(help) => finding.help(help),
        None => finding,
    }
}

/// Says which entries nothing asks for, by the repositories that something does ask for.
fn unasked(bundle: &Bundle, wanted: &BTreeSet<String>, places: &[Span]) -> Vec<Finding> {
    let mut said = Vec::new();
    for (entry, place) in bundle.layout.entries.iter().zip(places) {
        let both = entry.name().into_iter().chain(entry.rewritten());
        let references: Vec<Reference> = both
            .filter_map(|name| Reference::parse(name).ok())
            .collect();
        let is_of_scheme = |it: &Reference| it.tag.as_deref().is_some_and(is_of_scheme);
        let known = references.iter().any(|it| wanted.contains(&it.name()))
            || references.iter().any(is_of_scheme);
        if !known {
            let message = format!("nothing asks for `{}`", entry.shown());
            let label = Label::new(*place);
            said.push(Finding::new(
                "bundle-entry-unused",
                Level::Note,
                label,
                message,
            ));
        }
    }
    said
}
