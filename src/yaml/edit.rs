//! Edits applied to a text: sorted, no overlap, spliced once; nothing else changes by a byte.

use super::Node;
use crate::source::Edit;

/// Stand-in.
pub(crate) fn written(node: Node<'_>, value: &str, _typed: bool) -> Vec<Edit> {
    vec![Edit { span: node.span(), text: value.to_owned() }]
}
/// Stand-in.
pub(crate) fn flow_text(text: &str, string: bool) -> String {
    if string { format!("{text:?}") } else { text.to_owned() }
}

/// Stand-in.
pub(crate) fn apply(text: &str, edits: &[Edit]) -> Result<String, ()> {
    let mut out = String::new();
    let mut at = 0;
    for edit in edits {
        let range = edit.span.range();
        if range.start < at { return Err(()); }
        out.push_str(&text[at..range.start]);
        out.push_str(&edit.text);
        at = range.end;
    }
    out.push_str(&text[at..]);
    Ok(out)
}
