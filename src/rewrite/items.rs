//! Objects taken out of the Lists that they stand in; every other byte stays.

use crate::resolve::plan::is_list;
use crate::source::{Edit, Span};
use crate::yaml::split::offset;
use crate::yaml::{Doc, Node};

/// What is left of a document.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Left {
    /// All of it.
    Whole,
    /// The text after these edits.
    Part(Vec<Edit>),
    /// Nothing: the document, or all that its List holds, goes.
    Nothing,
}

/// Takes out of a document what `goes`: the object that it is, or elements of the List that it is.
/// Lists inside a List are asked for as a whole.
pub(crate) fn without(doc: &Doc, goes: &dyn Fn(Node<'_>) -> bool) -> Left {
    let Some(root) = doc.root().map(Node::resolved) else {
        return Left::Whole;
    };
    let list = root.at(&["items"]).filter(|_| is_list(root));
    let Some(list) = list.filter(|list| list.is_sequence()) else {
        return if goes(root) {
            Left::Nothing
        } else {
            Left::Whole
        };
    };
    let items: Vec<(Node<'_>, bool)> = list
        .items()
        .map(|item| (item, goes(item.resolved())))
        .collect();
    let leaving = items.iter().filter(|(_, leaves)| *leaves).count();
    match leaving {
        0 => Left::Whole,
        _ if leaving == items.len() => Left::Nothing,
        _ if list.is_flow() => Left::Part(from_brackets(&items)),
        _ => Left::Part(from_lines(&items)),
    }
}

/// Each leaving element with the comma behind it; those at the end with the comma before them.
fn from_brackets(items: &[(Node<'_>, bool)]) -> Vec<Edit> {
    let last_kept = items.iter().rposition(|(_, leaves)| !leaves);
    let cut = |span: Span, end: u32| Edit {
        span: Span { end, ..span },
        text: String::new(),
    };
    let mut edits: Vec<Edit> = items
        .windows(2)
        .take(last_kept.unwrap_or_default())
        .filter(|pair| pair[0].1)
        .map(|pair| cut(pair[0].0.span(), pair[1].0.span().start))
        .collect();
    if let (Some(kept), Some((end, true))) = (last_kept, items.last()) {
        let behind = items[kept].0.span();
        let span = Span {
            start: behind.end,
            ..behind
        };
        edits.push(cut(span, end.span().end));
    }
    edits
}

/// Each leaving element from the line of its dash to the end of its last line.
fn from_lines(items: &[(Node<'_>, bool)]) -> Vec<Edit> {
    let leaving = items.iter().filter(|(_, leaves)| *leaves);
    leaving
        .map(|(item, _)| {
            let span = item.span();
            let source = &item.doc().source;
            let text = &source.text;
            let mut start = source.line_at(span.start).start;
            while !text[start..].trim_start_matches(' ').starts_with('-') && start > 0 {
                start = source.line_at(offset(start - 1)).start;
            }
            let mut end = span.end as usize;
            if !text[..end].ends_with('\n') {
                end = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
            }
            let span = Span {
                start: offset(start),
                end: offset(end),
                ..span
            };
            Edit {
                span,
                text: String::new(),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceMap;
    use crate::yaml::edit::apply;
    use crate::yaml::read_first;

    fn left(text: &str) -> Option<String> {
        let source = SourceMap::default().add("a.yaml", text);
        let doc = read_first(&source).expect("sound YAML");
        match without(&doc, &|node| node.text_at(&["kind"]) == Some("Out")) {
            Left::Whole => Some(text.to_owned()),
            Left::Part(edits) => Some(apply(text, 0, &edits).expect("no overlap").into_owned()),
            Left::Nothing => None,
        }
    }

    #[test]
    fn elements_by_lines_go_with_their_lines() {
        let list = "kind: List\nitems:\n# one\n- kind: Out\n  a: |\n    x\n- kind: In # stays\n# two\n- a: 1\n  \
                    kind: Out\nmetadata: {}\n";
        let kept = "kind: List\nitems:\n# one\n- kind: In # stays\n# two\nmetadata: {}\n";
        assert_eq!(left(list).as_deref(), Some(kept));
        assert_eq!(left("kind: Out\n"), None);
        assert_eq!(left("kind: List\nitems:\n- kind: Out\n"), None);
        assert_eq!(left("kind: In\n").as_deref(), Some("kind: In\n"));
    }

    #[test]
    fn elements_in_brackets_go_with_one_comma() {
        let list = |items: &str| format!("{{\"kind\": \"List\", \"items\": [{items}]}}");
        let (a, out) = ("{\"kind\": \"In\"}", "{\"kind\": \"Out\"}");
        for items in [
            [out, a, out].join(", "),
            [a, out, out].join(", "),
            [out, out, a].join(", "),
        ] {
            assert_eq!(left(&list(&items)), Some(list(a)), "{items}");
        }
        let two = [a, out, a].join(", ");
        assert_eq!(left(&list(&two)), Some(list(&[a, a].join(", "))));
    }
}
