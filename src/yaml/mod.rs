//! Text to tree and back. Knows nothing of Kubernetes.
//!
//! A file is cut into pieces at its `---` lines ([`split`]), each piece is read on its own into a
//! [`Doc`] ([`parse`], and [`plain`] where it is written the plain way), whose nodes keep their byte
//! spans. Changes are [`edit`]s of the text, never
//! of the tree. What a scalar means depends on the reader ([`scalar`]), and so does a tree as JSON
//! ([`json`]).

pub(crate) mod edit;
pub(crate) mod emit;
pub(crate) mod insert;
pub(crate) mod json;
pub(crate) mod parse;
pub(crate) mod path;
mod plain;

pub(crate) mod scalar;
pub(crate) mod split;
mod strict;
pub(crate) mod timestamp;
pub(crate) mod token;
pub(crate) mod traits;
mod words;
pub(crate) mod write;

use std::fmt;
use std::sync::Arc;

use crate::source::{Source, Span};

#[cfg(any(test, feature = "laws"))]
pub(crate) use parse::read_first;
pub(crate) use parse::{Malformed, PieceReader, Reading, read_all, read_piece};
pub(crate) use path::{Path, Step};
pub(crate) use traits::Traits;

/// How a node is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A plain scalar; an absent value is a plain scalar of no length.
    Plain,
    /// `'…'`
    SingleQuoted,
    /// `"…"`
    DoubleQuoted,
    /// `|`
    Literal,
    /// `>`
    Folded,
    /// A sequence, by lines or in brackets.
    Sequence,
    /// A mapping, by lines or in braces.
    Mapping,
    /// `*name`
    Alias,
}

impl Kind {
    /// Whether a node of this kind has text of its own.
    pub(crate) fn is_scalar(self) -> bool {
        !matches!(self, Kind::Sequence | Kind::Mapping | Kind::Alias)
    }
}

/// The number of a node in its document, in the order of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(pub(crate) u32);

/// Where a scalar's text is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Text {
    /// It stands in the source as its kind says: the whole span, or what is inside the quotes.
    Written,
    /// It stands in the source as it is, in this byte range.
    Source(u32, u32),
    /// It was decoded: the byte range in [`Doc::decoded`].
    Decoded(u32, u32),
    /// The target of an alias.
    Target(NodeId),
}

/// One node, kept small: a large estate has some two nodes a line. Children follow their parent;
/// `next` skips a whole subtree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct NodeData {
    /// The first byte of the value, after tag and anchor.
    start: u32,
    /// One past its last byte.
    end: u32,
    /// The number of the first node behind this one's subtree.
    next: u32,
    /// How it is written.
    kind: Kind,
    /// Whether it stands inside brackets or braces, or opens with one.
    flow: bool,
    /// Whether [`Doc::extras`] has more about it.
    extra: bool,
}

/// What few nodes have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Extra {
    /// The node's number.
    node: u32,
    /// Where its text is.
    text: Text,
    /// One more than the place in [`Doc::properties`]; 0 for none.
    properties: u32,
}

/// A node's tag and anchor.
#[derive(Clone, Debug, Default)]
struct Properties {
    /// The resolved tag, with `!!` for YAML's own.
    tag: Option<Box<str>>,
    /// Where the tag is written.
    tag_span: Option<(u32, u32)>,
    /// The anchor's name.
    anchor: Option<Box<str>>,
    /// Where `&name` is written.
    anchor_span: Option<(u32, u32)>,
}

/// One document: the nodes of one piece of a source.
#[derive(Clone)]
pub(crate) struct Doc {
    /// The text it was read from.
    pub(crate) source: Arc<Source>,
    /// The piece: from behind the separator line to before the next one.
    pub(crate) start: u32,
    /// One past the last byte of the piece.
    pub(crate) end: u32,
    /// Where a second document begins in the piece, which Go's readers drop without a word.
    pub(crate) dropped: Option<u32>,
    nodes: Box<[NodeData]>,
    /// By the number of the node.
    extras: Box<[Extra]>,
    /// All decoded texts, one behind the other.
    decoded: Box<str>,
    properties: Box<[Properties]>,
    /// What it may hold that is rare.
    pub(crate) traits: Traits,
}

impl fmt::Debug for Doc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Doc({} {}..{})", self.source.path, self.start, self.end)
    }
}

