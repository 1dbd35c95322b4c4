//! What the operator makes beside what the inputs hold: every object once.
//!
//! PackageSources and Packages are consumed, a HelmRelease that a Package makes stands for one of
//! its name among the inputs (the operator overwrites it), and a Namespace that several declare
//! becomes one document with all of their labels and annotations.
//!
//! Source: `spec/package-rendering.md`, sections 3 to 5 and 7; the texts are laid out as section 11
//! says.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use serde_json::Value;

use super::Emitted;
use crate::finding::ObjectId;
use crate::resolve::packages::{GROUP, Rendered, SHARED_NAMESPACES};
use crate::resolve::plan::{Stage, may_hold, objects_of};
use crate::rewrite::items::{Left, without};
use crate::source::{Edit, Span};
use crate::yaml::emit::to_yaml;
use crate::yaml::json::to_json;
use crate::yaml::scalar::Reader;
use crate::yaml::{Doc, Node};

/// What becomes of the objects among the inputs, and what comes beside them.
#[derive(Debug, Default)]
pub(crate) struct Arrangement {
    /// What is left of each document, in the order of the plan.
    left: Vec<Left>,
    /// New texts for documents, by their place in the plan.
    replaced: BTreeMap<usize, String>,
    /// Objects that no document among the inputs is.
    made: Vec<Emitted<'static>>,
}

/// Decides over the planned documents, in their order.
pub(crate) fn arrange(docs: &[&Doc], rendered: &Rendered, keep_packages: bool) -> Arrangement {
    let mut shared = Namespaces::among(docs, rendered);
    let releases: BTreeSet<(&str, &str)> = rendered
        .releases
        .iter()
        .map(|release| (release.namespace.as_str(), release.name.as_str()))
        .collect();
    let goes = |node: Node<'_>| match identity(node) {
        (GROUP, "Package" | "PackageSource") => !keep_packages,
        ("helm.toolkit.fluxcd.io", "HelmRelease") => {
            let namespace = node.text_at(&["metadata", "namespace"]);
            let name = name(node).unwrap_or_default();
            releases.contains(&(namespace.unwrap_or("default"), name))
        }
        ("", "Namespace") => name(node).is_some_and(|name| shared.leaves(name, node)),
        _ => false,
    };
    let kinds = ["Package", "PackageSource", "HelmRelease", "Namespace"];
    let left = |doc: &&Doc| {
        if may_hold(doc, &kinds) {
            without(doc, &goes)
        } else {
            Left::Whole
        }
    };
    let left = docs.par_iter().map(left).collect();
    let replaced = shared.replaced();
    let mut made: Vec<Emitted<'static>> = Vec::new();
    for namespace in &rendered.namespaces {
        if !shared.stands(&namespace.name) {
            let value = shared.value(&namespace.name);
            made.push(emitted(
                namespace.id(),
                &value.unwrap_or_else(|| namespace.value()),
            ));
        }
    }
    let written = generators(docs);
    for generator in &rendered.generators {
        // Its apply is not forced: one that is there by hand stays as it is.
        if !written.contains(generator.name.as_str()) {
            made.push(emitted(generator.id(), &generator.value()));
        }
    }
    for release in rendered.releases.iter().filter(|release| !release.repeated) {
        made.push(emitted(release.id(), &release.value()));
    }
    Arrangement {
        left,
        replaced,
        made,
    }
}

impl Arrangement {
    /// The edits that take objects out of the List at a place of the plan.
    pub(crate) fn edits(&self, place: usize) -> &[Edit] {
        match self.left.get(place) {
            Some(Left::Part(edits)) => edits,
            _ => &[],
        }
    }

    /// The objects in the order of application: of each stage those of the inputs, then those made.
    pub(crate) fn finish(mut self, given: Vec<Emitted<'_>>) -> Vec<Emitted<'_>> {
        let mut objects: Vec<Emitted<'_>> = Vec::with_capacity(given.len() + self.made.len());
        for ((place, mut object), left) in given.into_iter().enumerate().zip(&self.left) {
            if *left == Left::Nothing {
                continue;
            }
            if let Some(text) = self.replaced.remove(&place) {
                object.text = text.into();
            }
            objects.push(object);
        }
        objects.extend(std::mem::take(&mut self.made));
        objects.sort_by_key(|object| object.stage);
        objects
    }
}

fn emitted(id: ObjectId, value: &Value) -> Emitted<'static> {
    Emitted {
        text: to_yaml(value).expect("data serializes").into(),
        stage: Stage::of(&id.kind),
        id: id.into(),
    }
}

