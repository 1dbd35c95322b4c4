//! Digests for a table: what has to be added to it so that every image seen comes out with its own.
//!
//! A digest goes into the entry that meets an image last, where all that the entry meets has that
//! digest. Else each text gets an entry of its own before it, its tag in the name, since what ends in a
//! digest is not met by a name with a tag again.
//!
//! Source: `spec/image-semantics.md` rules 1, 14, 27, 30 and 31.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::Spanned;
use crate::model::image::{replace, split};
use crate::model::overrides::{Override, OverrideTable};
use crate::model::pattern::Pattern;
use crate::source::Span;

/// What is added to a table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pins {
    /// A digest for the entry at each of these places.
    pub(crate) digests: BTreeMap<usize, String>,
    /// New entries before the entry at each of these places; behind the last one at their number.
    pub(crate) entries: BTreeMap<usize, Vec<Override>>,
}

/// A table with its pins, and where it does not do what it is for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pinned {
    /// What was added.
    pub(crate) pins: Pins,
    /// The table with it.
    pub(crate) table: OverrideTable,
    /// Images that no table pins as asked, with what this one makes of them.
    pub(crate) wrong: BTreeMap<String, String>,
}

/// Pins the images of `digests`, by their text as the table meets it; everything else that is `seen`
/// comes out as it did.
pub(crate) fn pin(
    table: &OverrideTable,
    digests: &BTreeMap<String, String>,
    seen: &BTreeSet<String>,
) -> Pinned {
    let compiled = compile(table);
    let all: BTreeSet<&str> = seen
        .iter()
        .chain(digests.keys())
        .map(String::as_str)
        .collect();
    let before: BTreeMap<&str, Run> = all
        .iter()
        .map(|text| (*text, run(&compiled, text)))
        .collect();
    // What has a digest in the end is pinned.
    let open: BTreeMap<&str, &str> = digests
        .iter()
        .filter(|(text, _)| split(&before[text.as_str()].after).digest.is_empty())
        .map(|(text, digest)| (text.as_str(), digest.as_str()))
        .collect();
    let mut groups: BTreeMap<Option<usize>, Vec<(&str, &str)>> = BTreeMap::new();
    for (text, digest) in &open {
        let last = before[text].hits.last().map(|(entry, _)| *entry);
        groups.entry(last).or_default().push((text, digest));
    }
    let mut pins = Pins::default();
    for (entry, images) in groups {
        match entry {
            Some(at) => of_entry(table, at, &images, &before, &mut pins),
            None => unmet(table.entries.len(), &images, &before, &mut pins),
        }
    }
    let old = compiled;
    let table = with(table, &pins);
    let new = compile(&table);
    let mut wrong = BTreeMap::new();
    for (text, was) in &before {
        // A build runs each entry twice over what stands at a usual place.
        for (was, got) in [
            (was.after.clone(), run(&new, text).after),
            (run_twice(&old, text), run_twice(&new, text)),
        ] {
            let wanted = match open.get(text) {
                Some(digest) => format!("{}@{digest}", split(&was).name),
                None => was,
            };
            if !same(&got, &wanted) {
                wrong.insert((*text).to_owned(), got);
            }
        }
    }
    Pinned { pins, table, wrong }
}

/// Whether two results are one image: a pinned one may keep its tag beside the digest.
fn same(got: &str, wanted: &str) -> bool {
    let (one, other) = (split(got), split(wanted));
    got == wanted
        || !other.digest.is_empty() && (one.name, one.digest) == (other.name, other.digest)
}

/// What an image becomes, and each entry that met it with the text that it met.
struct Run {
    after: String,
    hits: Vec<(usize, String)>,
}

type Compiled<'t> = Vec<(Option<Pattern>, &'t Override)>;

fn compile(table: &OverrideTable) -> Compiled<'_> {
    let compile = |entry| (Pattern::compile(Override::name(entry)).ok(), entry);
    table.entries.iter().map(compile).collect()
}

