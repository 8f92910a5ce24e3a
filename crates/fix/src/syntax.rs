//! The syntax around the accesses of a race.

use std::ops::Range;

use hirace_instrument::rewrite::{Facts, Source};
use hirace_syntax::Defines;
use hirace_syntax::lexer::{self, Token, TokenKind};
use hirace_syntax::lines::Lines;
use hirace_syntax::prepass::Prepass;
use hirace_syntax::qualifier::Qualifiers;
use hirace_syntax::tree::{Field, Kind, Node, Tree};
use hirace_syntax::view::{Declarator, called_name, declarators, last_part};

mod declarations;
mod lowered;
mod sources;

use lowered::Known;
pub(super) use lowered::Lowered;
pub(super) use sources::Sources;

/// What a compiler's arguments, if they are known, and the files tell: the macros that are defined, and those that
/// are not.
///
/// An edit in a branch of `#if` that is not compiled does no good, and running the program shows that; a branch about
/// which nothing is known gets no edit.
pub(super) fn read_facts(
    files: &[Source<'_>],
    compiler_arguments: Option<&[String]>,
) -> (Defines, Facts) {
    let mut defines = Defines::from_arguments(compiler_arguments.unwrap_or_default());
    let facts = Facts::collect(files, &defines);
    let without = compiler_arguments.map(|_| facts.macros_without_definition());
    for name in without.into_iter().flatten() {
        if !defines.is_given(name) {
            defines.undefine(name);
        }
    }
    (defines, facts)
}

/// A file's text and its tree.
pub(super) struct Syntax<'a> {
    pub file: &'a str,
    pub text: &'a str,
    pub lines: Lines<'a>,
    /// Whether places in it are told with its name, because the program has device code in other files too.
    is_one_of_many: bool,
    /// Whether it has inline PTX by which threads may end: `exit`, which in C++ is a function and has parentheses.
    pub may_end_threads: bool,
    /// For each line, its number in the user's file; empty if the text has no edits.
    original_lines: Vec<usize>,
    tokens: Vec<Token>,
    pass: Prepass,
    tree: Tree,
    /// What was found out about its functions.
    pub known: Known,
}

impl<'a> Syntax<'a> {
    pub fn of(file: &'a str, text: &'a str, defines: &Defines, facts: &Facts) -> Self {
        let pass = Prepass::run(text, defines, &facts.aliases);
        let tokens = lexer::lex(text).tokens;
        let may_be_assembly =
            |it: &&Token| matches!(it.kind, TokenKind::String | TokenKind::Directive);
        let may_end_threads = tokens.iter().filter(may_be_assembly).any(|it| {
            let mut rest = it.text(text).split("exit").skip(1);
            rest.any(|it| it.trim_start().starts_with(';'))
        });
        Self {
            file,
            text,
            lines: Lines(text),
            is_one_of_many: false,
            original_lines: Vec::new(),
            may_end_threads,
            tokens,
            tree: Tree::of(&pass),
            pass,
            known: Known::default(),
        }
    }

    /// The same for a text with edits, whose lines the user knows by other numbers.
    pub fn with_original_lines(self, original_lines: Vec<usize>) -> Self {
        Self {
            original_lines,
            ..self
        }
    }

    /// The same for a file of a program with device code in several files, if `is_one_of_many`.
    pub fn among_files(self, is_one_of_many: bool) -> Self {
        Self {
            is_one_of_many,
            ..self
        }
    }