/// Group and kind.
fn identity(node: Node<'_>) -> (&str, &str) {
    let api = node.text_at(&["apiVersion"]).unwrap_or_default();
    let group = api.split_once('/').map_or("", |(group, _)| group);
    (group, node.text_at(&["kind"]).unwrap_or_default())
}

fn name(node: Node<'_>) -> Option<&str> {
    node.text_at(&["metadata", "name"])
}

/// The ArtifactGenerators in `cozy-system` that stand among the inputs.
fn generators<'d>(docs: &[&'d Doc]) -> BTreeSet<&'d str> {
    let nodes = docs
        .iter()
        .flat_map(|doc| objects_of(doc, &["ArtifactGenerator"]));
    nodes
        .filter(|node| identity(*node) == ("source.extensions.fluxcd.io", "ArtifactGenerator"))
        .filter(|node| node.text_at(&["metadata", "namespace"]) == Some("cozy-system"))
        .filter_map(name)
        .collect()
}

/// A Namespace among the inputs that is declared elsewhere too.
struct Shared {
    /// All declarations laid over each other.
    value: Value,
    /// The first of them that is a document by itself: its place in the plan and in the text.
    first: Option<(usize, Span)>,
    /// Whether that document says less than all together.
    grown: bool,
}

/// Namespaces that several declare, by name.
struct Namespaces<'d>(BTreeMap<&'d str, Shared>);