fn run(table: &Compiled<'_>, text: &str) -> Run {
    let mut run = Run {
        after: text.to_owned(),
        hits: Vec::new(),
    };
    for (at, (pattern, entry)) in table.iter().enumerate() {
        if pattern.as_ref().is_some_and(|it| it.is_match(&run.after)) {
            let met = std::mem::take(&mut run.after);
            run.after = replace(entry, &met);
            run.hits.push((at, met));
        }
    }
    run
}

fn run_twice(table: &Compiled<'_>, text: &str) -> String {
    let mut text = text.to_owned();
    for (pattern, entry) in table {
        for _ in 0..2 {
            if pattern.as_ref().is_some_and(|it| it.is_match(&text)) {
                text = replace(entry, &text);
            }
        }
    }
    text
}

/// Pins what an entry meets last.
fn of_entry(
    table: &OverrideTable,
    at: usize,
    images: &[(&str, &str)],
    before: &BTreeMap<&str, Run>,
    pins: &mut Pins,
) {
    let met = |run: &Run| run.hits.iter().any(|(entry, _)| *entry == at);
    let meets = before.values().filter(|run| met(run)).count();
    let digests: BTreeSet<&str> = images.iter().map(|(_, digest)| *digest).collect();
    if let (Some(digest), 1) = (digests.first(), digests.len())
        && meets == images.len()
    {
        pins.digests.insert(at, (*digest).to_owned());
        return;
    }
    let texts: BTreeMap<&str, &str> = images
        .iter()
        .filter_map(|(text, digest)| Some((before[text].hits.last()?.1.as_str(), *digest)))
        .collect();
    let new_name = table.entries[at].new_name();
    let all = all_texts(before);
    let new = texts
        .into_iter()
        .map(|(text, digest)| entry(&name_of(text, &all), new_name, digest));
    pins.entries.entry(at).or_default().extend(new);
}

/// Pins what no entry meets, by its name where that has one digest, else by name and tag.
fn unmet(end: usize, images: &[(&str, &str)], before: &BTreeMap<&str, Run>, pins: &mut Pins) {
    let mut names: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
    for (text, digest) in images {
        names
            .entry(split(text).name)
            .or_default()
            .push((text, digest));
    }
    let all = all_texts(before);
    let new = pins.entries.entry(end).or_default();
    for (name, images) in names {
        let seen = before
            .keys()
            .filter(|text| split(text).name == name)
            .count();
        let first = images[0].1;
        if seen == images.len() && images.iter().all(|(_, digest)| *digest == first) {
            new.push(entry(&name_of(name, &all), "", first));
        } else {
            let each = images.iter();
            new.extend(each.map(|(text, digest)| entry(&name_of(text, &all), "", digest)));
        }
    }
}

/// Every text that an entry could meet.
fn all_texts<'r>(before: &'r BTreeMap<&str, Run>) -> BTreeSet<&'r str> {
    let runs = before.iter();
    runs.flat_map(|(text, run)| {
        let met = run.hits.iter().map(|(_, text)| text.as_str());
        met.chain([*text, run.after.as_str()])
    })
    .collect()
}

/// A text as a name: plain where that takes no other text, else escaped.
fn name_of(text: &str, all: &BTreeSet<&str>) -> String {
    let escaped = Pattern::escape(text);
    let own = Pattern::compile(&escaped).expect("an escaped text is a pattern");
    let takes_itself_alone = |plain: &Pattern| {
        let others = |it: &&str| plain.is_match(it) && !own.is_match(it);
        plain.is_match(text) && !all.iter().any(others)
    };
    match Pattern::compile(text).ok().filter(takes_itself_alone) {
        Some(_) => text.to_owned(),
        None => escaped,
    }
}

fn entry(name: &str, new_name: &str, digest: &str) -> Override {
    let spanned = |value: &str| {
        Some(Spanned {
            value: value.to_owned(),
            span: Span::default(),
        })
    };
    Override {
        name: spanned(name),
        new_name: spanned(new_name).filter(|name| !name.value.is_empty()),
        digest: spanned(digest),
        ..Override::default()
    }
}

