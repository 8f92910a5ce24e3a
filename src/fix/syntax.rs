//! The syntax around the accesses of a race.

use std::ops::Range;

use crate::parse::Defines;
use crate::parse::prepass::Prepass;
use crate::parse::tree::{Field, Kind, Node, Tree};
use crate::rewrite::Facts;

/// A file's text and its tree.
pub(super) struct Syntax<'a> {
    pub file: &'a str,
    pub text: &'a str,
    tree: Tree,
}

impl<'a> Syntax<'a> {
    pub fn of(file: &'a str, text: &'a str, defines: &Defines, facts: &Facts) -> Self {
        let pass = Prepass::run(text, defines, &facts.aliases);
        Self {
            file,
            text,
            tree: Tree::parse(&pass.text, 0),
        }
    }

    /// The smallest node around a range.
    pub fn at(&self, range: &Range<usize>) -> Node<'_> {
        let mut node = self.tree.root();
        while let Some(inner) = node
            .named_children()
            .find(|it| it.start() <= range.start && range.end <= it.end())
        {
            node = inner;
        }
        node
    }

    /// The definition of a function.
    pub fn function(&self, name: &str) -> Option<Node<'_>> {
        self.tree
            .root()
            .descendants()
            .find(|it| it.is(Kind::FunctionDefinition) && self.name(*it) == Some(name))
    }

    /// The first call of a function in the body of another.
    pub fn call<'t>(&'t self, caller: Node<'t>, name: &str) -> Option<Node<'t>> {
        caller.descendants().find(|it| {
            it.is(Kind::CallExpression)
                && it
                    .child(Field::Function)
                    .is_some_and(|callee| last_word(self.node_text(callee)) == name)
        })
    }

    /// The name of a function that is defined.
    pub fn name(&self, definition: Node<'_>) -> Option<&str> {
        let mut node = definition.child(Field::Declarator)?;
        while let Some(inner) = node.child(Field::Declarator) {
            node = inner;
        }
        Some(last_word(self.node_text(node)))
    }

    pub fn node_text(&self, node: Node<'_>) -> &str {
        self.text.get(node.range()).unwrap_or("")
    }

    /// The blanks before the line of an offset.
    pub fn indentation(&self, offset: usize) -> &str {
        let line = self.line_start(offset);
        let rest = self.text.get(line..).unwrap_or("");
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        &rest[..blanks]
    }

    /// Whether nothing but blanks stands before an offset on its line.
    pub fn begins_line(&self, offset: usize) -> bool {
        let before = self.text.get(self.line_start(offset)..offset);
        before.is_some_and(|it| it.trim().is_empty())
    }

    pub fn line_start(&self, offset: usize) -> usize {
        let before = self.text.get(..offset).unwrap_or("");
        before.rfind('\n').map_or(0, |it| it + 1)
    }

    /// From 1.
    pub fn line(&self, offset: usize) -> usize {
        let before = self.text.get(..offset).unwrap_or("");
        before.bytes().filter(|it| *it == b'\n').count() + 1
    }
}

/// `f` of `a::f<int>`.
fn last_word(callee: &str) -> &str {
    let callee = callee.split('<').next().unwrap_or(callee).trim();
    callee.rsplit([':', '.', '>']).next().unwrap_or(callee)
}

/// The node itself and all around it, the innermost first.
pub(super) fn around(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    std::iter::successors(Some(node), |it| it.parent())
}

/// The innermost function or lambda around a node.
pub(super) fn function_around(node: Node<'_>) -> Option<Node<'_>> {
    around(node).find(|it| matches!(it.kind(), Kind::FunctionDefinition | Kind::LambdaExpression))
}

pub(super) fn is_loop(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        Kind::ForStatement | Kind::WhileStatement | Kind::DoStatement | Kind::ForRangeLoop
    )
}
