//! A document as kustomize holds it in memory: nodes that can be copied, merged and changed. What
//! does not change stays in the document; only changed and new cells are kept here.
//!
//! Source: kyaml v0.20.1 `yaml/rnode.go` (`DeAnchor`, `mergeAll`), `yaml/fns.go`
//! (`MapEntrySetter`, `FieldClearer`); `spec/image-semantics.md` rules 40, 55, 56.

mod way;

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::yaml::scalar::{Reader, Scalar, resolve};
use crate::yaml::{Children, Doc, Kind, Node, NodeId};
use way::Way;

/// How many nodes the copies of aliases may make before a document is refused.
const MOST_NODES: usize = 4_000_000;

/// The number of a cell in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct CellId(u32);

/// What a cell is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Keys and values in turn.
    Mapping,
    /// Elements.
    Sequence,
    /// A text.
    Scalar,
    /// A name for another cell.
    Alias(CellId),
}

impl Shape {
    /// Go's name for it, as in its messages.
    pub(crate) fn go_name(self) -> &'static str {
        match self {
            Shape::Mapping => "MappingNode",
            Shape::Sequence => "SequenceNode",
            Shape::Scalar => "ScalarNode",
            Shape::Alias(_) => "AliasNode",
        }
    }
}

/// A node in memory.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    /// What it is.
    pub(crate) shape: Shape,
    /// The node it was read from or copied of.
    pub(crate) origin: NodeId,
    /// The text that replaced its own.
    pub(crate) text: Option<Box<str>>,
    /// The tag that replaced its own: `Some("")` for none.
    pub(crate) tag: Option<&'static str>,
    /// Whether a plain text was quoted on the way.
    pub(crate) quoted: bool,
    pub(super) content: Vec<CellId>,
}

impl Cell {
    /// A scalar that came from `origin`.
    pub(crate) fn scalar(origin: NodeId) -> Cell {
        Cell {
            shape: Shape::Scalar,
            origin,
            text: None,
            tag: None,
            quoted: false,
            content: Vec::new(),
        }
    }
}

/// Why aliases cannot be replaced by what they name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MergeFault {
    /// Where.
    pub(crate) node: NodeId,
    /// What kustomize says.
    pub(crate) message: &'static str,
}

/// A document in memory.
#[derive(Debug)]
pub(crate) struct Tree<'d> {
    /// What it was read from. Its nodes are the first cells, by their numbers.
    pub(crate) doc: &'d Doc,
    /// How many these are.
    own: usize,
    /// Those of them that have changed.
    changed: BTreeMap<CellId, Cell>,
    /// The cells behind them.
    added: Vec<Cell>,
}

/// What is in a collection, in order.
pub(crate) enum Content<'t> {
    /// Of a cell that is kept.
    Kept(std::slice::Iter<'t, CellId>),
    /// Of a node as it was read.
    Read(Children<'t>),
}

impl Iterator for Content<'_> {
    type Item = CellId;

    fn next(&mut self) -> Option<CellId> {
        match self {
            Content::Kept(cells) => cells.next().copied(),
            Content::Read(nodes) => Some(CellId(nodes.next()?.id().0)),
        }
    }
}

impl<'d> Tree<'d> {
    /// The document as it is read, aliases still aliases, and its root.
    pub(crate) fn new(doc: &'d Doc) -> Option<(Tree<'d>, CellId)> {
        let root = CellId(doc.root()?.id().0);
        let tree = Tree {
            doc,
            own: doc.nodes().len(),
            changed: BTreeMap::new(),
            added: Vec::new(),
        };
        Some((tree, root))
    }

    /// The cell, where it is not just a node as it was read.
    fn kept(&self, id: CellId) -> Option<&Cell> {
        match (id.0 as usize).checked_sub(self.own) {
            Some(at) => Some(&self.added[at]),
            None if self.changed.is_empty() => None,
            None => self.changed.get(&id),
        }
    }

