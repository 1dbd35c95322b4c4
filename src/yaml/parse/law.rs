//! The span law, for tests: what a node's span covers reads, alone, as the node does; spans nest
//! and keep the order of the text.

use crate::source::SourceMap;
use crate::yaml::{Doc, Kind, Node, read_first};

/// Checks the law for every node of a document.
pub(crate) fn span_law(doc: &Doc) -> Result<(), String> {
    let mut open: Vec<(Node<'_>, u32)> = Vec::new();
    for node in doc.nodes() {
        let span = node.span();
        let named = || format!("{node:?} {:?} in {:?}", node.written(), doc.text());
        if span.start > span.end || span.end > doc.end || span.start < doc.start {
            return Err(format!("outside of the document: {}", named()));
        }
        while open
            .last()
            .is_some_and(|(parent, _)| parent.data().next <= node.id().0)
        {
            let (closed, _) = open.pop().expect("there is a last one");
            if let Some((_, done)) = open.last_mut() {
                *done = closed.span().end;
            }
        }
        if let Some((parent, done)) = open.last_mut() {
            let first = [node.tag_span(), node.anchor_span()]
                .into_iter()
                .flatten()
                .map(|span| span.start)
                .fold(span.start, u32::min);
            if first < *done || first < parent.span().start || span.end > parent.span().end {
                return Err(format!("not inside {parent:?} behind {done}: {}", named()));
            }
            *done = span.end;
        }
        let done = span.start;
        if !node.kind().is_scalar() {
            open.push((node, done));
            continue;
        }
        properties(node)?;
        let mut met = Vec::new();
        for alone in alone(node) {
            met.push(alone());
            if met
                .last()
                .is_some_and(|alone| alone.as_deref().ok() == node.text())
            {
                met.clear();
                break;
            }
        }
        if !met.is_empty() {
            return Err(format!(
                "{met:?} alone, {:?} there: {}",
                node.text(),
                named()
            ));
        }
    }
    Ok(())
}

fn properties(node: Node<'_>) -> Result<(), String> {
    let text = &node.doc().source.text;
    let anchor = node.anchor_span().map(|span| &text[span.range()]);
    if anchor != node.anchor().map(|name| format!("&{name}")).as_deref() {
        return Err(format!("anchor {anchor:?} of {node:?}"));
    }
    if node.tag().is_some()
        != node
            .tag_span()
            .is_some_and(|span| text[span.range()].starts_with('!'))
    {
        return Err(format!("tag of {node:?}"));
    }
    Ok(())
}

/// What the bytes of a scalar say when they stand alone: as a root, and a plain one also as a key
/// and as an item, since `a:` or `-` are plain only there.
fn alone(node: Node<'_>) -> Vec<Box<dyn Fn() -> Result<String, String> + '_>> {
    let written = node.written();
    let block = matches!(node.kind(), Kind::Literal | Kind::Folded);
    let header = written.lines().next().unwrap_or_default();
    // An indentation is told relative to the parent's, which is not there.
    let relative = block && header.bytes().take(3).any(|byte| byte.is_ascii_digit());
    // A block of blank lines only is read another way where the text ends.
    let empty = block
        && node
            .text()
            .is_some_and(|text| text.trim_matches('\n').is_empty());
    if written.is_empty() || relative || empty {
        return Vec::new();
    }
    let end = if block && written.ends_with('\n') {
        "...\n"
    } else {
        ""
    };
    // The marker keeps a byte order mark from being one of the text's.
    let root = move || first_scalar(&format!("--- {written}{end}"));
    if node.kind() != Kind::Plain {
        return vec![Box::new(root)];
    }
    vec![
        Box::new(root),
        Box::new(move || first_scalar(&format!("---\n{written}: x"))),
        Box::new(move || first_scalar(&format!("--- [{written}, x]"))),
    ]
}

/// The text of the first scalar of a document.
fn first_scalar(text: &str) -> Result<String, String> {
    let source = SourceMap::default().add("alone.yaml", text);
    let doc = read_first(&source).map_err(|fault| fault.message)?;
    Ok(doc
        .nodes()
        .find_map(Node::text)
        .unwrap_or_default()
        .to_owned())
}
