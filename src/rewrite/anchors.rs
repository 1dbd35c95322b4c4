//! Edits where one anchored text is used more than once.
//!
//! A build sees every use as a copy of its own. An image that stands in the text itself is edited
//! there. A use then shows what stands at its anchor; where it must show something else, an alias
//! is replaced by its content written out, and a merged mapping gets the key of its own, which wins
//! over what is merged. Everything else keeps its bytes.

use std::collections::BTreeMap;

use super::in_place;
use crate::resolve::images::{Visit, is_merge_key};
use crate::source::{Edit, Span};
use crate::yaml::write::flow_text;
use crate::yaml::{Doc, Kind, Node, Path};

/// Whether a document has aliases: without them each image stands where it is used.
pub(crate) fn has_any(doc: &Doc) -> bool {
    !doc.is_straight()
        && doc
            .nodes()
            .any(|node| node.kind() == Kind::Alias || is_merge_key(node))
}

/// The results by route; only images that are written anew.
type Results<'v> = BTreeMap<&'v Path, &'v Visit<'v>>;

/// The edits of a document with aliases.
pub(crate) fn edits(doc: &Doc, visits: &[Visit<'_>]) -> Vec<Edit> {
    let results: Results<'_> = visits
        .iter()
        .filter(|visit| visit.rewritten)
        .filter_map(|visit| Some((visit.path.as_deref()?, visit)))
        .collect();
    let Some(root) = doc.root() else {
        return Vec::new();
    };
    let mut uses = Uses {
        doc,
        results: &results,
        routes: routes(root),
        edits: Vec::new(),
    };
    uses.walk(root, &Path::default());
    uses.edits
}

/// The route of every node that stands in the text, keyed by its number.
fn routes(root: Node<'_>) -> BTreeMap<u32, Path> {
    let mut routes = BTreeMap::new();
    let mut stack = vec![(root, Path::default())];
    while let Some((node, path)) = stack.pop() {
        for (at, item) in node.items().enumerate() {
            stack.push((item, path.index(at)));
        }
        for (key, value) in node.entries() {
            stack.push((value, path.key(key_text(key))));
        }
        routes.insert(node.id().0, path);
    }
    routes
}

struct Uses<'d, 'v> {
    doc: &'d Doc,
    results: &'v Results<'v>,
    routes: BTreeMap<u32, Path>,
    edits: Vec<Edit>,
}

impl<'d> Uses<'d, '_> {
    fn walk(&mut self, node: Node<'d>, path: &Path) {
        match node.kind() {
            Kind::Alias => self.alias(node, path),
            Kind::Sequence => {
                for (at, item) in node.items().enumerate() {
                    self.walk(item, &path.index(at));
                }
            }
            Kind::Mapping => {
                for (key, value) in node.entries() {
                    if is_merge_key(key) {
                        self.inline_merge(value, path);
                    } else {
                        self.walk(value, &path.key(key_text(key)));
                    }
                }
                self.merged(node, path);
            }
            _ => {
                if let Some(visit) = self.results.get(path) {
                    in_place(self.doc, visit, &mut self.edits);
                }
            }
        }
    }

    /// A mapping written under the merge key itself is the home of what it brings.
    fn inline_merge(&mut self, value: Node<'d>, path: &Path) {
        if value.is_mapping() {
            self.routes.insert(value.id().0, path.clone());
        }
        for item in value.items().filter(|item| item.is_mapping()) {
            self.routes.insert(item.id().0, path.clone());
        }
    }

    /// What a route shows: the result of its image, or the text that stands there.
    fn shown(&self, node: Node<'d>, path: &Path) -> String {
        match self.results.get(path) {
            Some(visit) => visit.after().to_owned(),
            None => node.text().unwrap_or_default().to_owned(),
        }
    }

    /// Whether the content of `node`, seen by two routes, shows the same.
    fn same(&self, node: Node<'d>, one: &Path, other: &Path) -> bool {
        let node = node.resolved();
        match node.kind() {
            Kind::Sequence => node
                .items()
                .enumerate()
                .all(|(at, item)| self.same(item, &one.index(at), &other.index(at))),
            Kind::Mapping => effective(node).iter().all(|(name, value, _)| {
                self.same(*value, &one.key(name.as_str()), &other.key(name.as_str()))
            }),
            _ => self.shown(node, one) == self.shown(node, other),
        }
    }

    fn home(&self, node: Node<'d>) -> Path {
        self.routes.get(&node.id().0).cloned().unwrap_or_default()
    }

    fn alias(&mut self, alias: Node<'d>, path: &Path) {
        let target = alias.resolved();
        if !self.same(target, path, &self.home(target)) {
            let text = self.written_out(target, path);
            self.edits.push(Edit {
                span: alias.span(),
                text,
            });
        }
    }

    /// Gives a mapping the keys that its merges would bring with another content.
    fn merged(&mut self, mapping: Node<'d>, path: &Path) {
        let mut missing = Vec::new();
        for (name, value, source) in effective(mapping) {
            let Some(source) = source else { continue };
            let home = self.home(source).key(name.as_str());
            let route = path.key(name.as_str());
            if self.home(source) == *path {
                self.walk(value, &route);
            } else if !self.same(value, &route, &home) {
                missing.push((name.clone(), self.written_out(value.resolved(), &route)));
            }
        }
        if !missing.is_empty() {
            self.edits.push(insertion(mapping, &missing));
        }
    }

    /// The content of a node as one line of flow YAML, seen by a route.
    fn written_out(&self, node: Node<'d>, path: &Path) -> String {
        let node = node.resolved();
        match node.kind() {
            Kind::Sequence => {
                let items: Vec<String> = node
                    .items()
                    .enumerate()
                    .map(|(at, item)| self.written_out(item, &path.index(at)))
                    .collect();
                format!("[{}]", items.join(", "))
            }
            Kind::Mapping => {
                let entries: Vec<String> = effective(node)
                    .iter()
                    .map(|(name, value, _)| {
                        let route = path.key(name.as_str());
                        format!(
                            "{}: {}",
                            flow_text(name, true),
                            self.written_out(*value, &route)
                        )
                    })
                    .collect();
                format!("{{{}}}", entries.join(", "))
            }
            _ => match self.results.get(path) {
                Some(visit) => flow_text(visit.after(), !visit.typed),
                None => match (node.kind(), node.tag()) {
                    (Kind::Plain, None) => flow_text(node.text().unwrap_or_default(), false),
                    (_, Some(tag)) if tag != "!!str" => {
                        let text = flow_text(node.text().unwrap_or_default(), true);
                        format!("{} {text}", self.doc_tag(node, tag))
                    }
                    _ => flow_text(node.text().unwrap_or_default(), true),
                },
            },
        }
    }

    fn doc_tag(&self, node: Node<'d>, tag: &str) -> String {
        match node.tag_span() {
            Some(span) => self.doc.source.text[span.range()].to_owned(),
            None => tag.to_owned(),
        }
    }
}

