//! The tables that are made of the images seen: which of them a table comes to at all, the table that
//! moves them, and what has to be edited by hand.
//!
//! Source: `spec/bundle.md`, "Relocation".

use std::collections::BTreeSet;

use anyhow::bail;

use super::super::console::Console;
use super::super::inputs::{read, request, tell_skipped};
use super::super::inventory::{Inventory, passes, take};
use super::super::packages::Options;
use super::super::{Exit, Global, findings, subjects};
use super::pin::pinned;
use super::{Arguments, Made};
use crate::finding::Level;
use crate::load::{FluxSource, Loaded, Request, Role};
use crate::model::overrides::Tables;
use crate::report::images::stands;
use crate::resolve::inventory::{Grade, Named, addresses};
use crate::resolve::plan::plan;
use crate::resolve::relocation::{Relocation, contradiction, moved_name, relocate};
use crate::source::{SourceId, Span};

/// The tables that moves and pins make of what was read; `None` where the inputs could not be
/// understood, or a registry gave no answer.
pub(super) fn tables(
    arguments: &Arguments,
    global: &Global,
    console: &Console,
) -> anyhow::Result<Option<Made>> {
    let moves = &arguments.relocate;
    if let Some((one, other)) = contradiction(moves) {
        bail!(
            "`--relocate {}` and `--relocate {}` move one place to two",
            one.typed,
            other.typed
        );
    }
    let paths = &arguments.paths.paths;
    let flux = match &arguments.flux {
        Some(text) => text.parse().unwrap_or_default(),
        None if paths.is_empty() => FluxSource::Embedded,
        None => FluxSource::None,
    };
    let request = Request {
        look_into_charts: true,
        charts: arguments.charts.clone(),
        rendered: arguments.rendered.clone(),
        ..request(paths, &arguments.tables, flux)?
    };
    let loaded = read(&request, global, console)?;
    let mut inventory = take(&loaded, &Options::default(), &arguments.charts);
    // What the table among the inputs does is not asked.
    inventory.findings.retain(|finding| {
        let about_a_table = finding.rule.starts_with("override-")
            || ["image-not-reached", "artifact-version-open"].contains(&finding.rule);
        finding.level == Level::Error || !about_a_table
    });
    let said = std::mem::take(&mut inventory.findings);
    let verdict = findings::judge(said, inventory.stopped, global.fail_on);
    verdict.file(global, &loaded.sources)?;
    verdict.talk(console, &loaded.sources);
    tell_skipped(&loaded, inventory.left_out, console);
    if inventory.stopped {
        return Ok(None);
    }
    let seen = Seen::of(&inventory, &loaded);
    let made = if moves.is_empty() {
        Made {
            tables: inventory.tables.clone(),
            both: None,
            exit: verdict.exit,
        }
    } else {
        let made = moved(arguments, &seen, verdict.exit)?;
        tell_by_hand(arguments, &inventory, &loaded, &made.tables, console);
        made
    };
    if arguments.pin {
        return pinned(arguments, &made, &seen, &loaded, global, console);
    }
    Ok(Some(made))
}

/// The tables that the moves make.
fn moved(arguments: &Arguments, seen: &Seen, exit: Exit) -> anyhow::Result<Made> {
    let moves = &arguments.relocate;
    let make = |images: &BTreeSet<String>| -> anyhow::Result<Relocation> {
        let escape = arguments.escape.unwrap_or_default();
        let made = relocate(moves, images, &seen.all, escape);
        match made.wrong.first_key_value() {
            Some((image, result)) => bail!(
                "no table moves `{image}` as asked, it would become `{result}`: the moves go round in \
                 a circle, expected two runs and two names"
            ),
            None => Ok(made),
        }
    };
    let both: BTreeSet<String> = seen.flux.union(&seen.platform).cloned().collect();
    let tables = Tables {
        flux: Some(make(&seen.flux)?.table),
        platform: Some(make(&seen.platform)?.table),
    };
    Ok(Made {
        tables,
        both: Some(make(&both)?.table),
        exit,
    })
}

