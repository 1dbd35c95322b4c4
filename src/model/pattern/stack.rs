//! The stack on which an expression is put together, with the limits that Go sets to it.
//!
//! The order of the steps is that of Go's `regexp/syntax` (1.25), as the limits are tested at each
//! of them. Common prefixes of alternatives are not drawn out: that changes no match, and moves the
//! limits of [`MAX_HEIGHT`] by a few levels at most.

use super::fault::Code;
use super::syntax::{Flags, Kind, Node, Times};

/// The greatest height of a tree, and the number of nodes before it is looked at.
const MAX_HEIGHT: u32 = 1000;

/// The greatest size of a tree: 128 MiB of instructions of 40 bytes.
const MAX_SIZE: u64 = (128 << 20) / 40;

/// The greatest product of nested counted repetitions.
const MAX_REPEAT: u32 = 1000;

/// What lies on the stack.
#[derive(Debug)]
enum Slot {
    Node(Node),
    Group { captures: bool, outside: Flags },
    Bar,
}

/// The stack and the counts that decide whether Go looks at the limits.
#[derive(Debug)]
pub(super) struct Stack {
    slots: Vec<Slot>,
    /// Nodes that Go has allocated, and those of them that it can use again.
    nodes: u64,
    free: u64,
    /// The product of the counted repetitions so far.
    repeats: u64,
    /// Whether sizes are looked at; once they are, a literal that grows keeps its size.
    measuring: bool,
}

impl Stack {
    /// An empty stack.
    pub(super) fn new() -> Stack {
        Stack {
            slots: Vec::new(),
            nodes: 0,
            free: 0,
            repeats: 1,
            measuring: false,
        }
    }

    fn allocate(&mut self) {
        if self.free > 0 {
            self.free -= 1;
        } else {
            self.nodes += 1;
        }
    }

    fn check(&mut self, node: &Node) -> Result<(), Code> {
        if !self.measuring {
            if let Kind::Repeat(_, Times::Counted { min, max }) = node.kind {
                let times = u64::from(max.unwrap_or(min)).max(1);
                let over = times > MAX_SIZE / self.repeats;
                self.repeats = if over { MAX_SIZE } else { self.repeats * times };
            }
            self.measuring = self.nodes >= MAX_SIZE / self.repeats;
            let too_large = |slot: &Slot| matches!(slot, Slot::Node(node) if node.size > MAX_SIZE);
            if self.measuring && self.slots.iter().any(too_large) {
                return Err(Code::TooLarge);
            }
        }
        if self.measuring && node.size > MAX_SIZE {
            return Err(Code::TooLarge);
        }
        if self.nodes >= u64::from(MAX_HEIGHT) && node.height > MAX_HEIGHT {
            return Err(Code::TooDeep);
        }
        Ok(())
    }

    /// Adds a node that was just read.
    pub(super) fn add(&mut self, kind: Kind) -> Result<(), Code> {
        self.allocate();
        self.push(Node::new(kind))
    }

    fn push(&mut self, mut node: Node) -> Result<(), Code> {
        let single = if let Kind::Class(class) = &node.kind {
            class.single()
        } else {
            None
        };
        let joined = self.join();
        match single {
            Some((letter, fold)) => {
                node = Node::literal(letter, fold);
                // Go forgets the node of the class here instead of using it again.
                if joined {
                    self.slots.push(Slot::Node(node));
                    return Ok(());
                }
            }
            None if joined => self.free += 1,
            None => {}
        }
        node.measure();
        self.check(&node)?;
        self.slots.push(Slot::Node(node));
        Ok(())
    }

    /// Joins the two topmost literals; an operator can no longer reach the upper one.
    fn join(&mut self) -> bool {
        let [.., Slot::Node(lower), Slot::Node(upper)] = self.slots.as_mut_slice() else {
            return false;
        };
        let (
            Kind::Literal { text, fold },
            Kind::Literal {
                text: more,
                fold: same,
            },
        ) = (&mut lower.kind, &upper.kind)
        else {
            return false;
        };
        if fold != same {
            return false;
        }
        text.extend(more);
        if !self.measuring {
            lower.measure();
        }
        self.slots.pop();
        true
    }

    fn push_mark(&mut self, mark: Slot) {
        self.allocate();
        if self.join() {
            self.free += 1;
        }
        self.slots.push(mark);
    }

    /// Opens a group; `outside` holds after it.
    pub(super) fn open(&mut self, captures: bool, outside: Flags) {
        self.push_mark(Slot::Group { captures, outside });
    }