/// The entries of a mapping as a reader sees them: own ones, then what each merge source brings
/// and no earlier one has, with the source that brings it. A source shows what it is edited to
/// show, so the nearest one counts.
fn effective<'d>(mapping: Node<'d>) -> Vec<(String, Node<'d>, Option<Node<'d>>)> {
    let mut entries: Vec<(String, Node<'d>, Option<Node<'d>>)> = Vec::new();
    let mut sources = Vec::new();
    for (key, value) in mapping.entries() {
        if is_merge_key(key) {
            let value = value.resolved();
            if value.is_sequence() {
                sources.extend(value.items().map(Node::resolved));
            } else {
                sources.push(value);
            }
        } else {
            let name = key_text(key).to_owned();
            entries.push((name, value, None));
        }
    }
    for source in sources {
        for (name, value, _) in effective(source) {
            if !entries.iter().any(|(own, ..)| *own == name) {
                entries.push((name, value, Some(source)));
            }
        }
    }
    entries
}

/// The edit that gives a mapping more keys: on lines of their own before its first key, or behind
/// its brace.
fn insertion(mapping: Node<'_>, keys: &[(String, String)]) -> Edit {
    let written: Vec<String> = keys
        .iter()
        .map(|(name, text)| format!("{}: {text}", flow_text(name, true)))
        .collect();
    let span = mapping.span();
    if mapping.is_flow() {
        let at = span.start + 1;
        let text = format!("{}, ", written.join(", "));
        return Edit {
            span: Span {
                start: at,
                end: at,
                ..span
            },
            text,
        };
    }
    let source = &mapping.doc().source;
    let line = source.line_at(span.start);
    let column = span.start as usize - line.start;
    let indent = " ".repeat(source.text[line.start..line.start + column].chars().count());
    let newline = if source.text[line.end..].starts_with("\r\n") {
        "\r\n"
    } else {
        "\n"
    };
    let between = format!("{newline}{indent}");
    let text = written.join(&between) + &between;
    Edit {
        span: Span {
            end: span.start,
            ..span
        },
        text,
    }
}

/// A key's text; an alias as a key has that of its anchor.
fn key_text(key: Node<'_>) -> &str {
    key.resolved().text().unwrap_or_default()
}
