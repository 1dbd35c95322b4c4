//! `overrides --pin`: digests from registries into the tables, printed or put into their files.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, bail};

use super::super::Global;
use super::super::bundle::{client, progress};
use super::super::console::{self, Console};
use super::super::proof::NameKind;
use super::relocate::Seen;
use super::{Arguments, Made};
use crate::emit::file::{self, Waiting};
use crate::finding::Label;
use crate::load::{Input, Loaded};
use crate::model::overrides::{OverrideTable, Tables};
use crate::model::reference::Reference;
use crate::registry::resolve::digests;
use crate::resolve::inventory::Applied;
use crate::resolve::inventory::asked::Asked;
use crate::resolve::pinning::{Pinned, pin};
use crate::rewrite::pins;
use crate::source::{Edit, SourceId, Span};
use crate::yaml::edit::apply;

/// A table, and the images that it is for with what a registry is asked for each.
struct Job {
    table: OverrideTable,
    images: BTreeSet<String>,
    asked: BTreeMap<String, Reference>,
}

/// The tables with a digest for every image seen that has none in the end; `None` where a registry
/// does not say it of one.
pub(super) fn pinned(
    arguments: &Arguments,
    made: &Made,
    seen: &Seen,
    loaded: &Loaded,
    global: &Global,
    console: &Console,
) -> anyhow::Result<Option<Made>> {
    let names = arguments.names.unwrap_or(NameKind::Original);
    let both = || seen.flux.union(&seen.platform).cloned().collect();
    let Tables { flux, platform } = &made.tables;
    let one = flux.is_none() && platform.is_none()
        || flux
            .as_ref()
            .zip(platform.as_ref())
            .is_some_and(|(flux, platform)| {
                flux.span == platform.span && flux.span != Span::default()
            });
    let mut jobs = Vec::new();
    if let Some(table) = made.both.as_ref().or(flux.as_ref().filter(|_| one)) {
        jobs.push(Job::of(table, both(), names, (&seen.sure, console)));
    } else if one {
        jobs.push(Job::of(
            &OverrideTable::default(),
            both(),
            names,
            (&seen.sure, console),
        ));
    }
    if !one {
        for (table, images) in [(flux, &seen.flux), (platform, &seen.platform)] {
            let table = table.clone().unwrap_or_default();
            jobs.push(Job::of(
                &table,
                images.clone(),
                names,
                (&seen.sure, console),
            ));
        }
    }
    let Some(done) = asked(&jobs, &seen.sure, global, console)? else {
        return Ok(None);
    };
    if arguments.in_place {
        in_place(&jobs, &done, loaded, console)?;
    }
    let mut tables = done.into_iter().map(|done| done.table);
    let mut next = || tables.next().expect("a table for each job");
    let both = (made.both.is_some() || one).then(&mut next);
    let tables = match &both {
        Some(both) if one => Tables {
            flux: Some(both.clone()),
            platform: Some(both.clone()),
        },
        _ => {
            let mut of = |old: Option<&OverrideTable>| {
                Some(next()).filter(|new| old.is_some() || !new.entries.is_empty())
            };
            let flux = of(made.tables.flux.as_ref());
            let platform = of(made.tables.platform.as_ref());
            Tables { flux, platform }
        }
    };
    Ok(Some(Made {
        tables,
        both,
        exit: made.exit,
    }))
}

impl Job {
    fn of(
        table: &OverrideTable,
        images: BTreeSet<String>,
        names: NameKind,
        (sure, console): (&BTreeSet<String>, &Console),
    ) -> Job {
        let applied = Applied::of(Some(table));
        let mut asked = BTreeMap::new();
        for image in &images {
            let one = Asked {
                image: image.clone(),
                rewritten: applied.to(image).0,
                place: Label::new(Span::default()),
            };
            let reference = names.reference(&one);
            // What a chart leaves open it fills in itself: with its own version, say.
            let is_open = |it: &Reference| it.tag.is_none() && it.digest.is_none();
            if !sure.contains(image) && reference.as_ref().is_some_and(is_open) {
                continue;
            }
            match reference {
                Some(reference) => drop(asked.insert(image.clone(), reference)),
                None => console.note(&format!(
                    "`{image}` is no image reference and cannot be pinned"
                )),
            }
        }
        Job {
            table: table.clone(),
            images,
            asked,
        }
    }
}