impl Doc {
    /// The root; `None` for a piece without any node (blank, or only comments).
    pub(crate) fn root(&self) -> Option<Node<'_>> {
        (!self.nodes.is_empty()).then_some(Node {
            doc: self,
            id: NodeId(0),
        })
    }

    /// The node of that number.
    pub(crate) fn node(&self, id: NodeId) -> Node<'_> {
        Node { doc: self, id }
    }

    /// Every node in the order of the text.
    pub(crate) fn nodes(&self) -> impl ExactSizeIterator<Item = Node<'_>> {
        (0..self.nodes.len()).map(|id| Node {
            doc: self,
            id: NodeId(u32::try_from(id).expect("a node takes at least a byte of a u32 range")),
        })
    }

    /// Whether every node is used just where it stands: neither anchors nor tags, and no text that
    /// could be a merge key.
    pub(crate) fn is_straight(&self) -> bool {
        self.properties.is_empty() && !self.traits.merges
    }

    /// Whether some text in it means something else than what is written.
    pub(crate) fn has_decoded(&self) -> bool {
        !self.decoded.is_empty()
    }

    /// Whether an anchor or a tag is written in it.
    pub(crate) fn has_anchors(&self) -> bool {
        !self.properties.is_empty()
    }

    /// The piece as a span.
    pub(crate) fn span(&self) -> Span {
        Span {
            source: self.source.id,
            start: self.start,
            end: self.end,
        }
    }

    /// The piece's text.
    pub(crate) fn text(&self) -> &str {
        &self.source.text[self.start as usize..self.end as usize]
    }
}

/// A node of a document.
#[derive(Clone, Copy)]
pub(crate) struct Node<'d> {
    doc: &'d Doc,
    id: NodeId,
}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:?}@{}..{}",
            self.kind(),
            self.data().start,
            self.data().end
        )
    }
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Node<'_>) -> bool {
        std::ptr::eq(self.doc, other.doc) && self.id == other.id
    }
}

