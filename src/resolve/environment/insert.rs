//! How variables are written into a list, in the style that the list has.
//!
//! Values are always double-quoted: a port must stay a string.

use crate::source::{Edit, Span};
use crate::yaml::insert::{after_colon, before_bracket, column, dash_column, lines_after, newline};
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

/// Puts one line behind the line that a node ends on.
fn line_after(node: Node<'_>, indent: usize, text: &str) -> Option<Edit> {
    node.kind()
        .is_scalar()
        .then(|| lines_after(node, &format!("{}{text}", " ".repeat(indent))))
}
