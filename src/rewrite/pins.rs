//! Digests and entries put into an override table where it stands; every other byte stays, comments
//! among them.

use crate::model::overrides::{Override, OverrideTable};
use crate::resolve::pinning::Pins;
use crate::source::{Edit, Span};
use crate::yaml::insert::{before_bracket, column, dash_column, lines_after, newline};
use crate::yaml::split::offset;
use crate::yaml::write::written;
use crate::yaml::{Doc, Node};

/// The edits that put pins into a table; `None` where it stands in none of the documents, or cannot be
/// changed without changing something else: aliases, anchors, merges.
pub(crate) fn edits<'d>(
    docs: impl Iterator<Item = &'d Doc>,
    table: &OverrideTable,
    pins: &Pins,
) -> Option<Vec<Edit>> {
    let mut docs = docs.filter(|doc| doc.source.id == table.span.source);
    let list = docs.find_map(|doc| {
        let mut nodes = doc.nodes();
        nodes.find(|node| node.is_sequence() && node.span() == table.span)
    })?;
    if list.anchor().is_some() {
        return None;
    }
    let items: Vec<Node<'_>> = list.items().collect();
    let item = |at: usize| items.get(table.entries.get(at)?.index).copied();
    let mut edits = Vec::new();
    for (at, digest) in &pins.digests {
        edits.push(digest_in(item(*at)?, digest)?);
    }
    for (at, entries) in &pins.entries {
        if entries.is_empty() {
            continue;
        }
        edits.push(if list.is_flow() {
            in_brackets(list, item(*at), entries)
        } else {
            by_lines(&items, item(*at), entries)?
        });
    }
    edits.sort();
    Some(edits)
}

/// Gives an entry a digest.
fn digest_in(entry: Node<'_>, digest: &str) -> Option<Edit> {
    let own = entry.is_mapping() && entry.anchor().is_none();
    let merges = entry.entries().any(|(key, _)| key.text() == Some("<<"));
    if !own || merges {
        return None;
    }
    if let Some((_, value)) = entry.entry("digest") {
        return Some(written(value, digest, false));
    }
    let (last, _) = entry.entries().last()?;
    if entry.is_flow() {
        return Some(before_bracket(entry, &field(last, "digest", digest)));
    }
    let margin = " ".repeat(column(entry)?);
    let (_, value) = entry.entries().last()?;
    let behind = if value.span().start == value.span().end {
        last
    } else {
        value
    };
    let text = format!("{margin}{}", field(last, "digest", digest));
    Some(lines_after(behind, &text))
}

/// A field in the style of a key that is there.
fn field(like: Node<'_>, key: &str, value: &str) -> String {
    let key = if like.written().starts_with('"') {
        format!("\"{key}\"")
    } else {
        key.to_owned()
    };
    format!("{key}: {}", serde_json::Value::from(value))
}

/// Puts entries before one of a list in brackets, or at its end.
fn in_brackets(list: Node<'_>, before: Option<Node<'_>>, entries: &[Override]) -> Edit {
    let one = |entry: &Override| {
        let fields = fields(entry).map(|(key, value)| (key.to_owned(), value.into()));
        serde_json::Value::Object(fields.collect()).to_string()
    };
    let text = entries.iter().map(one).collect::<Vec<_>>().join(", ");
    let Some(before) = before else {
        return before_bracket(list, &text);
    };
    let span = before.span();
    Edit {
        span: Span {
            end: span.start,
            ..span
        },
        text: format!("{text}, "),
    }
}

