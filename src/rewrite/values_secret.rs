//! The platform's table in the values Secret, brought up to date: what the platform chart would
//! write there, every other byte of the Secret's text as it was.
//!
//! Source: `spec/package-rendering.md`, sections 6 and 10: `_cluster.image-overrides`, which is not
//! written when the table is empty.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::post_renderers::lines;
use crate::model::overrides::{OverrideTable, decoded, read_table};
use crate::resolve::packages::images_of;
use crate::source::{Edit, Source, Span};
use crate::yaml::edit::apply;
use crate::yaml::insert::{after_colon, before_bracket, column, lines_after, newline};
use crate::yaml::scalar::{Reader, Scalar, resolve};
use crate::yaml::split::offset;
use crate::yaml::write::written;
use crate::yaml::{Doc, Kind, Node, read_all};

/// The key of the table.
const KEY: &str = "image-overrides";

/// The edits that make the Secret carry the table; none where it does, and where what it holds
/// cannot be read, which is told where it is read. `None` where its text cannot be changed.
pub(crate) fn with_table(secret: Node<'_>, table: &OverrideTable) -> Option<Vec<Edit>> {
    let plain = secret.at(&["stringData", "values.yaml"]);
    let Some(node) = plain.or_else(|| secret.at(&["data", "values.yaml"])) else {
        return table.entries.is_empty().then(Vec::new);
    };
    let text = match plain {
        Some(node) => node.text().map(str::to_owned),
        None => node.text().and_then(decoded),
    };
    let read = |text: String| Some((standing(&text).ok()?, text));
    let Some((stands, text)) = text.and_then(read) else {
        return Some(Vec::new());
    };
    if carries(stands.as_ref(), table) {
        return Some(Vec::new());
    }
    let new = updated(&text, table)?;
    let new = match plain {
        Some(_) => new,
        None => STANDARD.encode(new),
    };
    (node.anchor().is_none()).then(|| vec![written(node, &new, false)])
}

/// Whether values with this table say what the table says; one that is empty need not stand there.
fn carries(stands: Option<&OverrideTable>, table: &OverrideTable) -> bool {
    stands.map_or(table.entries.is_empty(), |own| own.same_as(table))
}

/// The values with the table in its place, which they do not carry yet.
fn updated(text: &str, table: &OverrideTable) -> Option<String> {
    let edit = edit(text, &images_of(table))?;
    let new = apply(text, 0, &[edit]).ok()?.into_owned();
    standing(&new).ok()??.same_as(table).then_some(new)
}

/// A text of its own: its places never leave this file.
fn source(text: &str) -> Arc<Source> {
    Arc::new(Source::new(
        crate::source::SourceId::default(),
        String::new(),
        text.to_owned(),
    ))
}

/// Values that are no YAML.
#[derive(Debug)]
struct Unreadable;

/// The first document of a text.
fn first(text: &str) -> Result<Option<Doc>, Unreadable> {
    let first = read_all(&source(text)).into_iter().next();
    first.transpose().map_err(|_| Unreadable)
}

/// The table that values carry, where they carry one.
fn standing(text: &str) -> Result<Option<OverrideTable>, Unreadable> {
    let doc = first(text)?;
    let root = doc.as_ref().and_then(Doc::root);
    let node = root.and_then(|root| root.at(&["_cluster", KEY]));
    let Some(node) = node.filter(|node| !node.is_null()) else {
        return Ok(None);
    };
    let table = |node| read_table(node, &mut Vec::new());
    if let Some(Scalar::String(inner)) = resolve(node, Reader::Kubernetes) {
        let inner = first(inner)?.ok_or(Unreadable)?;
        return Ok(inner.root().map(|root| table(root.resolved())));
    }
    Ok(Some(table(node)))
}

