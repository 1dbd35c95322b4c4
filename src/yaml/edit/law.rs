//! The edit law, for tests: only edited spans change, and the text that comes out reads as the old
//! tree but for the edited values.

use crate::source::{Edit, Source, SourceMap};
use crate::yaml::{Doc, Node, NodeId, read_all};

/// Checks the law for the edits that gave the nodes of `doc` their new values.
pub(crate) fn edit_law(
    doc: &Doc,
    values: &[(NodeId, &str)],
    edits: &[Edit],
    after: &str,
) -> Result<(), String> {
    untouched(&doc.source, edits, after)?;
    let source = SourceMap::default().add("after.yaml", after);
    let reread = read_all(&source)
        .into_iter()
        .next()
        .ok_or("no document")?
        .map_err(|fault| format!("does not read again: {}: {after:?}", fault.message))?;
    let (old, new) = (doc.nodes().count(), reread.nodes().count());
    if old != new {
        return Err(format!("{old} nodes became {new}: {after:?}"));
    }
    for (old, new) in doc.nodes().zip(reread.nodes()) {
        let wanted = values
            .iter()
            .find(|(id, _)| *id == old.id())
            .map(|(_, value)| *value);
        same(old, new, wanted).map_err(|fault| format!("{fault}: {after:?}"))?;
    }
    Ok(())
}

/// Everything outside of the edited spans stands there byte for byte.
fn untouched(source: &Source, edits: &[Edit], after: &str) -> Result<(), String> {
    let mut sorted: Vec<&Edit> = edits.iter().collect();
    sorted.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let (mut rest, mut done) = (after, 0);
    for edit in sorted {
        rest = rest
            .strip_prefix(&source.text[done..edit.span.start as usize])
            .and_then(|rest| rest.strip_prefix(edit.text.as_str()))
            .ok_or_else(|| format!("changed before byte {}", edit.span.start))?;
        done = edit.span.end as usize;
    }
    if rest == &source.text[done..] {
        Ok(())
    } else {
        Err("changed behind the edits".to_owned())
    }
}

fn same(old: Node<'_>, new: Node<'_>, wanted: Option<&str>) -> Result<(), String> {
    let id = old.id().0;
    if old.kind().is_scalar() != new.kind().is_scalar() || old.anchor() != new.anchor() {
        return Err(format!("node {id} is another"));
    }
    match wanted {
        Some(value) if new.text() == Some(value) => Ok(()),
        Some(value) => Err(format!("node {id} reads {:?}, not {value:?}", new.text())),
        None if old.text() == new.text() && old.kind() == new.kind() && old.tag() == new.tag() => {
            Ok(())
        }
        None => Err(format!(
            "node {id} changed from {:?} to {:?}",
            old.text(),
            new.text()
        )),
    }
}
