//! Two sides compared, object by object.
//!
//! Objects are paired by group, kind, namespace and name, wherever they stand ([`objects`],
//! [`pair`]); their values are compared as the API server is sent them ([`compare`], [`lists`]).
//! Secrets are masked before anything else looks at a value ([`secrets`]), so every format prints
//! what is masked already. A format is a file: [`text`], [`unified`], [`markdown`],
//! [`json`], [`html`].

mod compare;
mod group;
mod hide;
mod html;
mod images;
mod json;
mod lines;
mod lists;
mod markdown;
mod objects;
mod pair;
mod patch;
mod route;
mod secrets;
mod show;
mod text;
mod title;
mod unified;

use serde_json::Value;

use crate::finding::{Finding, Level, ObjectId};
use crate::load::side::Side;
use crate::source::{SourceMap, Span};
use compare::{Change, changes};
use group::Group;
use images::Move;
use secrets::Masks;
pub(crate) use secrets::{conceals, redacted};

/// What is asked of a comparison.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    /// Labels and annotations to leave out; one that ends with `*` stands for all that begin so.
    pub(crate) hide: Vec<String>,
    /// Whether secrets are shown.
    pub(crate) show_secrets: bool,
}

/// What became of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fate {
    /// It is in both, and differs.
    Changed,
    /// It has another name or namespace, and else the same content.
    Renamed,
    /// It stands in another file, and is the same.
    Moved,
    /// It came.
    Added,
    /// It went.
    Removed,
}

impl Fate {
    /// All of them, in the order of outputs.
    const ALL: [Fate; 5] = [
        Fate::Changed,
        Fate::Renamed,
        Fate::Moved,
        Fate::Added,
        Fate::Removed,
    ];

    /// The word for it.
    fn word(self) -> &'static str {
        match self {
            Fate::Changed => "changed",
            Fate::Renamed => "renamed",
            Fate::Moved => "moved",
            Fate::Added => "added",
            Fate::Removed => "removed",
        }
    }
}

/// An object that differs.
#[derive(Debug)]
struct Entry {
    /// What it is: as NEW has it, or OLD where it is gone.
    id: ObjectId,
    /// What it was, where that is another name.
    was: Option<ObjectId>,
    fate: Fate,
    /// Its file on each side, where that changed.
    moved: Option<(String, String)>,
    /// The old object, secrets masked, without what is hidden.
    old: Option<Value>,
    /// The new one.
    new: Option<Value>,
    /// What differs, without what is told in a group.
    changes: Vec<Change>,
    /// How many changes are told in groups.
    folded: usize,
}

impl Entry {
    /// Whether its changes may be told together with those of others.
    fn folds(&self) -> bool {
        self.fate == Fate::Changed
    }

    /// Whether anything is left to tell of it alone.
    fn alone(&self) -> bool {
        self.fate != Fate::Moved
            && (self.folded == 0 || !self.changes.is_empty() || self.moved.is_some())
    }
}

/// How two sides differ.
#[derive(Debug)]
pub(crate) struct Diff {
    /// The objects that differ, in the order of their identities.
    entries: Vec<Entry>,
    /// The changes that many of them share.
    groups: Vec<Group>,
    /// The images that move.
    images: Vec<Move>,
    /// How many objects are the same.
    same: usize,
    /// How many differences are hidden, in how many objects.
    hidden: (usize, usize),
    /// How many documents found by walking are no objects.
    pub(crate) skipped: usize,
    /// Documents that stand where no reader looks.
    pub(crate) dropped: Vec<Span>,
}

impl Diff {
    /// Whether the sides are the same, but for what is hidden.
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How many objects share a fate.
    fn count(&self, fate: Fate) -> usize {
        self.entries
            .iter()
            .filter(|entry| entry.fate == fate)
            .count()
    }

    /// One line: how many objects share which fate.
    pub(crate) fn summary(&self) -> String {
        let parts: Vec<String> = Fate::ALL
            .into_iter()
            .filter_map(|fate| match self.count(fate) {
                0 => None,
                count => Some(format!("{count} {}", fate.word())),
            })
            .chain((self.same > 0).then(|| format!("{} the same", self.same)))
            .collect();
        let mut line = match (self.is_empty(), self.same) {
            (true, 0) => "no differences".to_owned(),
            (true, 1) => "no differences in 1 object".to_owned(),
            (true, same) => format!("no differences in {same} objects"),
            _ => parts.join(", "),
        };
        if let Some(hidden) = self.hidden() {
            line.push_str("; ");
            line.push_str(&hidden);
        }
        line
    }

    /// What is hidden, in words.
    fn hidden(&self) -> Option<String> {
        let (differences, objects) = self.hidden;
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        (differences > 0).then(|| {
            format!(
                "{differences} difference{} hidden in {objects} object{}",
                plural(differences),
                plural(objects)
            )
        })
    }
}