/// Puts entries before one of a list by lines, or behind its last one.
fn by_lines(items: &[Node<'_>], before: Option<Node<'_>>, entries: &[Override]) -> Option<Edit> {
    let last = *items.last()?;
    let margin = " ".repeat(dash_column(before.unwrap_or(last))?);
    let mut lines = Vec::new();
    for entry in entries {
        for (at, (key, value)) in fields(entry).enumerate() {
            let lead = if at == 0 { "- " } else { "  " };
            let value = serde_json::Value::from(value);
            lines.push(format!("{margin}{lead}{key}: {value}"));
        }
    }
    let end = newline(last);
    let text = lines.join(end);
    let Some(before) = before else {
        return Some(lines_after(last, &text));
    };
    let span = before.span();
    let start = offset(before.doc().source.line_at(span.start).start);
    Some(Edit {
        span: Span {
            start,
            end: start,
            ..span
        },
        text: format!("{text}{end}"),
    })
}

/// The fields of a new entry, in the order of kustomize's type.
fn fields(entry: &Override) -> impl Iterator<Item = (&'static str, &str)> {
    let all = [
        ("name", entry.name()),
        ("newName", entry.new_name()),
        ("newTag", entry.new_tag()),
        ("digest", entry.digest()),
    ];
    all.into_iter().filter(|(_, value)| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::model::overrides::tables_in;
    use crate::resolve::pinning::pin;
    use crate::source::SourceMap;
    use crate::yaml::edit::apply;
    use crate::yaml::read_first;

    /// The text with the images pinned, each to its own digest, which reads as the table that was
    /// meant; `None` where it cannot be edited.
    fn pinned(text: &str, images: &[&str]) -> Option<String> {
        let mut sources = SourceMap::default();
        let source = sources.add("table.yaml", text);
        let doc = read_first(&source).expect("sound YAML");
        let table = tables_in(&doc, &mut Vec::new()).remove(0).table;
        let digests: BTreeMap<String, String> = images
            .iter()
            .zip(1..)
            .map(|(image, number)| {
                let digest = format!("sha256:{}", format!("{number:02x}").repeat(32));
                ((*image).to_owned(), digest)
            })
            .collect();
        let made = pin(&table, &digests, &BTreeSet::new());
        assert_eq!(made.wrong, BTreeMap::new());
        let edits = edits(std::iter::once(&doc), &table, &made.pins)?;
        let edited = apply(text, 0, &edits).expect("no overlap").into_owned();
        let source = sources.add("edited.yaml", edited.clone());
        let doc = read_first(&source).expect("sound YAML");
        let mut faults = Vec::new();
        let read = tables_in(&doc, &mut faults).remove(0).table;
        assert!(faults.is_empty() && read.same_as(&made.table), "{edited}");
        Some(edited)
    }

    const ONE: &str = "sha256:0101010101010101010101010101010101010101010101010101010101010101";

    #[test]
    fn a_digest_stands_behind_the_fields_that_are_there() {
        let text = "# the table\nimages:\n  # about a\n  - name: r.io/a # why\n    newName: m.io/a # to\n\n  # b\n  \
                    - name: r.io/b\n";
        let edited = pinned(text, &["r.io/a:1"]).expect("it can be edited");
        let wanted = text.replace("# to\n", &format!("# to\n    digest: \"{ONE}\"\n"));
        assert_eq!(edited, wanted);
        let crlf = pinned("- name: r.io/a\r\n  digest: ''\r\n", &["r.io/a:1"]);
        assert_eq!(
            crlf,
            Some(format!("- name: r.io/a\r\n  digest: '{ONE}'\r\n"))
        );
    }

    #[test]
    fn every_style_reads_as_the_table_that_was_meant() {
        for text in [
            "[{name: r.io/a, newName: m.io/a}] # c\n",
            "[{\"name\": \"r.io/a\", \"newName\": \"m.io/a\"}]\n",
            "{\n  \"images\": [\n    {\n      \"name\": \"r.io/a\"\n    }\n  ]\n}\n",
            "- name: r.io/a\n  newName: m.io/a",
            "registries:\n  imageOverrides:\n  - newName: m.io/a\n    name: r.io/a\nother: 1\n",
            "images: []\n",
            "- name: r.io/x\n- {name: r.io/a}\n",
        ] {
            for images in [&["r.io/a:1"][..], &["r.io/a:1", "r.io/a:2", "q.io/z:3"]] {
                let edited = pinned(text, images).unwrap_or_else(|| panic!("{text}"));
                assert!(pinned(&edited, &[]) == Some(edited), "once is enough");
            }
        }
    }

    #[test]
    fn what_is_shared_is_left_alone() {
        for text in [
            "images: &i\n- name: r.io/a\n",
            "x: &x {name: r.io/a}\nimages: [*x]\n",
            "x: &x {newName: m.io/a}\nimages:\n- name: r.io/a\n  <<: *x\n",
        ] {
            assert_eq!(pinned(text, &["r.io/a:1"]), None, "{text}");
        }
        // A dash by itself says nothing of where the next one would stand.
        let apart = "-\n  name: r.io/a\n";
        assert!(pinned(apart, &["r.io/a:1"]).is_some());
        assert_eq!(pinned(apart, &["q.io/a:1"]), None);
    }
}
