//! How variables are written into a list, in the style that the list has.
//!
//! Values are always double-quoted: a port must stay a string.

use crate::source::{Edit, Span};
use crate::yaml::split::offset;
use crate::yaml::{Kind, Node};

/// A YAML double-quoted scalar, which is a JSON string too.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The variables as elements of a bracketed list.
fn flow_items(variables: &[(&str, &str)]) -> String {
    let item = |(name, text): &(&str, &str)| {
        format!(
            "{{\"name\": {}, \"value\": {}}}",
            quoted(name),
            quoted(text)
        )
    };
    variables.iter().map(item).collect::<Vec<_>>().join(", ")
}

/// The variables as elements of a list by lines, without the first line's indentation.
fn block_items(variables: &[(&str, &str)], indent: usize, newline: &str) -> String {
    let margin = " ".repeat(indent);
    let item = |(name, text): &(&str, &str)| {
        format!(
            "{margin}- name: {name}{newline}{margin}  value: {}",
            quoted(text)
        )
    };
    variables.iter().map(item).collect::<Vec<_>>().join(newline)
}

/// Gives an entry of the list its value: no edit where it has that value already; `None` where the
/// text cannot be changed without changing something else.
pub(super) fn value(entry: Node<'_>, text: &str) -> Option<Vec<Edit>> {
    let Some((key, old)) = entry.entry("value") else {
        let (_, name) = entry.entry("name")?;
        let new = format!("value: {}", quoted(text));
        if entry.is_flow() {
            let span = Span {
                start: name.span().end,
                ..name.span()
            };
            return Some(vec![Edit {
                span,
                text: format!(", \"value\": {}", quoted(text)),
            }]);
        }
        return Some(vec![line_after(name, column(entry)?, &new)?]);
    };
    if old.anchor().is_some()
        || old.tag().is_some()
        || !(old.kind().is_scalar() || old.kind() == Kind::Alias)
    {
        return None;
    }
    if old.text() == Some(text) && matches!(old.kind(), Kind::SingleQuoted | Kind::DoubleQuoted) {
        return Some(Vec::new());
    }
    if old.kind() == Kind::Plain && old.written().is_empty() {
        return Some(vec![after_colon(key, &quoted(text))?]);
    }
    let mut new = quoted(text);
    if old.written().ends_with('\n') {
        new.push_str(newline(old));
    }
    Some(vec![Edit {
        span: old.span(),
        text: new,
    }])
}

/// Appends variables to a list that is there.
pub(super) fn items(list: Node<'_>, variables: &[(&str, &str)]) -> Option<Edit> {
    if list.is_flow() {
        return Some(before_bracket(list, &flow_items(variables)));
    }
    let end = list.items().last()?;
    let indent = dash_column(list.items().next()?)?;
    Some(lines_after(
        end,
        &block_items(variables, indent, newline(list)),
    ))
}

/// Gives a container a list.
pub(super) fn list(container: Node<'_>, variables: &[(&str, &str)]) -> Option<Edit> {
    let flow = format!("[{}]", flow_items(variables));
    if let Some((key, old)) = container.entry("env") {
        if old.anchor().is_some() || old.kind() == Kind::Alias {
            return None;
        }
        if old.written().is_empty() {
            return after_colon(key, &flow);
        }
        return Some(Edit {
            span: old.span(),
            text: flow,
        });
    }
    if container.is_flow() {
        return Some(before_bracket(container, &format!("\"env\": {flow}")));
    }
    let indent = column(container)?;
    let newline = newline(container);
    let items = block_items(variables, indent, newline);
    let text = format!("{}env:{newline}{items}", " ".repeat(indent));
    Some(lines_after(container, &text))
}

/// The column of a mapping's first key, from 0, where only blanks and dashes stand before it.
fn column(mapping: Node<'_>) -> Option<usize> {
    let (key, _) = mapping.entries().next()?;
    let before = before_on_line(key);
    before
        .bytes()
        .all(|byte| matches!(byte, b' ' | b'-'))
        .then_some(before.len())
}

/// The column of the dash before an element, from 0.
fn dash_column(item: Node<'_>) -> Option<usize> {
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
fn after_colon(key: Node<'_>, text: &str) -> Option<Edit> {
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
fn before_bracket(collection: Node<'_>, text: &str) -> Edit {
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

/// Puts one line behind the line that a node ends on.
fn line_after(node: Node<'_>, indent: usize, text: &str) -> Option<Edit> {
    node.kind()
        .is_scalar()
        .then(|| lines_after(node, &format!("{}{text}", " ".repeat(indent))))
}

/// Puts lines behind the line that a node ends on.
fn lines_after(node: Node<'_>, text: &str) -> Edit {
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
fn newline(node: Node<'_>) -> &'static str {
    if node.doc().text().contains("\r\n") {
        "\r\n"
    } else {
        "\n"
    }
}