/// The table with pins in it, its entries numbered anew.
fn with(table: &OverrideTable, pins: &Pins) -> OverrideTable {
    let mut entries = Vec::new();
    for at in 0..=table.entries.len() {
        entries.extend(pins.entries.get(&at).into_iter().flatten().cloned());
        let Some(old) = table.entries.get(at) else {
            continue;
        };
        let mut old = old.clone();
        if let Some(digest) = pins.digests.get(&at) {
            old.digest = Some(Spanned {
                value: digest.clone(),
                span: old.span,
            });
        }
        entries.push(old);
    }
    for (index, entry) in entries.iter_mut().enumerate() {
        entry.index = index;
    }
    OverrideTable {
        entries,
        span: table.span,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(entries: &[(&str, &str, &str)]) -> OverrideTable {
        let of = |text: &str| {
            Some(Spanned {
                value: text.to_owned(),
                span: Span::default(),
            })
        };
        let entry = |(name, new_name, new_tag): &(&str, &str, &str)| Override {
            name: of(name),
            new_name: of(new_name),
            new_tag: of(new_tag),
            ..Override::default()
        };
        OverrideTable {
            entries: entries.iter().map(entry).collect(),
            span: Span::default(),
        }
    }

    /// The fields of the entries that come of pinning each image to its own digest.
    fn pinned(entries: &[(&str, &str, &str)], images: &[(&str, u8)]) -> Vec<String> {
        let digest = |number: &u8| format!("sha256:{}", format!("{number:02x}").repeat(32));
        let digests: BTreeMap<String, String> = images
            .iter()
            .filter(|(_, number)| *number > 0)
            .map(|(image, number)| ((*image).to_owned(), digest(number)))
            .collect();
        let seen = images
            .iter()
            .map(|(image, _)| (*image).to_owned())
            .collect();
        let made = pin(&table(entries), &digests, &seen);
        assert_eq!(made.wrong, BTreeMap::new());
        let fields = |it: &Override| {
            let digest = it.digest().get(7..9).unwrap_or_default();
            format!("{} {} {} {digest}", it.name(), it.new_name(), it.new_tag())
        };
        made.table.entries.iter().map(fields).collect()
    }

    #[test]
    fn a_digest_goes_into_the_entry_that_has_one_image() {
        let entries = [("r.io/a", "m.io/a", ""), ("r.io/b", "m.io/b", "2")];
        assert_eq!(
            pinned(
                &entries,
                &[("r.io/a:1", 1), ("r.io/b:1", 2), ("r.io/b:3", 2)]
            ),
            ["r.io/a m.io/a  01", "r.io/b m.io/b 2 02"]
        );
    }

    #[test]
    fn tags_that_differ_get_entries_of_their_own() {
        assert_eq!(
            pinned(
                &[("r.io/a", "m.io/a", "")],
                &[("r.io/a:1", 1), ("r.io/a:2", 2)]
            ),
            [
                "r.io/a:1 m.io/a  01",
                "r.io/a:2 m.io/a  02",
                "r.io/a m.io/a  "
            ]
        );
    }

    #[test]
    fn what_no_entry_meets_gets_one() {
        assert_eq!(
            pinned(
                &[],
                &[
                    ("redis:7", 1),
                    ("r.io/a:1", 2),
                    ("r.io/a:2", 3),
                    ("rXio/a:1", 0)
                ]
            ),
            [r"r\.io/a:1   02", "r.io/a:2   03", "redis   01"]
        );
        assert_eq!(
            pinned(&[], &[("redis:7", 1), ("redis:8", 0)]),
            ["redis:7   01"],
            "what is not pinned stays"
        );
    }

    #[test]
    fn what_ends_in_a_digest_is_pinned_already() {
        let image = format!("r.io/a@sha256:{}", "07".repeat(32));
        assert_eq!(pinned(&[], &[(&image, 1)]), [""; 0]);
    }

    #[test]
    fn a_name_without_a_tag_beside_one_with_a_tag_cannot_be_told_apart() {
        let digest = |number: u8| format!("sha256:{}", format!("{number:02x}").repeat(32));
        let digests: BTreeMap<String, String> = [("redis", 1), ("redis:7", 2)]
            .map(|(it, no)| (it.to_owned(), digest(no)))
            .into();
        let seen = digests.keys().cloned().collect();
        let made = pin(&OverrideTable::default(), &digests, &seen);
        assert_eq!(made.wrong.len(), 1);
    }
}
