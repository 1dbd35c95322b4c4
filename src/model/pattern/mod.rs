//! An entry's name as kustomize uses it: a regular expression of Go, pasted unescaped between an
//! anchor and what may follow a repository.
//!
//! # Why it is done this way
//!
//! Go's syntax and Rust's differ in what they refuse and in what some forms mean
//! (`spec/image-semantics.md` rule 23). So the expression is read by a parser of our own that
//! follows Go's ([`parse`]), and handed to the `regex` crate in a form that both read alike
//! ([`translate`]). Nearly every real name is a text with at most unescaped dots; such a name is
//! compared by hand, and a test holds the two ways equal.
//!
//! Source: kustomize api v0.20.1 `internal/image/image.go` (`IsImageMatched`), Go 1.25
//! `regexp/syntax`.

mod ast;
mod parse;
#[cfg(test)]
mod tests;
mod translate;

use std::fmt;

use ast::Ast;

/// What may follow the name: a tag, a digest, both or nothing (rules 1–5).
const TAIL: &str = "(:[a-zA-Z0-9_.{}-]*)?(@sha256:[a-zA-Z0-9_.{}-]*)?$";

/// Why Go refuses an expression; prints as Go prints it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PatternError {
    /// Go's words for the fault.
    pub(crate) what: &'static str,
    /// The part of the expression that Go quotes.
    pub(crate) part: String,
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.part.is_empty() {
            write!(f, "error parsing regexp: {}", self.what)
        } else {
            write!(f, "error parsing regexp: {}: `{}`", self.what, self.part)
        }
    }
}

/// One place of a name that is compared by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Exactly(char),
    AnyButNewline,
}

#[derive(Clone, Debug)]
enum Matcher {
    Places(Vec<Place>),
    Expression(regex::bytes::Regex),
}

/// A compiled name.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    name: String,
    /// The name read by itself, where it can be.
    own: Option<Ast>,
    matcher: Matcher,
}

impl Pattern {
    /// Compiles a name. The error is what Go's `regexp.Compile` says of the whole expression.
    pub(crate) fn compile(name: &str) -> Result<Pattern, PatternError> {
        let whole = format!("^{name}{TAIL}");
        let tree = parse::parse(&whole)?;
        let own = parse::parse(name).ok();
        // Flags in the name, and a quote left open, reach what is pasted behind it (rules 19, 21).
        let open_quote = name.rfind(r"\Q").is_some_and(|at| !name[at..].contains(r"\E"));
        let apart = !open_quote && !name.contains("(?");
        let plain = own.as_ref().filter(|_| apart).and_then(places);
        let matcher = match plain {
            Some(places) => Matcher::Places(places),
            None => Matcher::Expression(translate::compile(&tree, &whole)?),
        };
        Ok(Pattern { name: name.to_owned(), own, matcher })
    }

    /// Whether an image text matches: the name, a tag or none, a digest or none, and nothing else.
    pub(crate) fn is_match(&self, image: &str) -> bool {
        match &self.matcher {
            Matcher::Places(places) => match behind(places, image) {
                Some(rest) => is_tail(rest),
                None => false,
            },
            Matcher::Expression(expression) => expression.is_match(image.as_bytes()),
        }
    }

    /// The one text that the name matches, where it matches but one.
    pub(crate) fn literal(&self) -> Option<String> {
        let Matcher::Places(places) = &self.matcher else { return None };
        places
            .iter()
            .map(|place| match place {
                Place::Exactly(found) => Some(*found),
                Place::AnyButNewline => None,
            })
            .collect()
    }

    /// What the author most likely meant: unescaped dots are dots, escapes are gone.
    pub(crate) fn plain_text(&self) -> String {
        match &self.matcher {
            Matcher::Places(places) => places
                .iter()
                .map(|place| match place {
                    Place::Exactly(found) => *found,
                    Place::AnyButNewline => '.',
                })
                .collect(),
            Matcher::Expression(_) => self.name.replace('\\', ""),
        }
    }

    /// Whether a `|` outside every group takes the anchors from the rest (rule 11).
    pub(crate) fn unanchored_alternation(&self) -> bool {
        matches!(self.own, Some(Ast::Alternate(_)))
            || self.own.is_none() && self.name.contains('|')
    }

    /// Whether the name matches the empty text, and so every image that has no name.
    pub(crate) fn matches_empty(&self) -> bool {
        self.is_match("")
    }

    /// Whether the name has operators other than an unescaped dot.
    pub(crate) fn has_operators(&self) -> bool {
        matches!(self.matcher, Matcher::Expression(_))
    }

    /// An expression that matches only this text: every operator of Go's escaped
    /// (`regexp.QuoteMeta`).
    pub(crate) fn escape(literal: &str) -> String {
        let mut escaped = String::with_capacity(literal.len());
        for found in literal.chars() {
            if r"\.+*?()|[]{}^$".contains(found) {
                escaped.push('\\');
            }
            escaped.push(found);
        }
        escaped
    }
}

/// The name as a row of characters and dots, where it is no more than that.
fn places(tree: &Ast) -> Option<Vec<Place>> {
    let place = |part: &Ast| match part {
        Ast::Literal { found, fold: false } => Some(Place::Exactly(*found)),
        Ast::AnyButNewline => Some(Place::AnyButNewline),
        _ => None,
    };
    match tree {
        Ast::Empty => Some(Vec::new()),
        Ast::Concat(parts) => parts.iter().map(place).collect(),
        one => place(one).map(|place| vec![place]),
    }
}

/// What stands behind the name, if the text begins with it.
fn behind<'t>(places: &[Place], image: &'t str) -> Option<&'t str> {
    let mut rest = image.chars();
    for place in places {
        let next = rest.next()?;
        let fits = match place {
            Place::Exactly(found) => next == *found,
            Place::AnyButNewline => next != '\n',
        };
        if !fits {
            return None;
        }
    }
    Some(rest.as_str())
}

/// Whether a text is a tag, a digest, both or nothing, as [`TAIL`] has it.
fn is_tail(text: &str) -> bool {
    let word = |text: &'_ str| {
        let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.{}-".contains(byte);
        text.bytes().take_while(allowed).count()
    };
    let mut rest = text;
    if let Some(tag) = rest.strip_prefix(':') {
        rest = &tag[word(tag)..];
    }
    if let Some(digest) = rest.strip_prefix("@sha256:") {
        rest = &digest[word(digest)..];
    }
    rest.is_empty()
}