/// The images that the inputs name, by the table that moves them.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// All of them.
    all: BTreeSet<String>,
    /// Those that something surely pulls.
    pub(super) sure: BTreeSet<String>,
    /// Those that Flux's table comes to.
    pub(super) flux: BTreeSet<String>,
    /// Those that the platform's table comes to.
    pub(super) platform: BTreeSet<String>,
}

impl Seen {
    fn of(inventory: &Inventory, loaded: &Loaded) -> Seen {
        let of_flux = of_flux(loaded);
        let mut seen = Seen::default();
        for named in &inventory.named {
            let text = met(named).to_owned();
            if can_be_moved(named) {
                let own = if of_flux.contains(&named.span.source) {
                    &mut seen.flux
                } else {
                    &mut seen.platform
                };
                own.insert(text.clone());
            }
            if named.grade == Grade::Certain {
                seen.sure.insert(text.clone());
            }
            seen.all.insert(text);
        }
        seen
    }
}

fn of_flux(loaded: &Loaded) -> BTreeSet<SourceId> {
    loaded.of(Role::Flux).map(|input| input.source.id).collect()
}

/// The text that a table meets: a release's own images come before the platform's.
fn met(named: &Named) -> &str {
    if named.grade == Grade::Table {
        &named.rewritten
    } else {
        &named.image
    }
}

/// Whether a table may come to an image: it stands in a pod spec, or in what a chart makes pod specs
/// of.
fn can_be_moved(named: &Named) -> bool {
    match named.grade {
        Grade::Certain => true,
        Grade::Artifact => false,
        Grade::Table => named.object.kind == "HelmRelease",
        Grade::Possible => matches!(named.object.kind.as_str(), "" | "HelmRelease"),
    }
}

/// Says which fields must be edited, since no table comes to them, and which moves move nothing.
fn tell_by_hand(
    arguments: &Arguments,
    inventory: &Inventory,
    loaded: &Loaded,
    tables: &Tables,
    console: &Console,
) {
    let moves = &arguments.relocate;
    let mut used = BTreeSet::new();
    let mut by_hand = Vec::new();
    let reached: BTreeSet<Span> = passes(loaded, tables)
        .iter()
        .flat_map(|(_, pass, _)| &pass.visits)
        .map(|visit| visit.span)
        .collect();
    let plan = plan(loaded);
    let objects = subjects::planned(loaded, &plan);
    let objects = objects.iter().filter_map(|it| Some((&*it.id, it.root()?)));
    let fields = addresses(objects);
    for named in inventory.named.iter().chain(&fields) {
        let Some((at, name)) = moved_name(moves, met(named)) else {
            continue;
        };
        used.insert(at);
        let is_field = fields.contains(named);
        let told_by_its_source = named.grade == Grade::Artifact
            && !is_field
            && matches!(
                named.object.kind.as_str(),
                "OCIRepository" | "HelmRelease" | "HelmChart"
            );
        let of_a_table = named.grade == Grade::Table && named.object.kind.is_empty();
        let done =
            can_be_moved(named) && (named.grade != Grade::Certain || reached.contains(&named.span));
        if !told_by_its_source && !of_a_table && !done {
            let path = loaded.sources.get(named.span.source).path.as_str();
            let place = stands(named, &loaded.sources);
            by_hand.push((path, named.span.start, met(named), place, name));
        }
    }
    by_hand.sort_unstable();
    by_hand.dedup();
    for (_, _, image, place, name) in by_hand {
        console.note(&format!(
            "no table moves `{image}`: edit {place} to name `{name}`"
        ));
    }
    for (at, one) in moves.iter().enumerate() {
        if !used.contains(&at) {
            console.note(&format!(
                "`--relocate {}` moves nothing: no image seen comes from there",
                one.typed
            ));
        }
    }
}