/// Compares two sides; `keep` says which objects count. The error is what is wrong with the sides:
/// texts that cannot be read, documents that are no objects, two objects of one identity.
pub(crate) fn diff(
    old: &Side,
    new: &Side,
    options: &Options,
    keep: &(dyn Fn(&ObjectId) -> bool + Sync),
) -> Result<Diff, Vec<Finding>> {
    let sides = objects::read(old, new, keep)?;
    let (pairs, mut same) = pair::pairs(&sides, old.tree && new.tree);
    let mut masks = Masks::default();
    let mut hidden = (0, 0);
    let mut entries = Vec::new();
    for pair in pairs {
        let value =
            |object: Option<&objects::Located>| object.map(|it| (*sides.texts.value(it)).clone());
        let (mut before, mut after) = (value(pair.old), value(pair.new));
        if let (Some(before), Some(after)) = (&mut before, &mut after) {
            let count = hide::hide(before, after, &options.hide);
            hidden.0 += count;
            hidden.1 += usize::from(count > 0);
        }
        if !options.show_secrets {
            before
                .iter_mut()
                .chain(&mut after)
                .for_each(|value| masks.mask(value));
        }
        let changes = match (&before, &after) {
            (Some(before), Some(after)) => changes(before, after),
            _ => Vec::new(),
        };
        let moved = match (pair.old, pair.new) {
            (Some(one), Some(other)) if old.tree && new.tree && one.file != other.file => {
                Some((one.file.to_string(), other.file.to_string()))
            }
            _ => None,
        };
        let fate = match (&before, &after) {
            (None, _) => Fate::Added,
            (_, None) => Fate::Removed,
            _ if pair.renamed => Fate::Renamed,
            _ if !changes.is_empty() => Fate::Changed,
            _ if moved.is_some() => Fate::Moved,
            _ => {
                same += 1;
                continue;
            }
        };
        let id = pair.new.or(pair.old).expect("a pair has a side").id.clone();
        let was = pair.old.filter(|_| pair.renamed).map(|it| it.id.clone());
        entries.push(Entry {
            id,
            was,
            fate,
            moved,
            old: before,
            new: after,
            changes,
            folded: 0,
        });
    }
    let images = images::moves(&entries);
    let groups = group::fold(&mut entries);
    Ok(Diff {
        entries,
        groups,
        images,
        same,
        hidden,
        skipped: sides.skipped,
        dropped: sides.dropped,
    })
}

/// A form of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// For people at a terminal.
    Text,
    /// A unified diff of the objects as YAML, keys sorted.
    Unified,
    /// For a comment on a pull request.
    Markdown,
    /// A JSON patch (RFC 6902) for each object.
    Json,
    /// One page that needs nothing else.
    Html,
}

/// How a diff is printed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Printing<'p> {
    /// Whether text may be coloured.
    pub(crate) colour: bool,
    /// How many characters a bounded format may have; `None` for all of it.
    pub(crate) most: Option<usize>,
    /// Where all of it is, for who sees a part.
    pub(crate) full: Option<&'p str>,
    /// What there is to say of NEW, for a page.
    pub(crate) findings: Vec<Remark>,
}

/// A finding beside a diff.
#[derive(Clone, Debug)]
pub(crate) struct Remark {
    /// How grave it is.
    pub(crate) level: Level,
    /// The rule.
    pub(crate) rule: &'static str,
    /// What it says.
    pub(crate) message: String,
    /// `file:line:column`.
    pub(crate) place: String,
    /// The object that it is about.
    pub(crate) object: Option<ObjectId>,
}

impl Remark {
    /// A finding with its place in words.
    pub(crate) fn of(finding: &Finding, sources: &SourceMap) -> Remark {
        let source = sources.get(finding.primary.span.source);
        let at = source.line_col(finding.primary.span.start);
        Remark {
            level: finding.level,
            rule: finding.rule,
            message: finding.message.clone(),
            place: format!("{}:{at}", source.path),
            object: finding.primary.object.clone(),
        }
    }
}

impl Diff {
    /// The diff in a format; nothing for formats of lines where nothing differs.
    pub(crate) fn print(&self, format: Format, printing: &Printing<'_>) -> String {
        let printed = match format {
            Format::Text => text::print(self, printing.colour),
            Format::Unified => unified::print(self),
            Format::Markdown => markdown::print(self, printing),
            Format::Json => json::print(self),
            Format::Html => html::print(self, printing),
        };
        // Everything is revealed where it is printed; what is not was forgotten, and stays masked.
        if secrets::is_masked(&printed) {
            secrets::bare(&printed)
        } else {
            printed
        }
    }
}

#[cfg(test)]
mod tests;