impl<'d> Namespaces<'d> {
    /// Those of the documents that are made too, and those of several writers by design that are
    /// declared more than once; others that stand twice are `duplicate-object`. The later stand over
    /// the earlier, and the made ones over all: each has its own field manager, and the
    /// cluster holds the union.
    fn among(docs: &[&'d Doc], rendered: &Rendered) -> Namespaces<'d> {
        let mut declared: BTreeMap<&'d str, Vec<(usize, Node<'d>)>> = BTreeMap::new();
        for (place, doc) in docs.iter().enumerate() {
            for node in objects_of(doc, &["Namespace"]) {
                if let (("", "Namespace"), Some(name)) = (identity(node), name(node)) {
                    declared.entry(name).or_default().push((place, node));
                }
            }
        }
        let made: BTreeMap<&str, Value> = rendered
            .namespaces
            .iter()
            .filter(|namespace| declared.contains_key(namespace.name.as_str()))
            .map(|namespace| (namespace.name.as_str(), namespace.value()))
            .collect();
        declared.retain(|name, nodes| {
            made.contains_key(name) || nodes.len() > 1 && SHARED_NAMESPACES.contains(name)
        });
        let shared = declared.into_iter().filter_map(|(name, nodes)| {
            let mut values = nodes
                .iter()
                .map(|(_, node)| to_json(*node, Reader::Kubernetes).ok())
                .collect::<Option<Vec<Value>>>()?;
            values.extend(made.get(name).cloned());
            let first = nodes
                .iter()
                .position(|(place, node)| docs[*place].root().map(Node::resolved) == Some(*node));
            let mut value = Value::Null;
            for over in &values {
                lay_over(&mut value, over);
            }
            let grown = first.is_some_and(|at| values[at] != value);
            let first = first.map(|at| (nodes[at].0, nodes[at].1.span()));
            let shared = Shared {
                value,
                first,
                grown,
            };
            Some((name, shared))
        });
        Namespaces(shared.collect())
    }

    /// Whether a declaration goes because another document stands for it.
    fn leaves(&self, name: &str, node: Node<'_>) -> bool {
        self.0
            .get(name)
            .is_some_and(|shared| shared.first.is_none_or(|(_, span)| span != node.span()))
    }

    /// Whether a document of the inputs stands for the Namespace.
    fn stands(&self, name: &str) -> bool {
        self.0
            .get(name)
            .is_some_and(|shared| shared.first.is_some())
    }

    /// All that is declared of a Namespace that stands in Lists only.
    fn value(&self, name: &str) -> Option<Value> {
        self.0.get(name).map(|shared| shared.value.clone())
    }

    /// New texts for the documents that stand for several.
    fn replaced(&mut self) -> BTreeMap<usize, String> {
        let grown = self.0.values().filter(|shared| shared.grown);
        grown
            .filter_map(|shared| {
                let text = to_yaml(&shared.value).expect("data serializes");
                Some((shared.first?.0, text))
            })
            .collect()
    }
}

/// Lays the entries of a mapping over another, deeply; what is no mapping takes its place.
fn lay_over(under: &mut Value, over: &Value) {
    match (under, over) {
        (_, Value::Null) => {}
        (Value::Object(under), Value::Object(over)) => {
            for (key, value) in over {
                lay_over(under.entry(key.clone()).or_insert(Value::Null), value);
            }
        }
        (under, over) => *under = over.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resolve::packages::{Estate, OperatorSettings, PlatformTable, render};
    use crate::resolve::plan::identity as object;
    use crate::source::SourceMap;
    use crate::yaml::read_all;

    /// The kinds and names that come out, and the text of all.
    fn arranged(text: &str, keep: bool) -> (Vec<String>, String) {
        let source = SourceMap::default().add("a.yaml", text);
        let docs: Vec<Doc> = read_all(&source)
            .into_iter()
            .map(|doc| doc.expect("sound YAML"))
            .collect();
        let mut estate = Estate::default();
        docs.iter()
            .filter_map(Doc::root)
            .for_each(|root| estate.add(root));
        let rendered = render(
            &estate,
            &OperatorSettings::default(),
            PlatformTable::Unknown,
        );
        let docs: Vec<&Doc> = docs.iter().collect();
        let given = docs.iter().map(|doc| {
            let id = object(doc).expect("an object");
            Emitted {
                text: doc.text().into(),
                stage: Stage::of(&id.kind),
                id: id.into(),
            }
        });
        let given: Vec<Emitted<'_>> = given.collect();
        let objects = arrange(&docs, &rendered, keep).finish(given);
        let names = objects.iter().map(|object| object.id.to_string()).collect();
        (names, super::super::stream_text(&objects))
    }

    const ESTATE: &str = "apiVersion: cozystack.io/v1alpha1\nkind: PackageSource\nmetadata: {name: p}\n\
        spec:\n  sourceRef: {kind: OCIRepository, name: s, namespace: n}\n  variants:\n  - name: \
        default\n    components:\n    - {name: a, path: x, install: {namespace: cozy-system}}\n---\n\
        apiVersion: cozystack.io/v1alpha1\nkind: Package\nmetadata: {name: p}\nspec: {}\n";

    #[test]
    fn packages_are_consumed_and_what_they_make_comes_in_two_stages() {
        let made = [
            "Namespace cozy-system",
            "ArtifactGenerator cozy-system/p",
            "HelmRelease cozy-system/a",
        ];
        assert_eq!(arranged(ESTATE, false).0, made);
        let kept = arranged(ESTATE, true).0;
        assert_eq!(kept[1..3], ["PackageSource p", "Package p"]);
        assert_eq!(kept.len(), 5);
    }

    #[test]
    fn a_namespace_of_several_writers_is_one_document() {
        let given = "---\napiVersion: v1\nkind: Namespace\nmetadata:\n  name: cozy-system\n  labels: \
                     {mine: \"1\"} # kept\n";
        let (names, text) = arranged(&format!("{ESTATE}{given}"), false);
        assert_eq!(
            names
                .iter()
                .filter(|name| name.starts_with("Namespace"))
                .count(),
            1
        );
        assert!(
            text.contains("cozystack.io/system: \"true\"\n    mine: \"1\"\n"),
            "{text}"
        );
        let whole = format!(
            "{given}---\napiVersion: v1\nkind: Namespace\nmetadata: {{name: cozy-system}}\n"
        );
        let (names, text) = arranged(&whole, false);
        assert_eq!(names, ["Namespace cozy-system"]);
        assert!(
            text.contains("# kept"),
            "nothing is added, so the text stays: {text}"
        );
    }

    #[test]
    fn the_made_release_stands_for_one_of_its_name() {
        let hand = "---\napiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: a, \
                    namespace: cozy-system}\nspec: {interval: 1h}\n";
        let (names, text) = arranged(&format!("{ESTATE}{hand}"), false);
        assert_eq!(
            names.last().map(String::as_str),
            Some("HelmRelease cozy-system/a")
        );
        assert!(names.len() == 3 && !text.contains("1h"), "{text}");
    }
}
