//! Expressions that need no engine: a name of characters and dots, as nearly all are.
//!
//! They are compared by hand; everything else goes through `translate`.

use std::sync::LazyLock;

use super::syntax::{Kind, Node, Times};

/// The most characters that are compared by hand.
const MOST_STEPS: usize = 4096;

/// One code point of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// This one.
    Character(char),
    /// Any but a newline.
    AnyNotNewline,
    /// Any.
    Any,
}

/// What stands behind the name: an optional tag, an optional digest, the end of the text.
static TAIL: LazyLock<Vec<Node>> = LazyLock::new(|| {
    let empty = super::expression("");
    let root = super::parse::parse(&empty)
        .expect("the expression round an empty name compiles")
        .root;
    root.children()[1..].to_vec()
});

/// The steps of the name, if the whole expression is the start of the text, the steps, and what
/// stands behind every name.
pub(super) fn steps(root: &Node) -> Option<Vec<Step>> {
    let Kind::Concat(nodes) = &root.kind else {
        return None;
    };
    let (first, rest) = nodes.split_first()?;
    let name = rest.strip_suffix(TAIL.as_slice())?;
    let mut steps = Vec::new();
    let plain = first.kind == Kind::BeginText && name.iter().all(|node| collect(node, &mut steps));
    plain.then_some(steps)
}

fn collect(node: &Node, steps: &mut Vec<Step>) -> bool {
    match &node.kind {
        Kind::Empty => {}
        Kind::Literal { text, fold } => {
            if *fold
                && !text
                    .iter()
                    .all(|letter| letter.is_ascii() && !letter.is_alphabetic())
            {
                return false;
            }
            steps.extend(text.iter().map(|&letter| Step::Character(letter)));
        }
        Kind::AnyNotNewline => steps.push(Step::AnyNotNewline),
        Kind::Any => steps.push(Step::Any),
        // Before any character this asks for nothing new.
        Kind::BeginText => return steps.is_empty(),
        Kind::Capture(child) => return collect(child, steps),
        Kind::Concat(children) => return children.iter().all(|child| collect(child, steps)),
        Kind::Repeat(child, Times::Counted { min, max }) if *max == Some(*min) => {
            let from = steps.len();
            if !collect(child, steps) {
                return false;
            }
            let once = steps.split_off(from);
            if once.len() * *min as usize > MOST_STEPS {
                return false;
            }
            (0..*min).for_each(|_| steps.extend_from_slice(&once));
        }
        _ => return false,
    }
    steps.len() <= MOST_STEPS
}

/// Whether the image is the steps, then an optional tag and an optional digest.
pub(super) fn matches(steps: &[Step], image: &str) -> bool {
    let mut letters = image.chars();
    for &step in steps {
        let fits = match (step, letters.next()) {
            (_, None) => false,
            (Step::Any, Some(_)) => true,
            (Step::AnyNotNewline, Some(letter)) => letter != '\n',
            (Step::Character(wanted), Some(letter)) => letter == wanted,
        };
        if !fits {
            return false;
        }
    }
    let mut rest = letters.as_str();
    if let Some(tag) = rest.strip_prefix(':') {
        rest = tag.trim_start_matches(is_tag);
    }
    if let Some(digest) = rest.strip_prefix("@sha256:") {
        rest = digest.trim_start_matches(is_tag);
    }
    rest.is_empty()
}

fn is_tag(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.' | '{' | '}' | '-')
}
