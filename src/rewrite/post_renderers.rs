//! The platform's table as the last post-renderer of a HelmRelease that is written out, behind its
//! own, which all stay.
//!
//! Source: `spec/package-rendering.md`, section 10; `design/cli.md`, `--override-releases`.

use serde_json::Value;

use crate::model::overrides::OverrideTable;
use crate::resolve::packages::post_renderers_of;
use crate::resolve::plan::first_line;
use crate::resolve::post_renderers::{held, post_renderers};
use crate::source::{Edit, Span};
use crate::yaml::emit::to_yaml;
use crate::yaml::insert::{after_colon, before_bracket, column, dash_column, lines_after, newline};
use crate::yaml::json::to_json;
use crate::yaml::scalar::Reader;
use crate::yaml::{Kind, Node};

/// What becomes of a HelmRelease.
#[derive(Debug, Default)]
pub(crate) struct Overridden {
    /// The edits that put the table behind its own post-renderers; none where it is there.
    pub(crate) edits: Vec<Edit>,
    /// Its own post-renderers that hold only images and are not the table: they are kept.
    pub(crate) kept: Vec<Span>,
    /// Whether the table cannot be put in without changing something else.
    pub(crate) refused: bool,
}

/// Puts a table behind the post-renderers of a HelmRelease. An empty one adds nothing.
pub(crate) fn overridden(release: Node<'_>, table: &OverrideTable) -> Overridden {
    let own = post_renderers(release);
    let images = own.iter().filter(|one| one.only_images && !one.is(table));
    let mut done = Overridden {
        kept: images.map(|one| first_line(one.node)).collect(),
        ..Overridden::default()
    };
    let stands = own.last().is_some_and(|last| last.is(table));
    if let Some(renderers) = post_renderers_of(table).filter(|_| !stands) {
        match put(release, &renderers) {
            Some(edit) => done.edits.push(edit),
            None => done.refused = true,
        }
    }
    done
}

/// The edit that puts renderers behind those that are there.
fn put(release: Node<'_>, renderers: &Value) -> Option<Edit> {
    let (_, spec) = release.entry("spec")?;
    if !spec.is_mapping() || spec.anchor().is_some() {
        return None;
    }
    let inherited = held(spec, "postRenderers");
    let Some((key, list)) = spec.entry("postRenderers") else {
        // What a merge brings would be hidden by a key of its own.
        let all = with_own(inherited, renderers)?;
        if spec.is_flow() {
            return Some(before_bracket(spec, &format!("\"postRenderers\": {all}")));
        }
        let indent = column(spec)?;
        let head = format!("{}postRenderers:{}", " ".repeat(indent), newline(spec));
        let lines = head + &lines(&all, indent, newline(spec));
        return Some(lines_after(spec, &lines));
    };
    if list.is_null() && list.written().is_empty() {
        return after_colon(key, &renderers.to_string());
    }
    let plain = list.is_sequence() && list.anchor().is_none() && list.items().next().is_some();
    if list.kind() == Kind::Alias
        || list.is_null()
        || list.is_sequence() && list.items().next().is_none()
    {
        let text = with_own(inherited, renderers)?.to_string();
        let span = list.span();
        return Some(Edit { span, text });
    }
    if !plain {
        return None;
    }
    if list.is_flow() {
        let items = renderers.as_array()?.iter().map(Value::to_string);
        let items: Vec<String> = items.collect();
        return Some(before_bracket(list, &items.join(", ")));
    }
    let text = lines(renderers, dash_column(list.items().next()?)?, newline(list));
    Some(lines_after(list.items().last()?, &text))
}

/// The renderers behind those that a merge or an alias brings.
fn with_own(own: Option<Node<'_>>, renderers: &Value) -> Option<Value> {
    let mut all = match own {
        Some(own) => to_json(own, Reader::Kubernetes).ok()?,
        None => Value::Array(Vec::new()),
    };
    let list = all.as_array_mut()?;
    list.extend(renderers.as_array()?.iter().cloned());
    Some(all)
}