    /// All classes.
    pub fn all_classes(&self) -> impl Iterator<Item = Node<'_>> {
        self.tree.root().descendants().filter(|it| it.is_class())
    }

    /// The classes called `name`.
    pub fn classes(&self, name: &str) -> impl Iterator<Item = Node<'_>> {
        self.all_classes()
            .filter(move |it| it.class_name().is_some_and(|it| self.node_text(it) == name))
    }

    /// The line of an offset in words, with the file's name unless there is one file only.
    pub fn place(&self, offset: usize) -> String {
        let line = self.line(offset);
        match self.is_one_of_many {
            true => format!("line {line} of {}", self.file),
            false => format!("line {line}"),
        }
    }

    /// The number of the line of an offset in the user's file. An inserted line counts as the one that
    /// it was inserted at.
    pub fn line(&self, offset: usize) -> usize {
        let here = self.lines.number(offset);
        *self.original_lines.get(here - 1).unwrap_or(&here)
    }

    /// The start of a declaration or statement with its qualifiers, which the tree leaves out.
    pub fn start(&self, node: Node<'_>) -> usize {
        self.pass.start_with_qualifiers(node.start())
    }

    /// The start of a statement with the pragmas and macros before it, which must stay next to it.
    pub fn start_with_pragmas(&self, statement: Node<'_>) -> usize {
        let start = self.start(statement);
        let parent = statement.parent();
        let siblings = parent.into_iter().flat_map(Node::children);
        let before = siblings.take_while(|it| it.start() < statement.start());
        let Some(begin) = before.last().map(Node::end) else {
            return start;
        };
        let is_between = |it: &&Token| begin <= it.start && it.start < start;
        let is_other_directive = |it: &&Token| {
            let name = it.text(self.text).trim_start_matches(['#', ' ', '\t']);
            it.kind == TokenKind::Directive && !name.starts_with("pragma")
        };
        let between = self.tokens.iter().filter(is_between).rev();
        let attached = between.take_while(|it| !is_other_directive(it));
        attached.last().map_or(start, |it| it.start)
    }

    /// The qualifiers of a declaration or a function definition.
    pub fn qualifiers(&self, declaration: Node<'_>) -> Qualifiers {
        self.pass.qualifiers_of(declaration)
    }

    /// Whether the function around a node is compiled only for the device: the host has neither
    /// barriers nor atomic functions.
    pub fn is_on_device_only(&self, node: Node<'_>) -> bool {
        let Some(function) = node.enclosing_function() else {
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
        self.tree.node_around(range)
    }

    /// The only use of a macro on a line, with its arguments.
    pub fn used_on(&self, line: usize, name: &str) -> Option<Node<'_>> {
        let is_use = |it: &&Token| {
            it.kind == TokenKind::Word
                && it.text(self.text) == name
                && self.lines.number(it.start) == line
        };
        let mut uses = self.pass.tokens.iter().filter(is_use);
        let used = uses.next().filter(|_| uses.next().is_none())?;
        let node = self.tree.node_around(&(used.start..used.end));
        Some(
            node.parent()
                .filter(|it| it.is(Kind::CallExpression))
                .unwrap_or(node),
        )
    }

    /// The macros that it defines: their names and texts.
    pub fn macros(&self) -> impl Iterator<Item = (&str, &'a str)> {
        let macros = self.pass.directives.macros.iter();
        macros.map(|it| (it.name.as_str(), &self.text[it.body.clone()]))
    }

    /// All function definitions.
    pub fn functions(&self) -> impl Iterator<Item = Node<'_>> {
        self.tree.root().descendants_of(Kind::FunctionDefinition)
    }

    /// All lambdas.
    pub fn lambdas(&self) -> impl Iterator<Item = Node<'_>> {
        self.tree.root().descendants_of(Kind::LambdaExpression)
    }

    /// All declarations of members of classes.
    pub fn members(&self) -> impl Iterator<Item = Node<'_>> {
        self.tree.root().descendants_of(Kind::FieldDeclaration)
    }

    /// The calls of a function, or of a method, in the body of another.
    pub fn calls<'t>(&'t self, caller: Node<'t>, name: &str) -> Vec<Node<'t>> {
        let is_named = |call: &Node<'t>| {
            let callee = call.child(Field::Function);
            callee.is_some_and(|it| self.node_text(called_name(it).0) == name)
        };
        let calls = caller.descendants_of(Kind::CallExpression);
        let calls = calls.filter(|it| it.child_of(Kind::KernelCallSyntax).is_none());
        calls.filter(is_named).collect()
    }

    /// Whether a function is a kernel.
    pub fn is_kernel(&self, function: Node<'_>) -> bool {
        function.is(Kind::FunctionDefinition) && self.qualifiers(function).has(Qualifiers::GLOBAL)
    }

    /// The name of a function definition, without its class.
    pub fn name(&self, definition: Node<'_>) -> Option<&str> {
        let declarator = Declarator::of(definition.child(Field::Declarator)?, self.text);
        Some(self.node_text(last_part(declarator.name?).0))
    }

    /// The name that a declaration declares first.
    pub fn declared(&self, declaration: Node<'_>) -> Option<&str> {
        let first = declarators(declaration, self.text).next()?;
        Some(self.node_text(first.name?))
    }

    pub fn node_text(&self, node: Node<'_>) -> &str {
        node.text(self.text)
    }

    pub fn operator(&self, node: Node<'_>) -> &str {
        node.operator(self.text)
    }
}

/// Whether there may be device code in a text: only such files are edited.
pub(super) fn has_device_code(text: &str) -> bool {
    ["__global__", "__device__"]
        .iter()
        .any(|it| text.contains(it))
}
