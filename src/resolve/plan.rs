//! What reaches the cluster, and when: the objects of a run in the order of application.
//!
//! Lives here: which documents are objects, and the two stages of `spec/package-rendering.md`
//! section 9. Not here: what becomes of an object's text.

use std::sync::Arc;

use rayon::prelude::*;

use super::builds::Builds;
use crate::finding::{Finding, Label, Level, ObjectId};
use crate::load::threads::AT_A_TIME;
use crate::load::{Input, Loaded, Role};
use crate::yaml::scalar::{Reader, Scalar, resolve};
use crate::yaml::{Doc, Node};

/// The rule that a document which says not what it is falls under.
pub(crate) const WITHOUT_KIND: &str = "document-without-kind";

/// When an object is applied. What stands first comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stage {
    /// Namespaces and `CustomResourceDefinitions`, told by kind alone.
    Definitions,
    /// Everything else.
    Objects,
}

impl Stage {
    /// The number that people give it.
    pub(crate) fn number(self) -> u8 {
        match self {
            Stage::Definitions => 1,
            Stage::Objects => 2,
        }
    }

    /// When an object of that kind is applied.
    pub(crate) fn of(kind: &str) -> Stage {
        match kind {
            "Namespace" | "CustomResourceDefinition" => Stage::Definitions,
            _ => Stage::Objects,
        }
    }
}

/// An object among the inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Planned {
    /// When it is applied.
    pub(crate) stage: Stage,
    /// The place of its text in [`Loaded::inputs`].
    pub(crate) input: usize,
    /// The place of its document in [`Input::docs`].
    pub(crate) doc: usize,
    /// What it is.
    pub(crate) id: Arc<ObjectId>,
}

/// Everything decided, nothing done.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// The objects: by stage, Flux's before the others, else as they were read.
    pub(crate) objects: Vec<Planned>,
    /// Documents that are no manifests, each an error or, among Flux's, a warning.
    pub(crate) findings: Vec<Finding>,
    /// How many documents found by walking were left out because they are no manifests.
    pub(crate) skipped: usize,
    /// How many texts found by walking were left out because a kustomization uses them otherwise.
    pub(crate) inert: usize,
    /// What is built of directories.
    pub(crate) builds: Builds,
}

/// The plan of what was read.
pub(crate) fn plan(loaded: &Loaded) -> Plan {
    let mut plan = Plan {
        builds: Builds::read(loaded, Role::Manifest),
        ..Plan::default()
    };
    let found: Vec<Vec<Found<'_>>> = loaded.inputs.par_iter().map(found).collect();
    for (input, (text, found)) in loaded.inputs.iter().zip(found).enumerate() {
        if !matches!(text.role, Role::Flux | Role::Manifest) {
            continue;
        }
        if plan.builds.is_inert(input) {
            plan.inert += 1;
            continue;
        }
        for (doc, found) in found.into_iter().enumerate() {
            match found {
                Found::Nothing => {}
                Found::Other(root, id) => plan.refuse(text, root, &id),
                Found::Object(stage, id) => plan.objects.push(Planned {
                    stage,
                    input,
                    doc,
                    id,
                }),
            }
        }
    }
    // Stable, so that the order of reading stays within a stage; Flux is read before manifests.
    plan.objects.sort_by_key(|object| object.stage);
    plan
}

/// What a document is.
enum Found<'d> {
    /// Blank.
    Nothing,
    /// An object.
    Object(Stage, Arc<ObjectId>),
    /// Something that does not say what it is.
    Other(Node<'d>, ObjectId),
}

/// What the documents of a text are, where it holds manifests.
fn found(text: &Input) -> Vec<Found<'_>> {
    if !matches!(text.role, Role::Flux | Role::Manifest) {
        return Vec::new();
    }
    let found = |document| {
        let root = Doc::root(document).map(Node::resolved);
        let Some(root) = root.filter(|root| !root.is_null()) else {
            return Found::Nothing;
        };
        match identity(document) {
            Some(id) if !id.kind.is_empty() && !id.api_version.is_empty() => {
                let defines = text.role == Role::Manifest && defines_only(root);
                let stage = if defines {
                    Stage::Definitions
                } else {
                    Stage::of(&id.kind)
                };
                Found::Object(stage, id.into())
            }
            id => Found::Other(root, id.unwrap_or_default()),
        }
    };
    text.docs
        .par_iter()
        .with_max_len(AT_A_TIME)
        .map(found)
        .collect()
}

impl Plan {
    /// Says what is to be said of a document that is no manifest.
    fn refuse(&mut self, text: &Input, root: Node<'_>, id: &ObjectId) {
        let level = match text.role {
            Role::Flux if id.kind.is_empty() => Level::Warning,
            Role::Manifest if !text.explicit => {
                self.skipped += 1;
                return;
            }
            _ => Level::Error,
        };
        let message = no_manifest(root, id);
        let label = Label::new(first_line(root));
        let finding = Finding::new(WITHOUT_KIND, level, label, message);
        self.findings.push(match (level, text.role) {
            (Level::Warning, _) => finding.help("it is left out, as the operator leaves it out"),
            (_, Role::Manifest) => finding.help(
                "name manifests only; values go to `--values`, override tables to `--images`",
            ),
            _ => finding,
        });
    }
}

/// What is wrong with a document that does not say what it is.
pub(crate) fn no_manifest(root: Node<'_>, id: &ObjectId) -> String {
    if !root.is_mapping() {
        let found = if root.is_sequence() {
            "a list"
        } else {
            "a scalar"
        };
        format!("the document is {found}, expected an object with `apiVersion` and `kind`")
    } else if id.kind.is_empty() {
        "the document has no `kind`, expected an object with `apiVersion` and `kind`".to_owned()
    } else {
        format!(
            "the {} has no `apiVersion`, expected one beside `kind`",
            id.kind
        )
    }
}

