//! An object as the rules see it: its text, what it is, and what builds and charts make of it.

use crate::finding::{Label, ObjectId};
use crate::model::field;
use crate::resolve::builds::{DocPlace, Facts, key};
use crate::resolve::plan::{first_line, identity_of};
use crate::yaml::{Doc, Node};

/// An object among the inputs.
#[derive(Clone, Debug)]
pub(crate) struct Subject<'c> {
    /// Its document.
    pub(crate) doc: &'c Doc,
    /// Its mapping; `None` where the document has none.
    pub(crate) node: Option<Node<'c>>,
    /// What it is.
    pub(crate) id: ObjectId,
    /// Whether it is one of Flux's own.
    pub(crate) flux: bool,
    /// The place of its document.
    pub(crate) place: DocPlace,
    /// The path of its file below the PATH that was given, to tell which old file became which new
    /// one.
    pub(crate) below: String,
    /// What builds make of it.
    pub(crate) facts: Facts,
    /// The HelmRelease whose chart rendered it, as namespace and name: told on the command line, or
    /// by the labels that helm-controller puts on.
    pub(crate) rendered_by: Option<(String, String)>,
}

impl<'c> Subject<'c> {
    /// A document as one object, whatever it holds.
    pub(crate) fn new(doc: &'c Doc, id: ObjectId) -> Subject<'c> {
        Subject {
            node: doc.root().map(Node::resolved),
            doc,
            id,
            flux: false,
            place: DocPlace::default(),
            below: String::new(),
            facts: Facts::default(),
            rendered_by: None,
        }
    }

    /// An object of a document, which may be an element of a List.
    pub(crate) fn of(doc: &'c Doc, node: Node<'c>) -> Subject<'c> {
        let label = |what: &str| {
            let name = format!("helm.toolkit.fluxcd.io/{what}");
            field::label(node, &name).map(str::to_owned)
        };
        Subject {
            node: Some(node),
            rendered_by: label("namespace").zip(label("name")),
            ..Subject::new(doc, identity_of(node))
        }
    }

    /// The object's mapping.
    pub(crate) fn root(&self) -> Option<Node<'c>> {
        self.node
    }

    /// The place of its name, or of the whole document.
    pub(crate) fn label(&self) -> Label {
        let name = self.root().and_then(|root| root.at(&["metadata", "name"]));
        Label::new(name.map_or(self.doc.span(), Node::span)).object(&self.id)
    }

    /// A place in it.
    pub(crate) fn at(&self, node: Node<'_>) -> Label {
        Label::new(first_line(node)).object(&self.id)
    }

    /// What makes it one object with others.
    pub(crate) fn key(&self) -> (String, String, String, String) {
        key(&self.id)
    }

    /// The namespaces that it may come to stand in: those that builds put it into, else its own;
    /// empty where it names none and nothing tells.
    pub(crate) fn namespaces(&self) -> Vec<&str> {
        if !self.facts.namespaces.is_empty() {
            return self.facts.namespaces.iter().map(String::as_str).collect();
        }
        let own = self.id.namespace.as_str();
        if own.is_empty() {
            Vec::new()
        } else {
            vec![own]
        }
    }

    /// Whether two objects may come to stand in one namespace.
    pub(crate) fn may_share_namespace(&self, other: &Subject<'_>) -> bool {
        let (own, others) = (self.namespaces(), other.namespaces());
        own.is_empty() || others.is_empty() || own.iter().any(|name| others.contains(name))
    }
}
