//! An expression as it was read.

/// A node of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ast {
    /// Nothing.
    Empty,
    /// One character, with `fold` in every case.
    Literal {
        /// The character.
        found: char,
        /// Whether case does not count.
        fold: bool,
    },
    /// A code point that no text holds: a surrogate written as an escape.
    Never,
    /// `.`
    AnyButNewline,
    /// `.` under `(?s)`.
    Any,
    /// A class.
    Class(Class),
    /// The start of the text.
    BeginText,
    /// The end of the text.
    EndText,
    /// The start of a line, under `(?m)`.
    BeginLine,
    /// The end of a line, under `(?m)`.
    EndLine,
    /// `\b`
    WordBoundary,
    /// `\B`
    NoWordBoundary,
    /// A group that captures.
    Capture(Box<Ast>),
    /// A repetition; `max` is absent where there is no bound.
    Repeat {
        /// What is repeated.
        part: Box<Ast>,
        /// At least so often.
        min: u32,
        /// At most so often.
        max: Option<u32>,
        /// Whether it was written with braces.
        counted: bool,
    },
    /// One behind the other; two or more.
    Concat(Vec<Ast>),
    /// One of these; two or more.
    Alternate(Vec<Ast>),
}

/// A class of characters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Class {
    /// Whether it takes what the items do not.
    pub(super) negated: bool,
    /// Whether case does not count.
    pub(super) fold: bool,
    /// What it is made of.
    pub(super) items: Vec<Item>,
}

/// A part of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// From one code point to another, both included; surrogates match nothing.
    Range(u32, u32),
    /// Ranges of ASCII, or all but them.
    Ascii {
        /// All but the ranges.
        negated: bool,
        /// The ranges.
        ranges: &'static [(u8, u8)],
    },
    /// A Unicode category or script, in the form that the `regex` crate reads, or all but it.
    Unicode {
        /// All but the set.
        negated: bool,
        /// `gc=L`, `sc=Greek`, `Any`.
        name: String,
    },
}

/// Go's limits on the whole (`regexp/syntax/parse.go`: `maxHeight`, `maxSize`).
pub(super) const MAX_HEIGHT: usize = 1000;
const MAX_SIZE: u64 = (128 << 20) / (5 * 8);

impl Ast {
    fn parts(&self) -> &[Ast] {
        match self {
            Ast::Capture(part) | Ast::Repeat { part, .. } => std::slice::from_ref(part),
            Ast::Concat(parts) | Ast::Alternate(parts) => parts,
            _ => &[],
        }
    }

    /// How deep it nests, as Go counts: adjacent literals are one node.
    pub(super) fn height(&self) -> usize {
        if let Ast::Concat(parts) = self
            && parts.iter().all(|part| matches!(part, Ast::Literal { .. }))
        {
            return 1;
        }
        1 + self.parts().iter().map(Ast::height).max().unwrap_or(0)
    }

    /// Whether it is larger than Go compiles.
    pub(super) fn is_too_large(&self) -> bool {
        self.size() > MAX_SIZE
    }

    fn size(&self) -> u64 {
        let parts: u64 = self.parts().iter().map(Ast::size).fold(0, u64::saturating_add);
        let size = match self {
            Ast::Capture(_) => parts.saturating_add(2),
            Ast::Repeat { counted: false, .. } => parts.saturating_add(1),
            Ast::Repeat { min, max: None, .. } => match min {
                0 => parts.saturating_add(1),
                _ => u64::from(*min).saturating_mul(parts).saturating_add(1),
            },
            Ast::Repeat { min, max: Some(max), .. } => u64::from(*max)
                .saturating_mul(parts)
                .saturating_add(u64::from(max.saturating_sub(*min))),
            Ast::Alternate(found) => parts.saturating_add(found.len() as u64 - 1),
            _ => parts,
        };
        size.max(1)
    }

    /// Whether nested counts multiply to no more than `most` (Go's `repeatIsValid`).
    pub(super) fn repeats_within(&self, most: u32) -> bool {
        let mut most = most;
        if let Ast::Repeat { min, max, counted: true, .. } = self {
            let count = max.unwrap_or(*min);
            if *max == Some(0) {
                return true;
            }
            if count > most {
                return false;
            }
            if count > 0 {
                most /= count;
            }
        }
        self.parts().iter().all(|part| part.repeats_within(most))
    }
}