/// The first line of a node, so that a finding does not show a whole document.
pub(crate) fn first_line(node: Node<'_>) -> crate::source::Span {
    let mut span = node.span();
    let line = node.doc().source.line_at(span.start).end;
    span.end = span
        .end
        .min(crate::yaml::split::offset(line))
        .max(span.start);
    span
}

/// What a document says it is; a field that is absent or no string is empty. `None` for what is
/// not a mapping.
pub(crate) fn identity(doc: &Doc) -> Option<ObjectId> {
    let root = doc.root()?.resolved();
    root.is_mapping().then(|| identity_of(root))
}

/// Whether it is a list of definitions and nothing else, which goes with the definitions.
fn defines_only(root: Node<'_>) -> bool {
    if !is_list(root) {
        return false;
    }
    let definition =
        |object: &Node<'_>| object.text_at(&["kind"]).map(Stage::of) == Some(Stage::Definitions);
    let objects = unrolled(root);
    !objects.is_empty() && objects.iter().all(definition)
}

/// What a mapping says it is.
pub(crate) fn identity_of(root: Node<'_>) -> ObjectId {
    let text = |route: &[&str]| match root
        .at(route)
        .and_then(|node| resolve(node, Reader::Kubernetes))
    {
        Some(Scalar::String(text)) => text,
        _ => "",
    };
    ObjectId {
        api_version: text(&["apiVersion"]).into(),
        kind: text(&["kind"]).into(),
        namespace: text(&["metadata", "namespace"]).to_owned(),
        name: text(&["metadata", "name"]).to_owned(),
    }
}

/// Whether an object is a List that kubectl and kustomize take apart: its kind says so, and it has
/// `items` (`spec/image-semantics.md` rules 80 and 81).
pub(crate) fn is_list(object: Node<'_>) -> bool {
    if !object.doc().traits.lists && object.id().0 == 0 {
        return false;
    }
    object
        .text_at(&["kind"])
        .is_some_and(|kind| kind.ends_with("List"))
        && object.at(&["items"]).is_some()
}

/// The objects of a document that may be of one of these kinds, Lists unrolled; one that surely
/// holds none is not looked into.
pub(crate) fn objects_of<'d>(doc: &'d Doc, kinds: &[&str]) -> Vec<Node<'d>> {
    if may_hold(doc, kinds) {
        doc.root().map(unrolled).unwrap_or_default()
    } else {
        Vec::new()
    }
}

/// Whether a document may hold an object of one of these kinds.
pub(crate) fn may_hold(doc: &Doc, kinds: &[&str]) -> bool {
    doc.traits.lists || kinds.iter().any(|kind| doc.traits.may_say(kind))
}

/// The objects that a document's root stands for: itself, or, of a List, its elements in order,
/// Lists among them in their place.
pub(crate) fn unrolled(root: Node<'_>) -> Vec<Node<'_>> {
    if !root.doc().traits.lists {
        return vec![root.resolved()];
    }
    let mut objects = Vec::new();
    let mut waiting = vec![root.resolved()];
    while let Some(node) = waiting.pop() {
        if !is_list(node) {
            objects.push(node);
            continue;
        }
        let items = node.at(&["items"]).into_iter().flat_map(Node::items);
        let from = waiting.len();
        waiting.extend(items.map(Node::resolved));
        waiting[from..].reverse();
    }
    objects
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::{Request, load};

    fn planned(text: &str) -> Plan {
        let request = Request {
            manifests: vec!["-".into()],
            ..Request::default()
        };
        plan(&load(&request, &mut text.as_bytes()).expect("readable"))
    }

    #[test]
    fn namespaces_and_crds_come_first_in_file_order() {
        let kinds = [
            "Deployment",
            "CustomResourceDefinition",
            "Service",
            "Namespace",
        ];
        let object = |kind| format!("apiVersion: v1\nkind: {kind}\nmetadata: {{name: x}}\n");
        let text = kinds.map(object).join("---\n");
        let order: Vec<_> = planned(&text)
            .objects
            .into_iter()
            .map(|it| it.id.kind.clone())
            .collect();
        assert_eq!(
            order,
            [
                "CustomResourceDefinition",
                "Namespace",
                "Deployment",
                "Service"
            ]
        );
    }

    #[test]
    fn a_list_of_definitions_alone_comes_first() {
        let list = |kinds: &[&str]| {
            let item = |kind: &&str| {
                format!("- {{apiVersion: v1, kind: {kind}, metadata: {{name: x}}}}\n")
            };
            let items: String = kinds.iter().map(item).collect();
            let text = format!("apiVersion: v1\nkind: List\nitems:\n{items}");
            planned(&text).objects[0].stage.number()
        };
        assert_eq!(list(&["Namespace", "CustomResourceDefinition"]), 1);
        assert_eq!(list(&["Namespace", "Pod"]), 2);
        assert_eq!(
            planned("apiVersion: v1\nkind: List\nitems: []\n").objects[0]
                .stage
                .number(),
            2
        );
    }

    #[test]
    fn blank_documents_are_left_out_and_others_refused() {
        let plan = planned("# nothing\n---\n~\n---\na: 1\n---\n- 1\n---\nkind: X\n");
        assert!(plan.objects.is_empty());
        let messages: Vec<_> = plan.findings.iter().map(|it| it.message.as_str()).collect();
        assert_eq!(messages.len(), 3, "{messages:?}");
        assert!(messages[1].contains("a list"));
        assert!(messages[2].contains("`apiVersion`"));
        assert!(
            plan.findings
                .iter()
                .all(|finding| finding.level == Level::Error)
        );
    }
}
