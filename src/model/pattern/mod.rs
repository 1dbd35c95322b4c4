//! Names of override entries: regular expressions in Go's syntax, as kustomize matches images.
//!
//! kustomize pastes the name, unescaped, between the start of the text and an optional tag, an
//! optional digest and the end (`spec/image-semantics.md`, rules 1 to 23; Go 1.25, Unicode 15.0).
//! Cutting an image into name, tag and digest has nothing to do with the match and is not here.
//!
//! # Why a parser of our own
//!
//! Go and the `regex` crate differ in what they accept and in what they match (rule 23). So the
//! text is read as Go reads it, and what the tree means is spelt out for the crate with nothing
//! left to its own reading.

mod class;
mod expression;
mod fault;
mod parse;
mod shape;
mod stack;
mod syntax;
mod translate;
mod unicode;

#[cfg(test)]
mod differential;
#[cfg(test)]
mod tests;

use std::ops::Range;

use regex::Regex;

pub(crate) use expression::Expression;
pub(crate) use fault::PatternError;
use fault::{Code, Fault};
use parse::{Meaning, Piece};
use shape::Step;
use syntax::{Kind, Node};

/// A name, compiled as kustomize compiles it.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    name: String,
    pieces: Vec<Piece>,
    matcher: Matcher,
    literal: Option<String>,
    alternation: bool,
}

#[derive(Clone, Debug)]
enum Matcher {
    Steps(Vec<Step>),
    Engine(Regex),
}

/// An unescaped dot or operator in a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Operator {
    /// The bytes of the name that it takes; a class or a group's opening is one operator.
    pub(crate) range: Range<usize>,
    /// Whether it is a dot, which takes itself and more.
    pub(crate) dot: bool,
}

/// The expression that kustomize makes of a name (rule 1).
fn expression(name: &str) -> String {
    format!("^{name}(:[a-zA-Z0-9_.{{}}-]*)?(@sha256:[a-zA-Z0-9_.{{}}-]*)?$")
}

impl Pattern {
    /// Compiles the name of an entry, with the rest of the expression round it.
    ///
    /// Refuses what Go's `regexp.Compile` refuses (rules 16 and 22), in Go's words.
    pub(crate) fn compile(name: &str) -> Result<Pattern, PatternError> {
        let whole = expression(name);
        let refuse = |fault| PatternError::new(fault, &whole, 1..1 + name.len());
        let parsed = parse::parse(&whole).map_err(refuse)?;
        let steps = shape::steps(&parsed.root);
        let literal = steps.as_deref().and_then(text_of);
        let matcher = match steps {
            Some(steps) => Matcher::Steps(steps),
            None => Matcher::Engine(engine(&parsed.root, &whole).map_err(refuse)?),
        };
        let mut pieces = parsed.pieces;
        pieces.retain(|piece| piece.range.start > 0 && piece.range.start <= name.len());
        for piece in &mut pieces {
            piece.range = piece.range.start - 1..(piece.range.end - 1).min(name.len());
        }
        let alternation = matches!(parsed.root.kind, Kind::Alternate(_));
        Ok(Pattern {
            name: name.to_owned(),
            pieces,
            matcher,
            literal,
            alternation,
        })
    }

    /// Whether the entry takes this image, that is the whole text of the scalar.
    pub(crate) fn is_match(&self, image: &str) -> bool {
        match &self.matcher {
            Matcher::Steps(steps) => shape::matches(steps, image),
            // `Regex::is_match` stops at a `\B` inside the bytes of a character, and says no.
            Matcher::Engine(regex) => regex.find(image).is_some(),
        }
    }

    /// The one text that the name takes before the tag and the digest; none where it takes several,
    /// as any unescaped dot does.
    pub(crate) fn literal(&self) -> Option<&str> {
        self.literal.as_deref()
    }

    /// The text that the author most likely meant: a dot is a dot, escapes and quotation marks are
    /// gone, operators stand as they were written.
    pub(crate) fn plain_text(&self) -> String {
        let mut text = String::new();
        for Piece { range, meaning } in &self.pieces {
            match meaning {
                Meaning::Text(letter) => text.push(*letter),
                Meaning::Quote => {}
                Meaning::Dot | Meaning::Operator => text.push_str(&self.name[range.clone()]),
            }
        }
        text
    }

    /// Whether a `|` outside all groups cuts the expression, so that neither side is held at both
    /// ends (rule 11).
    pub(crate) fn unanchored_alternation(&self) -> bool {
        self.alternation
    }

    /// Whether the entry takes the empty text: the name is empty, or can match nothing at all
    /// (`.*`), or comes loose from the anchors (`nginx|`, `*`: rules 11 to 13).
    pub(crate) fn matches_empty(&self) -> bool {
        self.is_match("")
    }

    /// The unescaped dots and operators of the name, in order. A class that takes one character
    /// (`[.]`) is none.
    pub(crate) fn operators(&self) -> Vec<Operator> {
        let operators = self
            .pieces
            .iter()
            .filter_map(|Piece { range, meaning }| match meaning {
                Meaning::Text(_) | Meaning::Quote => None,
                Meaning::Dot => Some(Operator {
                    range: range.clone(),
                    dot: true,
                }),
                Meaning::Operator => Some(Operator {
                    range: range.clone(),
                    dot: false,
                }),
            });
        operators.collect()
    }

    /// The name that takes this text alone (besides a tag and a digest).
    pub(crate) fn escape(literal: &str) -> String {
        let mut name = String::with_capacity(literal.len());
        for letter in literal.chars() {
            if r"\.+*?()|[]{}^$".contains(letter) {
                name.push('\\');
            }
            name.push(letter);
        }
        name
    }
}

#[cfg(test)]
impl Pattern {
    /// The same name, matched by the engine in any case.
    fn by_engine(&self) -> Pattern {
        let root = parse::parse(&expression(&self.name))
            .expect("it did compile")
            .root;
        let matcher = Matcher::Engine(translate::regex(&root).expect("it is no giant"));
        Pattern {
            matcher,
            ..self.clone()
        }
    }

    fn is_by_hand(&self) -> bool {
        matches!(self.matcher, Matcher::Steps(_))
    }
}

fn engine(root: &Node, whole: &str) -> Result<Regex, Fault> {
    translate::regex(root).ok_or_else(|| Fault::new(Code::TooLarge, 0..whole.len()))
}

fn text_of(steps: &[Step]) -> Option<String> {
    let letters = steps.iter().map(|step| match step {
        Step::Character(letter) => Some(*letter),
        Step::AnyNotNewline | Step::Any => None,
    });
    letters.collect()
}