/// The edit that gives the values this list.
fn edit(text: &str, images: &Value) -> Option<Edit> {
    let doc = first(text).ok()?;
    let root = doc.as_ref().and_then(Doc::root);
    let Some(root) = root.filter(|root| !root.is_null()) else {
        let end = offset(text.len());
        let span = Span {
            start: end,
            end,
            ..Span::default()
        };
        let gap = if text.is_empty() || text.ends_with('\n') {
            ""
        } else {
            "\n"
        };
        let text = format!("{gap}_cluster:\n  {KEY}:\n{}\n", lines(images, 2, "\n"));
        return Some(Edit { span, text });
    };
    if !root.is_mapping() {
        return None;
    }
    let Some((key, cluster)) = root.entry("_cluster") else {
        if root.is_flow() {
            return Some(before_bracket(
                root,
                &format!("\"_cluster\": {{\"{KEY}\": {images}}}"),
            ));
        }
        let (indent, end) = (column(root)?, newline(root));
        let margin = " ".repeat(indent);
        let head = format!("{margin}_cluster:{end}{margin}  {KEY}:{end}");
        return Some(lines_after(root, &(head + &lines(images, indent + 2, end))));
    };
    if cluster.is_null() && cluster.written().is_empty() {
        return after_colon(key, &format!("{{\"{KEY}\": {images}}}"));
    }
    if !cluster.is_mapping() {
        return None;
    }
    let Some((key, old)) = cluster.entry(KEY) else {
        if cluster.is_flow() {
            return Some(before_bracket(cluster, &format!("\"{KEY}\": {images}")));
        }
        let (indent, end) = (column(cluster)?, newline(cluster));
        let head = format!("{}{KEY}:{end}", " ".repeat(indent));
        return Some(lines_after(cluster, &(head + &lines(images, indent, end))));
    };
    if old.kind() == Kind::Alias {
        return None;
    }
    if old.kind().is_scalar() && !old.is_null() {
        return Some(written(old, &images.to_string(), false));
    }
    let start = key.span().end;
    let colon = start + offset(text[start as usize..].find(':')?) + 1;
    let end = old.span().end.max(colon);
    let span = Span {
        start,
        end,
        ..key.span()
    };
    let block = !cluster.is_flow() && images.as_array().is_some_and(|images| !images.is_empty());
    let line = newline(cluster);
    let mut value = match column(cluster).filter(|_| block) {
        Some(indent) => format!(":{line}{}", lines(images, indent, line)),
        None => format!(": {images}"),
    };
    if text[..end as usize].ends_with('\n') {
        value.push_str(line);
    }
    Some(Edit { span, text: value })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::overrides::tables_in;
    use crate::source::SourceMap;
    use crate::yaml::read_first;

    fn table(text: &str) -> OverrideTable {
        let source = SourceMap::default().add("table.yaml", text);
        let doc = read_first(&source).expect("sound YAML");
        tables_in(&doc, &mut Vec::new()).remove(0).table
    }

    #[test]
    fn values_of_every_style_take_the_table() {
        let table = table("- {name: a, newTag: \"1.20\"}\n- {name: b, digest: x}\n");
        for text in [
            "_cluster:\n  root-host: \"example.net\" # kept\n",
            "_cluster:\n  image-overrides:\n  - name: old\n    newTag: \"1\"\n  root-host: x\nother: 1\n",
            "_cluster:\n  image-overrides: []\n  root-host: x\n",
            "_cluster:\n  image-overrides:\n  root-host: x\n",
            "_cluster:\n  image-overrides: '[{\"name\": \"old\"}]'\n",
            "_cluster: {image-overrides: [{name: old}], root-host: x}\n",
            "_cluster: {root-host: x}\n",
            "_cluster:\nother: 1\n",
            "other: 1\n",
            "{}\n",
            "",
            "# nothing\n",
            "{\"_cluster\": {\"root-host\": \"x\"}}",
        ] {
            let new = updated(text, &table).unwrap_or_else(|| panic!("refused: {text}"));
            assert!(
                standing(&new)
                    .expect("YAML")
                    .expect("a table")
                    .same_as(&table),
                "{new}"
            );
            assert_eq!(new.contains("root-host"), text.contains("root-host"));
        }
    }

    #[test]
    fn an_empty_table_is_not_written_where_there_is_none() {
        let empty = table("[]\n");
        let edits = |text: &str| {
            let source = SourceMap::default().add("secret.yaml", text);
            let doc = read_first(&source).expect("sound YAML");
            with_table(doc.root().expect("a root"), &empty)
        };
        assert_eq!(
            edits("stringData: {values.yaml: \"_cluster: {}\"}\n"),
            Some(Vec::new())
        );
        assert_eq!(edits("data: {}\n"), Some(Vec::new()));
        let with = "_cluster:\n  image-overrides:\n  - name: old\n";
        let without = "_cluster:\n  image-overrides: []\n";
        assert_eq!(updated(with, &empty).as_deref(), Some(without));
    }

    #[test]
    fn the_secret_keeps_its_style_and_its_encoding() {
        let table = table("- {name: a, newTag: \"1\"}\n");
        let put = |text: &str| {
            let source = SourceMap::default().add("secret.yaml", text);
            let doc = read_first(&source).expect("sound YAML");
            let edits = with_table(doc.root().expect("a root"), &table).expect("it can");
            apply(text, 0, &edits).expect("no overlap").into_owned()
        };
        assert_eq!(
            put("stringData:\n  values.yaml: |\n    _cluster:\n      a: b # c\n"),
            "stringData:\n  values.yaml: |\n    _cluster:\n      a: b # c\n      image-overrides:\n      - \
             name: a\n        newTag: \"1\"\n"
        );
        let encoded = put(&format!(
            "data: {{values.yaml: {}}}\n",
            STANDARD.encode("_cluster: {}\n")
        ));
        let text = encoded
            .split(": ")
            .nth(2)
            .expect("a value")
            .trim_end_matches("}\n");
        let values = STANDARD.decode(text).expect("base64");
        assert!(
            String::from_utf8(values)
                .expect("text")
                .contains("image-overrides")
        );
    }
}