/// Asks registries, and pins each table; `None` where one gives no answer to what is surely pulled.
/// What is only shaped like an image, and is none, stays as it is.
fn asked(
    jobs: &[Job],
    sure: &BTreeSet<String>,
    global: &Global,
    console: &Console,
) -> anyhow::Result<Option<Vec<Pinned>>> {
    let watch = progress::watch(console);
    let client = client(global, watch.clone())?;
    let references: BTreeSet<&Reference> = jobs.iter().flat_map(|job| job.asked.values()).collect();
    let found = digests(&client, references.into_iter().cloned());
    // The bar goes before anything is printed for good.
    drop((client, watch));
    let asks = |job: &Job, reference: &Reference| {
        let mut asked = job.asked.iter();
        asked.any(|(image, asked)| asked == reference && sure.contains(image))
    };
    let mut known = BTreeMap::new();
    let mut open = false;
    for (reference, digest) in found {
        match digest {
            Ok(digest) => drop(known.insert(reference, digest.to_string())),
            Err(error) if !jobs.iter().any(|job| asks(job, &reference)) => {
                console.note(&format!("`{reference}` is not pinned: {error}"));
            }
            Err(error) => {
                open = true;
                let error = anyhow::Error::new(error);
                console::error(&error.context(format!("cannot resolve `{reference}`")));
            }
        }
    }
    if open {
        return Ok(None);
    }
    let pinned = jobs.iter().map(|job| {
        let digests = job.asked.iter().filter_map(|(image, asked)| {
            let digest: &String = known.get(asked)?;
            Some((image.clone(), digest.clone()))
        });
        let pinned = pin(&job.table, &digests.collect(), &job.images);
        match pinned.wrong.first_key_value() {
            Some((image, result)) => bail!(
                "no table pins `{image}` as asked, it would become `{result}`: another image of the \
                 name is pinned as well, expected a tag on each"
            ),
            None => Ok(pinned),
        }
    });
    pinned.collect::<anyhow::Result<Vec<Pinned>>>().map(Some)
}

/// Puts the pins into the files that the tables stand in.
fn in_place(
    jobs: &[Job],
    done: &[Pinned],
    loaded: &Loaded,
    console: &Console,
) -> anyhow::Result<()> {
    let mut edits: BTreeMap<SourceId, Vec<Edit>> = BTreeMap::new();
    let (mut digests, mut entries) = (0, 0);
    for (job, pinned) in jobs.iter().zip(done) {
        let new = pinned.pins.entries.values().map(Vec::len).sum::<usize>();
        if new == 0 && pinned.pins.digests.is_empty() {
            continue;
        }
        let span = job.table.span;
        let input = loaded.inputs.iter().find(|it| it.source.id == span.source);
        let Some(input) = input.filter(|_| span != Span::default()) else {
            bail!(
                "no override table among the inputs takes the digests, expected one with `--images`"
            );
        };
        let of_table = pins::edits(input.docs.iter(), &job.table, &pinned.pins);
        let of_table = of_table.with_context(|| {
            format!(
                "the table in `{}` cannot be edited where it stands, print the new one without `-i`",
                input.source.path
            )
        })?;
        edits.entry(span.source).or_default().extend(of_table);
        digests += pinned.pins.digests.len();
        entries += new;
    }
    let mut texts: Vec<(&Input, Cow<'_, str>)> = Vec::new();
    for input in &loaded.inputs {
        let Some(mut edits) = edits.remove(&input.source.id) else {
            continue;
        };
        edits.sort();
        let text = apply(&input.source.text, 0, &edits).expect("two tables do not overlap");
        texts.push((input, text));
    }
    let mut waiting = Vec::new();
    for (input, text) in &texts {
        let Some(path) = &input.file else {
            bail!("stdin cannot be rewritten in place, expected a file");
        };
        let prepared = file::prepare(path, text.as_bytes());
        waiting.extend(prepared.with_context(|| format!("cannot write `{}`", input.source.path))?);
    }
    waiting
        .into_iter()
        .try_for_each(Waiting::put)
        .context("cannot put a file in its place")?;
    let names: Vec<String> = texts
        .iter()
        .map(|(it, _)| format!("`{}`", it.source.path))
        .collect();
    let files = if names.is_empty() {
        "nothing to pin".to_owned()
    } else {
        format!(
            "{digests} digests and {entries} entries put into {}",
            names.join(", ")
        )
    };
    console.note(&files);
    Ok(())
}