/// A list by lines, indented, without its last line end.
pub(super) fn lines(list: &Value, indent: usize, newline: &str) -> String {
    let text = to_yaml(list).expect("data serializes");
    let margin = " ".repeat(indent);
    let lines: Vec<String> = text.lines().map(|line| format!("{margin}{line}")).collect();
    lines.join(newline)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::overrides::tables_in;
    use crate::source::SourceMap;
    use crate::yaml::edit::apply;
    use crate::yaml::read_first;

    const TABLE: &str = "- {name: a/b, newName: m/b, newTag: \"1.20\"}\n";

    fn data(text: &str) -> Value {
        let source = SourceMap::default().add("a.yaml", text);
        let doc = read_first(&source).expect("sound YAML");
        to_json(doc.root().expect("a root"), Reader::Kubernetes).expect("JSON")
    }

    /// The text with the table put in, and how many renderers are kept with a note.
    fn put_in(text: &str, table: &str) -> (Option<String>, usize) {
        let mut sources = SourceMap::default();
        let table = sources.add("table.yaml", table);
        let table = tables_in(&read_first(&table).expect("sound"), &mut Vec::new())
            .remove(0)
            .table;
        let source = sources.add("a.yaml", text);
        let doc = read_first(&source).expect("sound YAML");
        let done = overridden(doc.root().expect("a root"), &table);
        let edited = apply(text, 0, &done.edits)
            .expect("no overlap")
            .into_owned();
        ((!done.refused).then_some(edited), done.kept.len())
    }

    #[test]
    fn the_table_comes_last_in_every_style() {
        let patch = "{\"kustomize\": {\"patches\": [{\"patch\": \"x\"}]}}";
        let shapes = [
            "spec:\n  interval: 5m # kept\n  values:\n    a: |\n      text\n".to_owned(),
            "spec:\n  interval: 5m".to_owned(),
            "spec:\r\n  interval: 5m\r\nstatus: {}\r\n".to_owned(),
            "spec: {interval: 5m}\n".to_owned(),
            "spec:\n  postRenderers:\n  interval: 5m\n".to_owned(),
            "spec:\n  postRenderers: []\n  interval: 5m\n".to_owned(),
            "spec:\n  postRenderers: ~\n".to_owned(),
            format!("spec:\n  postRenderers: [{patch}] # c\n"),
            "spec:\n  postRenderers:\n    - kustomize:\n        patches:\n        - patch: x # c\n  b: 1\n".to_owned(),
            "{\"spec\": {\"interval\": \"5m\", \"values\": {}}}\n".to_owned(),
            format!("x: &x {{postRenderers: [{patch}]}}\nspec:\n  <<: *x\n  interval: 5m\n"),
            format!("x: &x [{patch}]\nspec:\n  postRenderers: *x\n"),
        ];
        for text in shapes {
            let (edited, kept) = put_in(&text, TABLE);
            let edited = edited.unwrap_or_else(|| panic!("refused: {text}"));
            let mut wanted = data(&text);
            let spec = wanted["spec"].as_object_mut().expect("a mapping");
            let list = spec.entry("postRenderers").or_insert(Value::Null);
            let mut items = list.as_array().cloned().unwrap_or_default();
            let image = serde_json::json!({"name": "a/b", "newName": "m/b", "newTag": "1.20"});
            items.push(serde_json::json!({"kustomize": {"images": [image]}}));
            *list = Value::Array(items);
            assert_eq!(data(&edited), wanted, "{edited}");
            assert_eq!(kept, 0);
            assert_eq!(
                put_in(&edited, TABLE),
                (Some(edited.clone()), 0),
                "once is enough"
            );
        }
    }

    #[test]
    fn other_images_are_kept_and_told_and_an_empty_table_adds_nothing() {
        let text =
            "spec:\n  postRenderers:\n  - kustomize: {images: [{name: a/b, newTag: \"1\"}]}\n";
        let (edited, kept) = put_in(text, TABLE);
        assert_eq!(kept, 1);
        assert!(edited.is_some_and(|edited| edited.starts_with(text) && edited.len() > text.len()));
        assert_eq!(put_in(text, "[]\n"), (Some(text.to_owned()), 1));
    }

    #[test]
    fn what_is_shared_is_left_alone() {
        for text in [
            "x: &x {a: 1}\nspec: *x\n",
            "spec: &s\n  a: 1\n",
            "spec:\n  postRenderers: &p\n  - {}\n",
        ] {
            assert_eq!(put_in(text, TABLE).0, None, "{text}");
        }
    }
}
