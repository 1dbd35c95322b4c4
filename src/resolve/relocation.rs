//! The table that moves every image seen from one place to another, tag and digest untouched.
//!
//! Not here: which images are seen ([`super::inventory`]), and the forms of a table.
//!
//! Source: `spec/bundle.md`, "Relocation"; `spec/image-semantics.md` rules 1 to 8 and 30.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

use crate::model::Spanned;
use crate::model::image::{replace, split};
use crate::model::overrides::{Override, OverrideTable, new_name_fault};
use crate::model::pattern::Pattern;
use crate::model::reference::Reference;
use crate::source::Span;

/// A place that images are taken from, and the one that they are put to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Move {
    /// `FROM=TO` as typed.
    pub(crate) typed: String,
    host: String,
    path: String,
    to: String,
}

impl FromStr for Move {
    type Err = String;

    /// Reads `FROM=TO`, each a registry with a path if need be.
    fn from_str(typed: &str) -> Result<Move, String> {
        let (from, to) = typed
            .split_once('=')
            .ok_or("expected `FROM=TO`, as in `ghcr.io=registry.example.org/ghcr.io`")?;
        let (host, path) = place(from)?;
        place(to)?;
        let to = to.trim_end_matches('/').to_owned();
        if let Some(fault) = new_name_fault(&format!("{to}/image")) {
            return Err(format!("`{to}` is no place for images; {}", fault.help));
        }
        Ok(Move {
            typed: typed.to_owned(),
            host,
            path,
            to,
        })
    }
}

/// The registry and the path of a place. Without a registry a name could be one on Docker Hub or one
/// whose domain was forgotten, so it is refused.
fn place(text: &str) -> Result<(String, String), String> {
    let text = text.trim_end_matches('/');
    let fault = || format!("`{text}` is no place, expected `HOST` or `HOST/PATH`");
    // Two more parts keep Docker Hub's `library/` out.
    let reference = Reference::parse(&format!("{text}/a/b")).map_err(|_| fault())?;
    let first = text.split('/').next().unwrap_or_default();
    let on_the_hub = ["index.docker.io", "registry-1.docker.io"].contains(&first);
    if first != reference.host && !on_the_hub {
        return Err(fault());
    }
    let path = reference.repository.strip_suffix("a/b").ok_or_else(fault)?;
    Ok((reference.host, path.trim_end_matches('/').to_owned()))
}

impl Move {
    /// The part of a repository that stands behind the place it is taken from.
    fn rest<'r>(&self, reference: &'r Reference) -> Option<&'r str> {
        if reference.host != self.host {
            return None;
        }
        if self.path.is_empty() {
            return Some(&reference.repository);
        }
        let rest = reference.repository.strip_prefix(self.path.as_str())?;
        if rest.is_empty() {
            return Some(rest);
        }
        rest.strip_prefix('/')
    }
}

/// The name that the longest matching move gives an image or an address, and that move's number;
/// `None` where the text is no reference or nothing moves it.
pub(crate) fn moved_name(moves: &[Move], image: &str) -> Option<(usize, String)> {
    let reference = Reference::parse(image).ok()?;
    let fits = moves
        .iter()
        .enumerate()
        .filter_map(|(at, one)| Some((at, one, one.rest(&reference)?)));
    let (at, one, rest) = fits.max_by_key(|(_, one, _)| one.path.len())?;
    Some((
        at,
        match rest {
            "" => one.to.clone(),
            rest => format!("{}/{rest}", one.to),
        },
    ))
}

/// Two moves that take the same place to different ones.
pub(crate) fn contradiction(moves: &[Move]) -> Option<(&Move, &Move)> {
    let mut pairs = moves
        .iter()
        .enumerate()
        .flat_map(|(at, one)| moves[..at].iter().map(move |earlier| (earlier, one)));
    pairs.find(|(a, b)| (&a.host, &a.path) == (&b.host, &b.path) && a.to != b.to)
}

/// When the names of entries are escaped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Escape {
    /// Every name.
    Always,
    /// Names that would take another image seen as well.
    #[default]
    Needed,
}

/// A table, and where it does not do what it is for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Relocation {
    /// The entries.
    pub(crate) table: OverrideTable,
    /// Images that one table cannot take to where they belong, with what it makes of them: the moves
    /// go round in a circle.
    pub(crate) wrong: BTreeMap<String, String>,
}

/// An entry in the making.
struct Draft {
    pattern: Pattern,
    entry: Override,
    results: BTreeSet<String>,
}

