//! The syntax around the accesses of a race.

use std::ops::Range;

use hirace_instrument::rewrite::Facts;
use hirace_report::Access;
use hirace_syntax::Defines;
use hirace_syntax::prepass::Prepass;
use hirace_syntax::qualifier::Qualifiers;
use hirace_syntax::tree::{Field, Kind, Node, Tree};

/// The program's files with the edits made so far.
pub(super) struct Sources<'a>(pub Vec<Syntax<'a>>);

impl<'a> Sources<'a> {
    pub fn all(&self) -> impl Iterator<Item = &Syntax<'a>> {
        self.0.iter()
    }

    /// The file of an access.
    pub fn of(&self, access: &Access) -> Option<&Syntax<'a>> {
        let file = access.position.file.as_deref()?;
        self.all().find(|it| it.file == file)
    }
}

/// A file's text and its tree.
pub(super) struct Syntax<'a> {
    pub file: &'a str,
    pub text: &'a str,
    pass: Prepass,
    tree: Tree,
}

impl<'a> Syntax<'a> {
    pub fn of(file: &'a str, text: &'a str, defines: &Defines, facts: &Facts) -> Self {
        let pass = Prepass::run(text, defines, &facts.aliases);
        Self {
            file,
            text,
            tree: Tree::parse(&pass.text, 0),
            pass,
        }
    }

    /// The start of a declaration or statement with its qualifiers, which the tree leaves out.
    pub fn start(&self, node: Node<'_>) -> usize {
        let mut marks = self.pass.marks.iter();
        let first = marks.find(|it| it.next == node.start());
        first.map_or(node.start(), |it| it.range.start.min(node.start()))
    }

    /// The qualifiers of a declaration or a function definition.
    pub fn qualifiers(&self, declaration: Node<'_>) -> Qualifiers {
        let declarator = declaration.child(Field::Declarator);
        let end = declarator.map_or(declaration.end(), Node::start);
        self.pass.qualifiers(declaration.start(), end)
    }

    /// Whether the function around a node is compiled only for the device: the host has neither
    /// barriers nor atomic functions.
    pub fn is_on_device_only(&self, node: Node<'_>) -> bool {
        let Some(function) = function_around(node) else {
            return false;
        };
        if function.is(Kind::LambdaExpression) {
            let body = function.child(Field::Body);
            let end = body.map_or(function.end(), Node::start);
            let head = self.text.get(function.start()..end);
            return head.is_some_and(|it| !it.contains("__host__"));
        }
        let qualifiers = self.qualifiers(function);
        qualifiers.on_device() && !qualifiers.has(Qualifiers::HOST)
    }

    /// Whether text at an offset is compiled only under an unknown condition.
    pub fn is_uncertain(&self, offset: usize) -> bool {
        self.pass.is_uncertain(offset)
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

    /// All function definitions.
    pub fn functions(&self) -> impl Iterator<Item = Node<'_>> {
        self.tree
            .root()
            .descendants()
            .filter(|it| it.is(Kind::FunctionDefinition))
    }

    /// The calls of a function, or of a method, in the body of another.
    pub fn calls<'t>(&'t self, caller: Node<'t>, name: &str) -> Vec<Node<'t>> {
        let name = last_word(name);
        let is_call = |it: &Node<'t>| {
            it.is(Kind::CallExpression)
                && it
                    .child(Field::Function)
                    .is_some_and(|callee| last_word(self.node_text(callee)) == name)
        };
        caller.descendants().filter(is_call).collect()
    }

    /// The name of a function definition.
    pub fn name(&self, definition: Node<'_>) -> Option<&str> {
        Some(last_word(self.declared(definition)?))
    }

    /// The name that a declarator declares.
    pub fn declared(&self, declaration: Node<'_>) -> Option<&str> {
        let mut node = declaration.child(Field::Declarator)?;
        while let Some(inner) = inner_declarator(node) {
            node = inner;
        }
        Some(self.node_text(node))
    }

    /// Whether a declaration declares the variable `name`.
    pub fn declares(&self, declaration: Node<'_>, name: &str) -> bool {
        declaration.children_in(Field::Declarator).any(|mut node| {
            while let Some(inner) = inner_declarator(node) {
                node = inner;
            }
            self.node_text(node) == name
        })
    }

    /// The value of a literal or a named constant.
    pub fn constant(&self, text: &str) -> Option<u64> {
        if let Ok(number) = text.trim_end_matches(['u', 'U', 'l', 'L']).parse() {
            return Some(number);
        }
        let is_constant = |it: &Node<'_>| {
            it.is(Kind::InitDeclarator)
                && self.declared(*it) == Some(text)
                && it
                    .parent()
                    .is_some_and(|it| self.node_text(it).contains("const"))
        };
        let declaration = self.tree.root().descendants().find(is_constant)?;
        let value = declaration.child(Field::Value)?;
        value
            .is(Kind::NumberLiteral)
            .then(|| self.constant(self.node_text(value)))?
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

    /// Whether only blanks precede an offset on its line.
    pub fn begins_line(&self, offset: usize) -> bool {
        let before = self.text.get(self.line_start(offset)..offset);
        before.is_some_and(|it| it.trim().is_empty())
    }

    pub fn line_start(&self, offset: usize) -> usize {
        let before = self.text.get(..offset).unwrap_or("");
        before.rfind('\n').map_or(0, |it| it + 1)
    }

    /// Whether only blanks and a comment follow an offset on its line.
    pub fn ends_line(&self, offset: usize) -> bool {
        let rest = self.text.get(offset..self.line_end(offset));
        rest.is_some_and(|it| it.trim().is_empty() || it.trim().starts_with("//"))
    }

    pub fn line_end(&self, offset: usize) -> usize {
        let rest = self.text.get(offset..).unwrap_or("");
        let line = rest.split('\n').next().unwrap_or(rest);
        offset + line.trim_end_matches('\r').len()
    }

    /// One level of the file's indentation.
    pub fn indentation_step(&self) -> &str {
        let blanks =
            |line: &'a str| &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
        let mut steps = self.text.lines().map(blanks).filter(|it| !it.is_empty());
        match steps.next() {
            Some(tabs) if tabs.starts_with('\t') => "\t",
            Some(spaces) if spaces.len() <= 8 => spaces,
            _ => "    ",
        }
    }

    /// The file's line ending.
    pub fn line_break(&self) -> &'static str {
        match self.text.find('\n') {
            Some(at) if self.text[..at].ends_with('\r') => "\r\n",
            _ => "\n",
        }
    }

    /// The line of an offset, from 1.
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

/// The declarator inside another one; that of a reference is a child without a field.
fn inner_declarator(node: Node<'_>) -> Option<Node<'_>> {
    let reference = || {
        node.is(Kind::ReferenceDeclarator)
            .then(|| node.first_named())
    };
    node.child(Field::Declarator)
        .or_else(|| reference().flatten())
}

/// The node itself and all its ancestors, the innermost first.
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

/// The expression inside parentheses.
pub(super) fn without_parentheses(mut node: Node<'_>) -> Node<'_> {
    while matches!(
        node.kind(),
        Kind::ParenthesizedExpression | Kind::ConditionClause
    ) && let Some(inner) = node.first_named()
    {
        node = inner;
    }
    node
}