    /// A cell, to be changed.
    pub(crate) fn cell_mut(&mut self, id: CellId) -> &mut Cell {
        if let Some(at) = (id.0 as usize).checked_sub(self.own) {
            return &mut self.added[at];
        }
        let node = self.doc.node(NodeId(id.0));
        self.changed.entry(id).or_insert_with(|| Cell {
            shape: shape_of(node),
            content: node.children().map(|child| CellId(child.id().0)).collect(),
            ..Cell::scalar(node.id())
        })
    }

    /// What a cell is.
    pub(crate) fn shape(&self, id: CellId) -> Shape {
        match self.kept(id) {
            Some(cell) => cell.shape,
            None => shape_of(self.doc.node(NodeId(id.0))),
        }
    }

    /// The number of the node that a cell came from.
    pub(crate) fn origin(&self, id: CellId) -> NodeId {
        self.kept(id).map_or(NodeId(id.0), |cell| cell.origin)
    }

    /// The node that a cell came from.
    pub(crate) fn node(&self, id: CellId) -> Node<'d> {
        self.doc.node(self.origin(id))
    }

    /// Whether a plain text was quoted on the way.
    pub(crate) fn is_quoted(&self, id: CellId) -> bool {
        self.kept(id).is_some_and(|cell| cell.quoted)
    }

    /// Whether the text is still the one that was read.
    pub(crate) fn has_own_text(&self, id: CellId) -> bool {
        self.kept(id).is_none_or(|cell| cell.text.is_none())
    }

    /// What is in a cell: elements, or keys and values in turn.
    fn content(&self, id: CellId) -> Content<'_> {
        match self.kept(id) {
            Some(cell) => Content::Kept(cell.content.iter()),
            None => Content::Read(self.doc.node(NodeId(id.0)).children()),
        }
    }

    /// The text as Go's node holds it: a scalar's text, an alias's anchor name, nothing for a
    /// collection (rule 40).
    pub(crate) fn text(&self, id: CellId) -> &str {
        if let Some(text) = self.kept(id).and_then(|cell| cell.text.as_deref()) {
            return text;
        }
        match self.shape(id) {
            Shape::Scalar => self.node(id).text().unwrap_or_default(),
            Shape::Alias(target) => self.node(target).anchor().unwrap_or_default(),
            Shape::Mapping | Shape::Sequence => "",
        }
    }

    /// The same text, borrowed from the document where it is the document's own.
    pub(super) fn shared_text(&self, id: CellId) -> Cow<'d, str> {
        match self.kept(id) {
            None if self.shape(id) == Shape::Scalar => {
                Cow::Borrowed(self.node(id).text().unwrap_or_default())
            }
            _ => Cow::Owned(self.text(id).to_owned()),
        }
    }

    /// Whether Go's node has the tag `!!null`.
    pub(crate) fn is_null(&self, id: CellId) -> bool {
        match self.kept(id) {
            Some(Cell { tag: Some(tag), .. }) => *tag == "!!null",
            Some(Cell { text: Some(_), .. }) => false,
            _ => self.node(id).is_null(),
        }
    }

    /// What the scalar means to kustomize; `None` for anything else.
    pub(crate) fn scalar(&self, id: CellId) -> Option<Scalar<'_>> {
        if self.shape(id) != Shape::Scalar {
            return None;
        }
        let node = self.node(id);
        match self.kept(id).and_then(|cell| cell.text.as_deref()) {
            None if self.is_quoted(id) => Some(Scalar::String(self.text(id))),
            None => resolve(node, Reader::Kustomize),
            Some(text) if self.is_quoted(id) || node.kind() != Kind::Plain => {
                Some(Scalar::String(text))
            }
            Some(text) => Some(crate::yaml::scalar::plain(text, Reader::Kustomize)),
        }
    }

    /// The elements of a sequence.
    pub(crate) fn items(&self, id: CellId) -> Content<'_> {
        if self.shape(id) == Shape::Sequence {
            self.content(id)
        } else {
            Content::Kept([].iter())
        }
    }

    /// The entries of a mapping.
    pub(crate) fn entries(&self, id: CellId) -> impl Iterator<Item = (CellId, CellId)> {
        let mut content = if self.shape(id) == Shape::Mapping {
            self.content(id)
        } else {
            Content::Kept([].iter())
        };
        std::iter::from_fn(move || Some((content.next()?, content.next()?)))
    }

    /// The value of the first entry whose key has this text.
    pub(crate) fn get(&self, id: CellId, key: &str) -> Option<CellId> {
        self.entries(id)
            .find(|&(name, _)| self.text(name) == key)
            .map(|(_, value)| value)
    }

    /// Whether the value counts as absent in metadata: null, `{}` or `[]` (rule 66).
    pub(crate) fn is_nil_or_empty(&self, id: CellId) -> bool {
        self.is_null(id)
            || self.shape(id) != Shape::Scalar
                && !matches!(self.shape(id), Shape::Alias(_))
                && self.content(id).next().is_none()
    }

    /// A field that does not count as absent.
    pub(crate) fn field(&self, id: CellId, key: &str) -> Option<CellId> {
        self.get(id, key)
            .filter(|&value| !self.is_nil_or_empty(value))
    }

    /// The text of a field, empty where it is absent or no scalar.
    pub(crate) fn field_text(&self, id: CellId, key: &str) -> &str {
        self.field(id, key).map_or("", |value| self.text(value))
    }

    /// Adds a cell.
    pub(crate) fn add(&mut self, cell: Cell) -> CellId {
        self.added.push(cell);
        CellId(crate::yaml::split::offset(self.own + self.added.len() - 1))
    }

    /// A mapping or sequence of these cells that came from `origin`.
    pub(crate) fn add_collection(
        &mut self,
        shape: Shape,
        origin: NodeId,
        content: Vec<CellId>,
    ) -> CellId {
        self.add(Cell {
            shape,
            content,
            ..Cell::scalar(origin)
        })
    }

    /// A deep copy; aliases keep naming the same cells (kyaml `CopyYNode`).
    fn copy(&mut self, id: CellId) -> CellId {
        let mut cell = self.cell_mut(id).clone();
        cell.content = cell.content.iter().map(|&child| self.copy(child)).collect();
        self.add(cell)
    }

    /// Whether all cells are the document's nodes, each used just where it stands.
    pub(crate) fn is_straight(&self) -> bool {
        self.added.is_empty() && self.doc.is_straight()
    }

    /// The first own cell behind the subtree of an own cell.
    pub(crate) fn behind(&self, id: CellId) -> CellId {
        CellId(self.doc.node(NodeId(id.0)).behind().0)
    }

    /// Whether the document needs [`Tree::de_anchor`]: without aliases and merge keys it changes
    /// nothing that can be seen.
    pub(crate) fn has_aliases_or_merges(doc: &Doc) -> bool {
        !doc.is_straight()
            && doc
                .nodes()
                .any(|node| node.kind() == Kind::Alias || node.text() == Some("<<"))
    }

    /// Replaces aliases by copies and applies merge keys one level deep, in kustomize's order and
    /// with its sharing of nodes (rules 55, 56).
    pub(crate) fn de_anchor(&mut self, id: CellId) -> Result<CellId, MergeFault> {
        self.de_anchor_below(id, &mut Way::default())
    }

    fn de_anchor_below(&mut self, id: CellId, way: &mut Way) -> Result<CellId, MergeFault> {
        let origin = self.origin(id);
        if self.own + self.added.len() > MOST_NODES {
            return Err(MergeFault {
                node: origin,
                message: "too many copies of aliases",
            });
        }
        match self.shape(id) {
            Shape::Scalar => Ok(id),
            Shape::Alias(target) => {
                if way.aliases.contains(&target) {
                    let message = "an alias inside its own anchor";
                    return Err(MergeFault {
                        node: origin,
                        message,
                    });
                }
                way.aliases.push(target);
                let result = self.de_anchor_below(target, way)?;
                way.aliases.pop();
                Ok(self.copy(result))
            }
            Shape::Mapping | Shape::Sequence => {
                let open = way.merged.len();
                if self.shape(id) == Shape::Mapping {
                    let sources = self.remove_merge_keys(id)?;
                    if way.has_merged_twice(origin) && !sources.is_empty() {
                        let message = "a merge of a mapping that it stands in";
                        return Err(MergeFault {
                            node: origin,
                            message,
                        });
                    }
                    way.merged.extend((!sources.is_empty()).then_some(origin));
                    self.merge_all(id, &sources);
                }
                for at in 0..self.cell_mut(id).content.len() {
                    let child = self.cell_mut(id).content[at];
                    let result = self.de_anchor_below(child, way)?;
                    self.cell_mut(id).content[at] = result;
                }
                way.merged.truncate(open);
                Ok(id)
            }
        }
    }

    fn remove_merge_keys(&mut self, id: CellId) -> Result<Vec<CellId>, MergeFault> {
        let mut value = None;
        for (key, merged) in self.entries(id) {
            if is_merge_key(self.node(key)) {
                if value.is_some() {
                    let node = self.origin(key);
                    return Err(MergeFault {
                        node,
                        message: "duplicate merge key",
                    });
                }
                value = Some(merged);
            }
        }
        let sources = match value {
            Some(value) => self.merge_sources(value)?,
            None => Vec::new(),
        };
        let quoted_too = self.entries(id).position(|(key, _)| self.text(key) == "<<");
        if let Some(at) = quoted_too {
            self.cell_mut(id).content.drain(2 * at..2 * at + 2);
        }
        Ok(sources)
    }

    fn merge_sources(&self, value: CellId) -> Result<Vec<CellId>, MergeFault> {
        let fault = |message| {
            Err(MergeFault {
                node: self.origin(value),
                message,
            })
        };
        match self.shape(value) {
            Shape::Mapping => Ok(vec![value]),
            Shape::Alias(target) if self.shape(target) == Shape::Mapping => Ok(vec![target]),
            Shape::Alias(_) => fault("invalid map merge: received alias for a non-map value"),
            Shape::Sequence => {
                let mut sources = Vec::new();
                for item in self.items(value) {
                    if self.shape(item) == Shape::Sequence {
                        return fault("invalid map merge: received a nested sequence");
                    }
                    let mut first = self.merge_sources(item)?;
                    first.append(&mut sources);
                    sources = first;
                }
                Ok(sources)
            }
            Shape::Scalar => fault("map merge requires map or sequence of maps as the value"),
        }
    }

    /// Sets the entries of each source, then its own, on a copy that takes the mapping's place.
    fn merge_all(&mut self, id: CellId, sources: &[CellId]) {
        let result = self.copy(id);
        for &source in sources.iter().chain([&id]) {
            let source = self.copy(source);
            let pairs: Vec<(CellId, CellId)> = self.entries(source).collect();
            for &(key, _) in &pairs {
                let first = pairs
                    .iter()
                    .find(|&&(name, _)| self.text(name) == self.text(key));
                if let Some(&(key, value)) = first {
                    self.set_entry(result, key, value);
                }
            }
        }
        let merged = self.cell_mut(result).content.clone();
        self.cell_mut(id).content = merged;
    }

    fn set_entry(&mut self, id: CellId, key: CellId, value: CellId) {
        let name = if self.is_null(key) {
            ""
        } else {
            self.text(key)
        };
        let at = self.entries(id).position(|(own, _)| self.text(own) == name);
        match at {
            Some(at) => {
                let content = &mut self.cell_mut(id).content;
                content[2 * at] = key;
                content[2 * at + 1] = value;
            }
            None => self.cell_mut(id).content.extend([key, value]),
        }
    }
}

fn shape_of(node: Node<'_>) -> Shape {
    match node.kind() {
        Kind::Mapping => Shape::Mapping,
        Kind::Sequence => Shape::Sequence,
        Kind::Alias => Shape::Alias(CellId(node.target().expect("an alias has a target").id().0)),
        _ => Shape::Scalar,
    }
}

/// Whether Go's reader gives the key the tag `!!merge`: a plain `<<`, or that tag written out.
pub(crate) fn is_merge_key(key: Node<'_>) -> bool {
    match key.tag() {
        Some(tag) => tag == "!!merge",
        None => key.kind() == Kind::Plain && key.text() == Some("<<"),
    }
}
