//! What a bundle or a registry has to hold: each image that the inputs ask for, under both of its
//! names.
//!
//! Source: `spec/bundle.md`, "The bundle": certain, artifact and table; possible ones where asked for.

use std::collections::BTreeMap;

use super::accepted::Accepted;
use super::{Grade, Named, OpenVersion};
use crate::finding::Label;

/// One image that something asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Asked {
    /// As written.
    pub(crate) image: String,
    /// As the tables make it.
    pub(crate) rewritten: String,
    /// Where it was written first.
    pub(crate) place: Label,
}

impl Asked {
    /// What one place asks for.
    pub(crate) fn of(named: &Named) -> Asked {
        Asked {
            image: named.image.clone(),
            rewritten: named.rewritten.clone(),
            place: named.label(),
        }
    }

    /// The original name with the tag and digest of the rewritten reference: what is pulled where
    /// there is a network.
    #[cfg(any(test, feature = "registry"))]
    pub(crate) fn pulled(&self) -> String {
        use crate::model::image::split;

        let (name, new) = (split(&self.image).name, split(&self.rewritten));
        let mut text = name.to_owned();
        for (sign, part) in [(':', new.tag), ('@', new.digest)] {
            if !part.is_empty() {
                text.push(sign);
                text.push_str(part);
            }
        }
        text
    }
}

/// All that is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// The images, each pair of texts once, in byte order.
    pub(crate) asked: Vec<Asked>,
    /// Artifacts that are asked for by a range of versions: one that fits has to be there.
    pub(crate) open: Vec<OpenVersion>,
}

/// The images that are asked for, each pair of texts once, in byte order. Possible ones count where
/// they are wanted, but for those whose place is accepted.
pub(crate) fn asked(named: &[Named], possible: Option<&Accepted>) -> Vec<Asked> {
    let counts = |named: &&Named| counts(named, possible);
    once(named.iter().filter(counts).map(Asked::of))
}

/// Whether an image is asked for: a possible one only where it is wanted and its place not accepted.
pub(crate) fn counts(named: &Named, possible: Option<&Accepted>) -> bool {
    let wanted = || possible.is_some_and(|accepted| !accepted.covers(named));
    !named.image.is_empty() && (named.grade != Grade::Possible || wanted())
}

/// Each pair of texts once, in byte order, with its first place.
pub(crate) fn once(all: impl Iterator<Item = Asked>) -> Vec<Asked> {
    let mut found: BTreeMap<(String, String), Label> = BTreeMap::new();
    for asked in all {
        let place = found
            .entry((asked.image, asked.rewritten))
            .or_insert_with(|| asked.place.clone());
        if asked.place.span < place.span {
            *place = asked.place;
        }
    }
    let asked = |((image, rewritten), place)| Asked {
        image,
        rewritten,
        place,
    };
    found.into_iter().map(asked).collect()
}

/// The references of a list, as a table makes them: one a line, blank lines and what stands behind a
/// `#` left out.
#[cfg(feature = "registry")]
pub(crate) fn listed(list: &crate::source::Source, table: &super::Applied<'_>) -> Vec<Asked> {
    use crate::source::Span;
    use crate::yaml::split::offset;

    let mut found = Vec::new();
    let mut start = 0;
    for line in list.text.split_inclusive('\n') {
        let bare = line.split('#').next().unwrap_or_default().trim();
        if !bare.is_empty() {
            let at = start + line.find(bare).unwrap_or_default();
            let span = Span {
                source: list.id,
                start: offset(at),
                end: offset(at + bare.len()),
            };
            found.push(Asked {
                image: bare.to_owned(),
                rewritten: table.to(bare).0,
                place: Label::new(span),
            });
        }
        start += line.len();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;

    #[test]
    fn pulled_is_the_original_name_with_the_new_tag_and_digest() {
        let pulled = |image: &str, rewritten: &str| {
            let asked = Asked {
                image: image.to_owned(),
                rewritten: rewritten.to_owned(),
                place: Label::new(Span::default()),
            };
            asked.pulled()
        };
        assert_eq!(pulled("ghcr.io/a/b:1", "m.example/a/b:2"), "ghcr.io/a/b:2");
        assert_eq!(pulled("ghcr.io/a/b:1@sha256:aa", "m/b:1"), "ghcr.io/a/b:1");
        assert_eq!(pulled("redis", "m.example:5000/redis"), "redis");
    }
}