    /// Closes the innermost group and gives the flags that hold after it.
    pub(super) fn close(&mut self) -> Result<Flags, Code> {
        self.end_alternatives()?;
        let inside = self.slots.pop();
        let (Some(Slot::Node(inside)), Some(Slot::Group { captures, outside })) =
            (inside, self.slots.pop())
        else {
            return Err(Code::UnexpectedParen);
        };
        let node = if captures {
            Node::new(Kind::Capture(Box::new(inside)))
        } else {
            inside
        };
        self.push(node)?;
        Ok(outside)
    }

    /// Ends an alternative.
    pub(super) fn bar(&mut self) -> Result<(), Code> {
        self.concatenate()?;
        if !self.move_below_bar() {
            self.push_mark(Slot::Bar);
        }
        Ok(())
    }

    /// Repeats the topmost node.
    pub(super) fn repeat(&mut self, times: Times) -> Result<(), Code> {
        let Some(Slot::Node(_)) = self.slots.last() else {
            return Err(Code::MissingRepeatArgument);
        };
        let Some(Slot::Node(node)) = self.slots.pop() else {
            return Err(Code::MissingRepeatArgument);
        };
        self.allocate();
        let node = Node::new(Kind::Repeat(Box::new(node), times));
        self.check(&node)?;
        if let Times::Counted { min, max } = times
            && (min >= 2 || max.is_some_and(|max| max >= 2))
            && !node.repeats_within(MAX_REPEAT)
        {
            return Err(Code::RepeatSize);
        }
        self.slots.push(Slot::Node(node));
        Ok(())
    }

    /// The tree of all that was added.
    pub(super) fn finish(mut self) -> Result<Node, Code> {
        self.end_alternatives()?;
        match (self.slots.pop(), self.slots.is_empty()) {
            (Some(Slot::Node(node)), true) => Ok(node),
            _ => Err(Code::MissingParen),
        }
    }

    fn end_alternatives(&mut self) -> Result<(), Code> {
        self.concatenate()?;
        if self.move_below_bar() {
            self.slots.pop();
        }
        let nodes = self.take_nodes();
        let node = self.collapse(nodes, true);
        self.push(node)
    }

    fn concatenate(&mut self) -> Result<(), Code> {
        if self.join() {
            self.free += 1;
        }
        let nodes = self.take_nodes();
        if nodes.is_empty() {
            return self.add(Kind::Empty);
        }
        let node = self.collapse(nodes, false);
        self.push(node)
    }

    /// The nodes above the topmost mark.
    fn take_nodes(&mut self) -> Vec<Node> {
        let is_mark = |slot: &Slot| !matches!(slot, Slot::Node(_));
        let from = self
            .slots
            .iter()
            .rposition(is_mark)
            .map_or(0, |mark| mark + 1);
        let nodes = self.slots.drain(from..).filter_map(|slot| match slot {
            Slot::Node(node) => Some(node),
            Slot::Group { .. } | Slot::Bar => None,
        });
        nodes.collect()
    }

    /// One node of all; children of the same kind are taken in.
    fn collapse(&mut self, mut nodes: Vec<Node>, alternatives: bool) -> Node {
        if nodes.len() == 1
            && let Some(node) = nodes.pop()
        {
            return node;
        }
        self.allocate();
        let mut flat = Vec::with_capacity(nodes.len());
        for mut node in nodes {
            match &mut node.kind {
                Kind::Alternate(children) if alternatives => flat.append(children),
                Kind::Concat(children) if !alternatives => flat.append(children),
                _ => {
                    flat.push(node);
                    continue;
                }
            }
            self.free += 1;
        }
        Node::new(if alternatives {
            Kind::Alternate(flat)
        } else {
            Kind::Concat(flat)
        })
    }

    /// Moves the topmost node below the bar under it, if there is one; a node that takes one code
    /// point is united with the one there if that takes one too.
    fn move_below_bar(&mut self) -> bool {
        if let [.., Slot::Node(below), Slot::Bar, Slot::Node(top)] = self.slots.as_mut_slice()
            && below.takes_one()
            && top.takes_one()
        {
            unite(below, top);
            self.slots.pop();
            self.free += 1;
            return true;
        }
        match self.slots.as_mut_slice() {
            [.., bar @ Slot::Bar, top] => {
                std::mem::swap(bar, top);
                true
            }
            _ => false,
        }
    }
}

/// Makes `into` take what either takes.
fn unite(into: &mut Node, from: &mut Node) {
    if into.kind == from.kind {
        return;
    }
    let mut members = Vec::new();
    for node in [&mut *into, from] {
        match &mut node.kind {
            Kind::Set(children) => members.append(children),
            _ => members.push(node.clone()),
        }
    }
    *into = Node::new(Kind::Set(members));
}
