//! Where new entries and elements go in a collection that is there, in the style that it has.

use super::Node;
use super::split::offset;
use crate::source::{Edit, Span};

/// The column of a mapping's first key, from 0, where only blanks and dashes stand before it.
pub(crate) fn column(mapping: Node<'_>) -> Option<usize> {
    let (key, _) = mapping.entries().next()?;
    let before = before_on_line(key);
    before
        .bytes()
        .all(|byte| matches!(byte, b' ' | b'-'))
        .then_some(before.len())
}

/// The column of the dash before an element, from 0.
pub(crate) fn dash_column(item: Node<'_>) -> Option<usize> {
    let before = before_on_line(item);
    let dash = before.rfind("- ")?;
    before[..dash]
        .bytes()
        .all(|byte| matches!(byte, b' ' | b'-'))
        .then_some(dash)
}

/// The text between the start of a node's line and the node.
fn before_on_line(node: Node<'_>) -> &str {
    let span = node.span();
    let line = node.doc().source.line_at(span.start);
    let start = line.start.max(node.doc().start as usize);
    &node.doc().source.text[start..span.start as usize]
}

/// Puts a text behind the colon of a key that has no value.
pub(crate) fn after_colon(key: Node<'_>, text: &str) -> Option<Edit> {
    let span = key.span();
    let rest = &key.doc().source.text[span.end as usize..key.doc().end as usize];
    let colon = rest.find(':').filter(|at| rest[..*at].trim().is_empty())?;
    let at = span.end + offset(colon) + 1;
    Some(Edit {
        span: Span {
            start: at,
            end: at,
            ..span
        },
        text: format!(" {text}"),
    })
}

/// Puts an element at the end of a bracketed collection.
pub(crate) fn before_bracket(collection: Node<'_>, text: &str) -> Edit {
    let span = collection.span();
    let inside = &collection.written()[1..collection.written().len() - 1];
    let kept = inside.trim_end();
    let comma = if kept.is_empty() || kept.ends_with(',') {
        ""
    } else {
        ", "
    };
    // A comment on the last line would swallow what comes behind it.
    let commented = kept.lines().last().is_some_and(|line| line.contains(" #"));
    let at = if commented {
        span.end - 1
    } else {
        span.start + 1 + offset(kept.len())
    };
    Edit {
        span: Span {
            start: at,
            end: at,
            ..span
        },
        text: format!("{comma}{text}"),
    }
}

/// Puts lines behind the line that a node ends on.
pub(crate) fn lines_after(node: Node<'_>, text: &str) -> Edit {
    let (span, doc) = (node.span(), node.doc());
    let newline = newline(node);
    let end = span.end as usize;
    let source = &doc.source.text;
    if end > span.start as usize && source[..end].ends_with('\n') {
        let at = span.end;
        return Edit {
            span: Span {
                start: at,
                end: at,
                ..span
            },
            text: format!("{text}{newline}"),
        };
    }
    let at = offset(doc.source.line_at(span.end).end);
    Edit {
        span: Span {
            start: at,
            end: at,
            ..span
        },
        text: format!("{newline}{text}"),
    }
}

/// The line end of a node's document.
pub(crate) fn newline(node: Node<'_>) -> &'static str {
    if node.doc().text().contains("\r\n") {
        "\r\n"
    } else {
        "\n"
    }
}