impl<'d> Node<'d> {
    fn data(self) -> &'d NodeData {
        &self.doc.nodes[self.id.0 as usize]
    }

    /// Its number.
    pub(crate) fn id(self) -> NodeId {
        self.id
    }

    /// Its document.
    pub(crate) fn doc(self) -> &'d Doc {
        self.doc
    }

    /// How it is written.
    pub(crate) fn kind(self) -> Kind {
        self.data().kind
    }

    /// Whether it is written in, or opens with, brackets or braces.
    pub(crate) fn is_flow(self) -> bool {
        self.data().flow
    }

    /// Where its value stands: without tag and anchor, with quotes and brackets.
    pub(crate) fn span(self) -> Span {
        let data = self.data();
        Span {
            source: self.doc.source.id,
            start: data.start,
            end: data.end,
        }
    }

    /// How many bytes its span has.
    pub(crate) fn length(self) -> u32 {
        let data = self.data();
        data.end - data.start
    }

    /// The bytes of its span.
    pub(crate) fn written(self) -> &'d str {
        &self.doc.source.text[self.span().range()]
    }

    /// The scalar's text, decoded; `None` for collections and aliases.
    pub(crate) fn text(self) -> Option<&'d str> {
        let data = self.data();
        let (start, end) = match self.extra().map_or(Text::Written, |extra| extra.text) {
            Text::Written => match data.kind {
                Kind::Plain => (data.start, data.end),
                Kind::SingleQuoted | Kind::DoubleQuoted => (data.start + 1, data.end - 1),
                _ => return None,
            },
            Text::Source(start, end) => (start, end),
            Text::Decoded(start, end) => {
                return Some(&self.doc.decoded[start as usize..end as usize]);
            }
            Text::Target(_) => return None,
        };
        Some(&self.doc.source.text[start as usize..end as usize])
    }

    /// Whether it is a scalar of just this text.
    pub(crate) fn is_text(self, text: &str) -> bool {
        let data = self.data();
        if data.kind == Kind::Plain && !data.extra {
            // The length tells nearly all of them apart.
            let length = (data.end - data.start) as usize;
            return length == text.len() && self.written() == text;
        }
        self.text() == Some(text)
    }

    fn extra(self) -> Option<&'d Extra> {
        if !self.data().extra {
            return None;
        }
        let extras = &self.doc.extras;
        let at = extras.partition_point(|extra| extra.node < self.id.0);
        extras.get(at)
    }

    fn properties(self) -> Option<&'d Properties> {
        match self.extra()?.properties {
            0 => None,
            at => Some(&self.doc.properties[at as usize - 1]),
        }
    }

    /// The resolved tag (`!!str`, `!foo`), where one is written.
    pub(crate) fn tag(self) -> Option<&'d str> {
        self.properties()?.tag.as_deref()
    }

    /// Where the tag is written.
    pub(crate) fn tag_span(self) -> Option<Span> {
        self.properties()?.tag_span.map(|(start, end)| Span {
            start,
            end,
            ..self.span()
        })
    }

    /// The anchor's name, where one is written.
    pub(crate) fn anchor(self) -> Option<&'d str> {
        self.properties()?.anchor.as_deref()
    }

    /// Where `&name` is written.
    pub(crate) fn anchor_span(self) -> Option<Span> {
        self.properties()?.anchor_span.map(|(start, end)| Span {
            start,
            end,
            ..self.span()
        })
    }

    /// What an alias names; `None` for every other node.
    pub(crate) fn target(self) -> Option<Node<'d>> {
        match self.extra()?.text {
            Text::Target(id) => Some(Node { id, ..self }),
            _ => None,
        }
    }

    /// The node itself, or what it is an alias of. An anchor never stands on an alias, so one
    /// step is enough. An alias inside of its own anchor stays what it is: whoever follows aliases
    /// goes from there only to earlier nodes, and so comes to an end.
    pub(crate) fn resolved(self) -> Node<'d> {
        let target = self.target().filter(|target| !target.encloses(self));
        target.unwrap_or(self)
    }

    /// Whether another node of its document is in its subtree, or is itself.
    pub(crate) fn encloses(self, other: Node<'_>) -> bool {
        (self.id..self.end()).contains(&other.id)
    }

    /// Whether it is a mapping.
    pub(crate) fn is_mapping(self) -> bool {
        self.kind() == Kind::Mapping
    }

    /// Whether it is a sequence.
    pub(crate) fn is_sequence(self) -> bool {
        self.kind() == Kind::Sequence
    }

    /// Whether every reader takes it for null: a plain `~`, `null` or nothing, or the tag `!!null`.
    pub(crate) fn is_null(self) -> bool {
        match self.tag() {
            Some(tag) => tag == "!!null",
            None => {
                self.kind() == Kind::Plain
                    && matches!(self.text(), Some("" | "~" | "null" | "Null" | "NULL"))
            }
        }
    }

    /// The number of the first node behind its subtree.
    pub(crate) fn end(self) -> NodeId {
        NodeId(self.data().next.max(self.id.0 + 1))
    }

    /// The direct children of a collection, a mapping's keys and values in turn.
    pub(crate) fn children(self) -> Children<'d> {
        let data = self.data();
        let first = self.id.0 + 1;
        Children {
            doc: self.doc,
            at: first,
            end: data.next.max(first),
        }
    }

    /// The number of the first node behind its subtree.
    pub(crate) fn behind(self) -> NodeId {
        NodeId(self.data().next)
    }

    /// The elements of a sequence; nothing for any other node.
    pub(crate) fn items(self) -> Children<'d> {
        if self.is_sequence() {
            self.children()
        } else {
            Children {
                doc: self.doc,
                at: 0,
                end: 0,
            }
        }
    }

    /// The entries of a mapping in order, repeats included; nothing for any other node.
    pub(crate) fn entries(self) -> impl Iterator<Item = (Node<'d>, Node<'d>)> {
        let mut children = if self.is_mapping() {
            self.children()
        } else {
            Children {
                doc: self.doc,
                at: 0,
                end: 0,
            }
        };
        std::iter::from_fn(move || Some((children.next()?, children.next()?)))
    }

    /// The key and value of the first entry whose key has this text.
    pub(crate) fn entry(self, key: &str) -> Option<(Node<'d>, Node<'d>)> {
        self.entries().find(|(name, _)| name.is_text(key))
    }

    /// The value of the first entry whose key has this text. Aliases are not followed.
    pub(crate) fn get(self, key: &str) -> Option<Node<'d>> {
        self.entry(key).map(|(_, value)| value)
    }

    /// The value under a route of keys, aliases followed at every step.
    pub(crate) fn at(self, route: &[&str]) -> Option<Node<'d>> {
        let mut node = self.resolved();
        for key in route {
            node = node.get(key)?.resolved();
        }
        Some(node)
    }

    /// The text of the scalar under a route of keys.
    pub(crate) fn text_at(self, route: &[&str]) -> Option<&'d str> {
        self.at(route)?.text()
    }
}

/// The direct children of a node.
#[derive(Clone)]
pub(crate) struct Children<'d> {
    doc: &'d Doc,
    at: u32,
    end: u32,
}

impl<'d> Iterator for Children<'d> {
    type Item = Node<'d>;

    fn next(&mut self) -> Option<Node<'d>> {
        if self.at >= self.end {
            return None;
        }
        let node = Node {
            doc: self.doc,
            id: NodeId(self.at),
        };
        self.at = node.data().next;
        Some(node)
    }
}