/// The entries that move `images`, proved on all that is `seen`: each image comes out as the moves
/// say, everything else as it was.
pub(crate) fn relocate(
    moves: &[Move],
    images: &BTreeSet<String>,
    seen: &BTreeSet<String>,
    escape: Escape,
) -> Relocation {
    let mut wanted: BTreeMap<&str, String> = BTreeMap::new();
    for image in images {
        if let Some((_, name)) = moved_name(moves, image) {
            wanted.insert(own_text(image), name);
        }
    }
    wanted.retain(|text, name| split(text).name != name);
    let everything: BTreeSet<&str> = images.iter().chain(seen).map(String::as_str).collect();
    // What each image becomes, with the entry that does it.
    let expected: BTreeMap<&str, Option<(&str, String)>> = everything
        .iter()
        .map(|image| {
            let text = own_text(image);
            let result = wanted.get(text).map(|name| (text, renamed(image, name)));
            (*image, result)
        })
        .collect();
    let mut results: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (text, result) in expected.values().flatten() {
        results.entry(text).or_default().insert(result.clone());
    }
    // What the escaped name takes as well is a matter of the order.
    let takes_others = |pattern: &Pattern, own: &Pattern| {
        let results = expected
            .values()
            .flatten()
            .map(|(_, result)| result.as_str());
        let mut texts = everything.iter().copied().chain(results);
        texts.any(|text| pattern.is_match(text) && !own.is_match(text))
    };
    let drafts: Vec<Draft> = wanted
        .iter()
        .map(|(text, new_name)| {
            let escaped = Pattern::escape(text);
            let own = Pattern::compile(&escaped).expect("an escaped text is a pattern");
            let plain = Pattern::compile(text).ok().filter(|pattern| {
                escape == Escape::Needed && pattern.is_match(text) && !takes_others(pattern, &own)
            });
            let (name, pattern) =
                plain.map_or_else(|| (escaped, own), |pattern| ((*text).to_owned(), pattern));
            let spanned = |value| {
                Some(Spanned {
                    value,
                    span: Span::default(),
                })
            };
            Draft {
                pattern,
                entry: Override {
                    name: spanned(name),
                    new_name: spanned(new_name.clone()),
                    ..Override::default()
                },
                results: results.remove(text).unwrap_or_default(),
            }
        })
        .collect();
    let order = in_order(&drafts);
    let wrong = expected
        .iter()
        .filter_map(|(image, result)| {
            let got = applied(order.iter().map(|at| &drafts[*at]), image);
            let right = result
                .as_ref()
                .map_or(*image, |(_, result)| result.as_str());
            (got != right).then(|| ((*image).to_owned(), got))
        })
        .collect();
    let entries = order.iter().enumerate().map(|(index, at)| Override {
        index,
        ..drafts[*at].entry.clone()
    });
    Relocation {
        table: OverrideTable {
            entries: entries.collect(),
            span: Span::default(),
        },
        wrong,
    }
}

/// The text that the entry for an image has to take: its name; the whole where tag or digest are of a
/// form that no name alone takes, as sha512 is.
fn own_text(image: &str) -> &str {
    let name = split(image).name;
    let pattern = Pattern::compile(&Pattern::escape(name));
    if pattern.is_ok_and(|pattern| pattern.is_match(image)) {
        name
    } else {
        image
    }
}

/// An image under another name.
fn renamed(image: &str, name: &str) -> String {
    format!("{name}{}", &image[split(image).name.len()..])
}

/// The drafts in byte order of their texts, but each that would take another's result before that
/// one, since an entry sees what those before it have made.
fn in_order(drafts: &[Draft]) -> Vec<usize> {
    let takes_result_of = |taker: usize, maker: usize| {
        let results = &drafts[maker].results;
        taker != maker && results.iter().any(|it| drafts[taker].pattern.is_match(it))
    };
    let all = 0..drafts.len();
    let mut before: Vec<BTreeSet<usize>> = all
        .clone()
        .map(|maker| {
            all.clone()
                .filter(|it| takes_result_of(*it, maker))
                .collect()
        })
        .collect();
    let mut left: BTreeSet<usize> = all.collect();
    let mut order = Vec::with_capacity(left.len());
    // In a circle every order is wrong for some image; the proof names it.
    while let Some(next) = left
        .iter()
        .find(|at| before[**at].is_empty())
        .or(left.first())
        .copied()
    {
        left.remove(&next);
        order.push(next);
        for waits in &mut before {
            waits.remove(&next);
        }
    }
    order
}

/// What the entries make of an image, one after the other.
fn applied<'d>(drafts: impl Iterator<Item = &'d Draft>, image: &str) -> String {
    drafts.fold(image.to_owned(), |image, draft| {
        if draft.pattern.is_match(&image) {
            replace(&draft.entry, &image)
        } else {
            image
        }
    })
}
