//! A node of a syntax tree, and access to its relatives.

use std::ops::Range;

use super::arena::{Data, NONE, Tree};
use super::kinds::{Field, Kind};

/// A node of a [`Tree`].
#[derive(Clone, Copy)]
pub struct Node<'t> {
    tree: &'t Tree,
    id: u32,
}

impl Tree {
    /// The root node.
    pub fn root(&self) -> Node<'_> {
        Node { tree: self, id: 0 }
    }
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.tree, other.tree) && self.id == other.id
    }
}

impl std::fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}@{:?}", self.kind(), self.range())
    }
}

impl<'t> Node<'t> {
    fn data(self) -> &'t Data {
        &self.tree.nodes[self.id as usize]
    }

    fn at(self, id: u32) -> Option<Self> {
        (id != NONE).then_some(Self {
            tree: self.tree,
            id,
        })
    }

    pub fn kind(self) -> Kind {
        self.data().kind
    }

    pub fn is(self, kind: Kind) -> bool {
        self.kind() == kind
    }

    /// Its role in its parent.
    pub fn field(self) -> Field {
        self.data().field
    }

    pub fn start(self) -> usize {
        self.data().start as usize
    }

    pub fn end(self) -> usize {
        self.data().end as usize
    }

    pub fn range(self) -> Range<usize> {
        self.start()..self.end()
    }

    /// Whether it is a rule of the grammar, not a token.
    pub fn is_named(self) -> bool {
        self.data().named
    }

    /// Whether the parser had to guess or skip anything inside.
    pub fn has_error(self) -> bool {
        self.data().error
    }

    /// The first place inside where the parser had to guess or skip something.
    pub fn first_error(self) -> Option<Self> {
        let mut node = self.has_error().then_some(self)?;
        while !node.is(Kind::Error) {
            match node.children().find(|child| child.has_error()) {
                Some(child) => node = child,
                // A token that the parser inserted.
                None => break,
            }
        }
        Some(node)
    }

    pub fn parent(self) -> Option<Self> {
        self.at(self.data().parent)
    }

    pub fn next_sibling(self) -> Option<Self> {
        self.at(self.data().next)
    }

    /// All children, tokens included.
    pub fn children(self) -> impl Iterator<Item = Self> + use<'t> {
        let mut next = self.at(self.data().first);
        std::iter::from_fn(move || {
            let node = next?;
            next = node.next_sibling();
            Some(node)
        })
    }

    /// The children that are not tokens.
    pub fn named_children(self) -> impl Iterator<Item = Self> + use<'t> {
        self.children().filter(|node| node.is_named())
    }

    /// The first child in `field`.
    pub fn child(self, field: Field) -> Option<Self> {
        self.children().find(|node| node.field() == field)
    }

    /// All children in `field`.
    pub fn children_in(self, field: Field) -> impl Iterator<Item = Self> + use<'t> {
        self.children().filter(move |node| node.field() == field)
    }

    /// The first child of `kind`.
    pub fn child_of(self, kind: Kind) -> Option<Self> {
        self.children().find(|node| node.is(kind))
    }

    /// The only or first rule child.
    pub fn first_named(self) -> Option<Self> {
        self.named_children().next()
    }

    /// This node and all below it, in order of the text.
    pub fn descendants(self) -> impl Iterator<Item = Self> + use<'t> {
        let mut next = Some(self);
        std::iter::from_fn(move || {
            let node = next?;
            next = node.after(self);
            Some(node)
        })
    }

    /// The node after this one in text order, inside `root`.
    fn after(self, root: Self) -> Option<Self> {
        if let Some(first) = self.at(self.data().first) {
            return Some(first);
        }
        let mut node = self;
        while node.id != root.id {
            if let Some(next) = node.next_sibling() {
                return Some(next);
            }
            node = node.parent()?;
        }
        None
    }

    /// The text in `source`, the file the tree was made from.
    pub fn text(self, source: &str) -> &str {
        source.get(self.range()).unwrap_or("")
    }
}
