//! Where the real filter fails: what Flux says, where, and how to mend it.
//!
//! Source: `spec/image-semantics.md` section 13.

use super::Mode;
use super::record::Entry;
use super::tree::{CellId, MergeFault, Shape, Tree};
use super::walk::ShapeFault;
use crate::finding::{Finding, Label, Level};
use crate::model::pattern::PatternError;
use crate::source::{Source, Span};
use crate::yaml::{Doc, Malformed, Node};

/// The rule that these findings belong to.
pub(crate) const RULE: &str = "filter-refuses";

/// A failure of a build or of the legacy filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    span: Span,
    message: String,
    help: String,
}

/// A place to point at: the node itself, or at least a byte where it is empty.
fn place(node: Node<'_>) -> Span {
    let span = node.span();
    if node.is_mapping() && !node.is_flow() {
        return node.children().next().map_or(span, |key| key.span());
    }
    span
}

impl Refusal {
    /// A failure at a cell: what kustomize says of it.
    pub(crate) fn new(tree: &Tree<'_>, cell: CellId, says: &str, help: &str) -> Refusal {
        Refusal {
            span: place(tree.node(cell)),
            message: format!("kustomize refuses this: {says}"),
            help: help.to_owned(),
        }
    }

    /// A failure at a node.
    pub(crate) fn at(node: Node<'_>, says: &str, help: &str) -> Refusal {
        Refusal {
            span: place(node),
            message: format!("kustomize refuses this: {says}"),
            help: help.to_owned(),
        }
    }

    /// No object: none of the fields of rule 66.
    pub(crate) fn missing_metadata(tree: &Tree<'_>, root: CellId) -> Refusal {
        let help = "give it `apiVersion`, `kind` and `metadata.name`, or take the document out";
        Refusal::new(tree, root, "missing Resource metadata", help)
    }

    /// A list kind whose `items` is no list.
    pub(crate) fn list_items(tree: &Tree<'_>, list: CellId, items: CellId) -> Refusal {
        let found = match tree.shape(items) {
            Shape::Mapping => "map[string]interface {}",
            _ => "a scalar",
        };
        let kind = tree.field_text(list, "kind");
        let says = format!("expected array in {kind}/items, but found {found}");
        Refusal::new(tree, items, &says, "make `items` a list")
    }

    /// A second object of one identity.
    pub(crate) fn duplicate(tree: &Tree<'_>, root: CellId, id: &str) -> Refusal {
        let says = format!("may not add resource with an already registered id: {id}");
        Refusal::new(tree, root, &says, "keep one of the two objects")
    }

    /// A merge that kustomize cannot apply.
    pub(crate) fn merge(doc: &Doc, fault: &MergeFault) -> Refusal {
        let help = "merge an alias of a mapping, or write the keys out";
        Refusal::at(doc.node(fault.node), fault.message, help)
    }

    /// As a finding.
    pub(crate) fn finding(self) -> Finding {
        Finding::new(RULE, Level::Error, Label::new(self.span), self.message).help(self.help)
    }
}

/// An empty document, to the legacy filter.
pub(crate) fn empty(fault: &Malformed) -> Finding {
    Finding::new(RULE, Level::Error, Label::new(fault.span), fault.message.clone())
        .help("take the document out")
}

/// A name that is no pattern, met by an image.
pub(crate) fn pattern(
    tree: &Tree<'_>,
    image: CellId,
    entry: &Entry<'_>,
    error: &PatternError,
) -> Finding {
    let name = entry.entry.name();
    let span = entry.entry.name.as_ref().map_or(entry.entry.span, |name| name.span);
    let message = format!(
        "the name `{name}` is no regular expression to Go: {error}; kustomize stops with a nil \
         pointer at the first image"
    );
    Finding::new(RULE, Level::Error, Label::new(span), message)
        .help("escape the operators that are meant as text with `\\`")
        .related(Label::new(place(tree.node(image))).message("the image that it is tried on"))
}

/// A shape that stops the filter.
pub(crate) fn shape(
    tree: &Tree<'_>,
    fault: &ShapeFault,
    path: Option<&[&str]>,
    mode: Mode,
) -> Finding {
    let says = match path {
        Some(path) => format!("considering field '{}': {}", path.join("/"), fault.message),
        None => fault.message.clone(),
    };
    let help = match mode {
        Mode::Legacy => {
            "the operator looks at every `containers` and `initContainers`, in custom resources \
             too: each element must be a mapping and its `image` a text"
        }
        Mode::Build => {
            "helm-controller looks at every `containers` and `initContainers` and at the pod \
             fields under `spec` and `spec.template.spec`, in custom resources too: each element \
             must be a mapping and its `image` a text"
        }
    };
    Refusal::new(tree, fault.cell, &says, help).finding()
}

/// Text behind a separator where only blanks or a comment may stand.
pub(crate) fn separator(source: &Source, place: u32) -> Finding {
    let fault = Malformed::at(source, place as usize, "");
    let line = &source.text[source.line_at(place)];
    let message = format!("kustomize refuses this: invalid document separator: {}", line.trim());
    Finding::new(RULE, Level::Error, Label::new(fault.span), message)
        .help("begin the document on the line behind `---`")
}
