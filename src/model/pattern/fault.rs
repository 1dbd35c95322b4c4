//! Why an expression does not compile, in Go's words.
//!
//! Where the faults are found is in `parse`, `class` and `stack`.

use std::fmt;
use std::ops::Range;

/// What is wrong (`ErrorCode` of `regexp/syntax`, Go 1.25).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Code {
    CharRange,
    Escape,
    NamedCapture,
    PerlOperator,
    NestedRepeat,
    RepeatSize,
    MissingBracket,
    MissingParen,
    MissingRepeatArgument,
    TrailingBackslash,
    UnexpectedParen,
    TooDeep,
    TooLarge,
}

impl Code {
    fn text(self) -> &'static str {
        match self {
            Code::CharRange => "invalid character class range",
            Code::Escape => "invalid escape sequence",
            Code::NamedCapture => "invalid named capture",
            Code::PerlOperator => "invalid or unsupported Perl syntax",
            Code::NestedRepeat => "invalid nested repetition operator",
            Code::RepeatSize => "invalid repeat count",
            Code::MissingBracket => "missing closing ]",
            Code::MissingParen => "missing closing )",
            Code::MissingRepeatArgument => "missing argument to repetition operator",
            Code::TrailingBackslash => "trailing backslash at end of expression",
            Code::UnexpectedParen => "unexpected )",
            Code::TooDeep => "expression nests too deeply",
            Code::TooLarge => "expression too large",
        }
    }
}

/// What is wrong, and which bytes of the expression Go shows for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) code: Code,
    pub(super) range: Range<usize>,
}

impl Fault {
    pub(super) fn new(code: Code, range: Range<usize>) -> Fault {
        Fault { code, range }
    }
}

/// A name that Go's `regexp.Compile` refuses, once the anchors, the tag and the digest stand round
/// it. `Display` gives Go's own text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PatternError {
    code: Code,
    shown: String,
    range: Option<Range<usize>>,
}

impl PatternError {
    /// The error for a fault in `expression`, in which the bytes `name` are the name's.
    pub(super) fn new(fault: Fault, expression: &str, name: Range<usize>) -> PatternError {
        let Fault { code, range } = fault;
        let shown = expression.get(range.clone()).unwrap_or_default().to_owned();
        let clipped = range.start.max(name.start)..range.end.min(name.end);
        let range = (clipped.start < clipped.end)
            .then(|| clipped.start - name.start..clipped.end - name.start);
        PatternError { code, shown, range }
    }

    /// The bytes of the name that Go's text shows; the whole name where Go blames no part of the
    /// expression (an unbalanced parenthesis, a limit), none where it blames what comes after.
    pub(crate) fn range(&self) -> Option<Range<usize>> {
        self.range.clone()
    }
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "error parsing regexp: {}: `{}`",
            self.code.text(),
            self.shown
        )
    }
}

impl std::error::Error for PatternError {}
