//! A regular expression in Go's syntax by itself, as schemas have them.

use regex::Regex;

use super::fault::PatternError;
use super::{engine, parse};

/// An expression, matched anywhere in a text as Go's `regexp.MatchString` does.
#[derive(Clone, Debug)]
pub(crate) struct Expression(Regex);

impl Expression {
    /// Compiles an expression. Refuses what Go's `regexp.Compile` refuses, in Go's words.
    pub(crate) fn compile(text: &str) -> Result<Expression, PatternError> {
        let refuse = |fault| PatternError::new(fault, text, 0..text.len());
        let parsed = parse::parse(text).map_err(refuse)?;
        engine(&parsed.root, text).map(Expression).map_err(refuse)
    }

    /// Whether some part of the text matches.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        // `Regex::is_match` stops at a `\B` inside the bytes of a character, and says no.
        self.0.find(text).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_matches_anywhere_unless_it_is_anchored() {
        let matches = |text: &str, found: &str| Expression::compile(text).unwrap().is_match(found);
        assert!(matches("b", "abc"));
        assert!(!matches("^b", "abc"));
        let interval = r"^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$";
        assert!(matches(interval, "1h30m") && !matches(interval, "1d"));
        assert!(matches("^.*$", "") && !matches("^.*$", "a\nb"));
        assert!(Expression::compile("(?<=a)b").is_err());
    }
}
