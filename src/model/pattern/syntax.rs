//! What an expression is once it is read: a tree, and how Go measures it.
//!
//! How texts become trees is in `parse`, what a tree matches in `shape` and `translate`.

use super::unicode::Property;

/// The flags that have a say in what matches. `U` is read and forgotten: it decides how much is
/// matched, never whether.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Flags {
    /// `i`: letters match in any case.
    pub(super) fold: bool,
    /// `m`: `^` and `$` stand at lines.
    pub(super) lines: bool,
    /// `s`: `.` takes a newline.
    pub(super) dot_newline: bool,
}

/// One element of a character class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// All code points between the two, both included; surrogates may be among them.
    Range(u32, u32),
    /// A class with a name or a letter, as `\d` or `[:alpha:]`.
    Ascii(&'static [(u8, u8)], Negated),
    /// A Unicode property, as `\pL`.
    Unicode(Property, Negated),
}

/// Whether an element of a class stands for what it does not name.
pub(super) type Negated = bool;

/// One code point out of many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Class {
    /// What it was put together from.
    pub(super) items: Vec<Item>,
    /// Whether it takes what the items do not.
    pub(super) negated: bool,
    /// Whether each item takes all cases of its letters.
    pub(super) fold: bool,
}

impl Class {
    /// The one character that the class takes, and whether in both its cases: such a class is a
    /// literal to Go. Only ASCII pairs of cases are seen.
    pub(super) fn single(&self) -> Option<(char, bool)> {
        let Some(&Item::Range(code, _)) = self.items.first() else {
            return None;
        };
        let letter = char::from_u32(code)?;
        if self.negated || (self.fold && !letter.is_ascii()) {
            return None;
        }
        let other_case = swap_case(letter);
        let is = |item: &Item, letter: char| *item == Item::Range(letter.into(), letter.into());
        if !self
            .items
            .iter()
            .all(|item| is(item, letter) || is(item, other_case))
        {
            return None;
        }
        let all_cases = letter != other_case
            && (self.fold || self.items.iter().any(|item| is(item, other_case)));
        // `k` and `s` have a third case outside ASCII.
        let more_cases = matches!(letter, 'k' | 'K' | 's' | 'S');
        (!all_cases || !more_cases).then_some((letter, all_cases))
    }
}

/// The other case of an ASCII letter; anything else as it is.
fn swap_case(letter: char) -> char {
    if letter.is_ascii_lowercase() {
        letter.to_ascii_uppercase()
    } else {
        letter.to_ascii_lowercase()
    }
}

/// How an operator repeats what stands before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Times {
    /// `*`
    Star,
    /// `+`
    Plus,
    /// `?`
    Quest,
    /// `{min,max}`, or `{min,}` without a maximum.
    Counted { min: u32, max: Option<u32> },
}

/// What a node matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The empty text.
    Empty,
    /// These characters, where `fold` in any case.
    Literal { text: Vec<char>, fold: bool },
    /// One code point out of a class.
    Class(Class),
    /// One code point that one of the nodes takes; each takes one.
    Set(Vec<Node>),
    /// Any code point but a newline.
    AnyNotNewline,
    /// Any code point.
    Any,
    /// The start of a line.
    BeginLine,
    /// The end of a line.
    EndLine,
    /// The start of the text.
    BeginText,
    /// The end of the text.
    EndText,
    /// Between a word character and none, both ASCII.
    WordBoundary,
    /// Anywhere else.
    NoWordBoundary,
    /// A capturing group.
    Capture(Box<Node>),
    /// A repetition.
    Repeat(Box<Node>, Times),
    /// One after the other.
    Concat(Vec<Node>),
    /// Any one of them.
    Alternate(Vec<Node>),
}

/// A tree, with the two measures that Go limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    /// What it matches.
    pub(super) kind: Kind,
    /// The longest way down, a leaf being 1.
    pub(super) height: u32,
    /// How many instructions Go reckons with.
    pub(super) size: u64,
}

impl Node {
    /// A measured node.
    pub(super) fn new(kind: Kind) -> Node {
        let mut node = Node {
            kind,
            height: 1,
            size: 1,
        };
        node.height = 1 + node
            .children()
            .iter()
            .map(|child| child.height)
            .max()
            .unwrap_or(0);
        node.measure();
        node
    }

    /// A literal of one character.
    pub(super) fn literal(letter: char, fold: bool) -> Node {
        Node::new(Kind::Literal {
            text: vec![letter],
            fold,
        })
    }

    /// The nodes below; none below a [`Kind::Set`], which is one class to Go.
    pub(super) fn children(&self) -> &[Node] {
        match &self.kind {
            Kind::Capture(child) | Kind::Repeat(child, _) => std::slice::from_ref(&**child),
            Kind::Concat(children) | Kind::Alternate(children) => children,
            _ => &[],
        }
    }

    /// Reckons the size anew, from the sizes of the children as they stand (`calcSize` of
    /// `regexp/syntax`, Go 1.25).
    pub(super) fn measure(&mut self) {
        let below: u64 = self.children().iter().map(|child| child.size).sum();
        let size = match &self.kind {
            Kind::Literal { text, .. } => text.len() as u64,
            Kind::Capture(_) | Kind::Repeat(_, Times::Star) => 2 + below,
            Kind::Repeat(_, Times::Plus | Times::Quest) => 1 + below,
            Kind::Repeat(_, Times::Counted { min: 0, max: None }) => 2 + below,
            Kind::Repeat(_, Times::Counted { min, max: None }) => 1 + u64::from(*min) * below,
            Kind::Repeat(
                _,
                Times::Counted {
                    min,
                    max: Some(max),
                },
            ) => u64::from(*max) * below + u64::from(max - min),
            Kind::Concat(_) => below,
            Kind::Alternate(children) => below + (children.len() as u64).saturating_sub(1),
            _ => 1,
        };
        self.size = size.max(1);
    }

    /// Whether it takes exactly one code point, so that an alternation of such nodes is a class.
    pub(super) fn takes_one(&self) -> bool {
        match &self.kind {
            Kind::Literal { text, .. } => text.len() == 1,
            Kind::Class(_) | Kind::Set(_) | Kind::AnyNotNewline | Kind::Any => true,
            _ => false,
        }
    }

    /// Whether the counted repetitions in it multiply to no more than `limit`.
    pub(super) fn repeats_within(&self, mut limit: u32) -> bool {
        if let Kind::Repeat(_, Times::Counted { min, max }) = self.kind {
            let times = match max {
                Some(0) => return true,
                Some(max) => max,
                None => min,
            };
            if times > limit {
                return false;
            }
            if times > 0 {
                limit /= times;
            }
        }
        self.children()
            .iter()
            .all(|child| child.repeats_within(limit))
    }
}
