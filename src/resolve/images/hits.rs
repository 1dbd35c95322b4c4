//! The entries that matched one image, in order.

use std::ops::Deref;
use std::slice;

/// An entry that matched an image, and what it made of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    /// The entry's place in the table.
    pub(crate) entry: usize,
    /// The text it left.
    pub(crate) after: Box<str>,
}

/// The hits of one image, read as a slice. Mostly it is one, which takes no memory of its own: an
/// estate has many images.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Hits {
    /// No entry matched.
    #[default]
    None,
    /// One did.
    One(Hit),
    /// So many did.
    Many(Vec<Hit>),
}

impl Hits {
    /// Puts one more behind the others.
    pub(super) fn push(&mut self, hit: Hit) {
        *self = match std::mem::take(self) {
            Hits::None => Hits::One(hit),
            Hits::One(first) => Hits::Many(vec![first, hit]),
            Hits::Many(mut all) => {
                all.push(hit);
                Hits::Many(all)
            }
        };
    }
}

impl Deref for Hits {
    type Target = [Hit];

    fn deref(&self) -> &[Hit] {
        match self {
            Hits::None => &[],
            Hits::One(hit) => slice::from_ref(hit),
            Hits::Many(all) => all,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_keep_their_order() {
        let mut hits = Hits::default();
        assert!(hits.is_empty());
        for entry in 0..4 {
            let after = "a".repeat(entry).into();
            hits.push(Hit { entry, after });
            let entries: Vec<usize> = hits.iter().map(|hit| hit.entry).collect();
            assert_eq!(entries, (0..=entry).collect::<Vec<_>>());
        }
    }
}
