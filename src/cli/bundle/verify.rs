//! `forebay bundle verify`: is it whole, and does it hold what the inputs ask for. Nothing is asked
//! over a network.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use serde_json::Map;

use super::images::{ImageArguments, Images, NOT_IN_BUNDLE, pulled};
use super::{NameKind, open};
use crate::cli::console::Console;
use crate::cli::inputs::PathArguments;
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
    paths: PathArguments,
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
    let images = arguments.images.read(&arguments.paths, global, console)?;
    let asked = images.is_some();
    let mut images = images.unwrap_or_default();
    let name = format!("{}/index.json", bundle.layout.shown.trim_end_matches('/'));
    let index = images.sources.add(name, bundle.layout.index_text.clone());
    let places = places(&bundle, &index);
    let mut said = std::mem::take(&mut images.findings);
    for (fault, mut owners) in bundle.verify()? {
        owners.sort_unstable();
        owners.dedup();
        said.push(finding(&bundle, &fault, &owners, &places));
    }
    if asked {
        compare(&bundle, &images, arguments.names, &places, &mut said);
    }
    let unseen = images.unseen.len();
    let stopped = unseen > 0 && !arguments.accept_unseen;
    let verdict = findings::judge(said, stopped, global.fail_on);
    verdict.file(global, &images.sources)?;
    console.data(join::report(
        arguments.format,
        &verdict.findings,
        &images.sources,
        &Map::new(),
        console.color_data,
    ))?;
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
    if unseen > 0 {
        let releases = if unseen == 1 {
            "release was"
        } else {
            "releases were"
        };
        let names: Vec<&str> = images.unseen.iter().map(String::as_str).collect();
        console.talk(format!(
            "note: {unseen} {releases} not looked into: {}\n",
            names.join(", ")
        ));
        if stopped {
            console.talk("help: `--accept-unseen` takes the proof without them\n");
        }
    }
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

/// Says which images are not there, and which entries nothing asks for.
fn compare(
    bundle: &Bundle,
    images: &Images,
    kind: Option<NameKind>,
    places: &[Span],
    said: &mut Vec<Finding>,
) {
    let names = match kind {
        None => Names::Any,
        Some(NameKind::Original) => Names::Original,
        Some(NameKind::Rewritten) => Names::Rewritten,
    };
    let mut wanted = BTreeSet::new();
    for image in &images.asked {
        let all = match kind {
            None => vec![image.rewritten.clone(), pulled(image)],
            Some(NameKind::Original) => vec![pulled(image)],
            Some(NameKind::Rewritten) => vec![image.rewritten.clone()],
        };
        let read: Result<Vec<Reference>, _> = all.iter().map(|it| Reference::parse(it)).collect();
        let why = match read {
            Ok(references) => {
                let found = in_bundle(bundle, &references, names).contains(&true);
                wanted.extend(references.into_iter().map(|it| it.name()));
                if found {
                    continue;
                }
                if image.image == image.rewritten {
                    format!("`{}` is not in the bundle", image.image)
                } else {
                    format!(
                        "`{}` is not in the bundle, neither as `{}` nor as `{}`",
                        image.image,
                        image.rewritten,
                        pulled(image)
                    )
                }
            }
            Err(why) => why.to_string(),
        };
        said.push(Finding::new(
            NOT_IN_BUNDLE,
            Level::Error,
            image.place.clone(),
            why,
        ));
    }
    for (entry, place) in bundle.layout.entries.iter().zip(places) {
        let both = entry.name().into_iter().chain(entry.rewritten());
        let references: Vec<Reference> = both
            .filter_map(|name| Reference::parse(name).ok())
            .collect();
        let known = references.iter().any(|it| wanted.contains(&it.name()))
            || references
                .iter()
                .any(|it| it.tag.as_deref().is_some_and(is_of_scheme));
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
}
