//! Checks that the tree of a kernel shows everything that its text does: no macro, directive or
//! keyword has an effect that the tree does not show.

use std::ops::Range;

use hirace_syntax::lexer::{TokenKind, lex_inline};
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::words::Words;

use super::uses::Variable;
use crate::rewrite::context::Rewriter;
use crate::rewrite::names::cuda::BLOCK_BARRIERS;

/// The maximum depth of macros within macros to follow.
const MAX_MACRO_DEPTH: usize = 8;

/// Words that change control flow in ways that the analysis does not follow, and operators spelled
/// as words.
const UNFOLLOWED: Words = Words::of(
    "goto asm __asm __asm__ try catch throw co_await co_yield co_return setjmp longjmp bitand \
     and_eq or_eq xor_eq __extension__ _Pragma",
);

/// Words that must not come from a macro or be one, because they change control flow.
const STATEMENTS: Words =
    Words::of("if else for while do switch case default break continue return");

impl Rewriter<'_> {
    /// Whether `name` is a macro that the project or the command line defines.
    pub(in crate::rewrite) fn is_macro(&self, name: &str) -> bool {
        self.facts.macros.contains_key(name) || self.options.defines.is_given(name)
    }

    /// The bodies of the macro `name`, in the project and on the command line.
    pub(in crate::rewrite) fn bodies_of_macro(&self, name: &str) -> impl Iterator<Item = &str> {
        let defined = self.facts.macros.get(name).into_iter().flatten();
        let bodies = defined.map(|it| it.body.as_str());
        bodies.chain(self.options.defines.value(name))
    }

    /// The words in `range`, including those in branches that the preprocessor may drop.
    pub(in crate::rewrite) fn words_within(
        &self,
        range: Range<usize>,
    ) -> impl Iterator<Item = (usize, &str)> {
        let tokens = self.prepass.tokens_in(&range).iter();
        let words = tokens.filter(|it| it.kind == TokenKind::Word);
        words.map(|it| (it.start, it.text(self.source)))
    }

    /// Some if the tree shows everything that the text of a kernel does.
    pub(super) fn is_plain_text(
        &self,
        node: Node<'_>,
        body: Node<'_>,
        variables: &[Variable],
    ) -> Option<()> {
        let words = self.words_within(node.range()).all(|(_, word)| {
            !UNFOLLOWED.has(word) && self.is_harmless(word, variables, MAX_MACRO_DEPTH)
        });
        let mut macros = self.facts.macros.values().flatten();
        let variable_named_by_macro = macros.any(|definition| {
            let mut named = variables
                .iter()
                .filter(|of| definition.body.contains(&of.name));
            let tokens = named.next().map(|_| lex_inline(&definition.body).tokens);
            let mut words = tokens
                .iter()
                .flatten()
                .map(|token| token.text(&definition.body));
            words.any(|word| variables.iter().any(|it| it.name == word))
        });
        let statements = body.descendants().all(|it| self.is_plain_statement(it));
        (words
            && !variable_named_by_macro
            && statements
            && self.is_as_written(body.range())
            && !self.holds_directive(body.range()))
        .then_some(())
    }

    /// Whether a control-flow keyword is a macro.
    fn is_unfit_macro(&self, word: &str) -> bool {
        STATEMENTS.has(word) && self.is_macro(word)
    }

    /// Whether the grammar saw `range` as written, except for comments, qualifiers and pragmas.
    fn is_as_written(&self, range: Range<usize>) -> bool {
        let overlaps = |it: &Range<usize>| it.start < range.end && range.start < it.end;
        let comments = self.prepass.comments.iter().map(|&(start, end)| start..end);
        let marks = self.prepass.within(range.clone()).iter();
        let directives = self.prepass.tokens.iter();
        let directives = directives.filter(|it| it.kind == TokenKind::Directive);
        let directives = directives.map(|it| it.start..it.end);
        let known = comments.chain(directives).filter(overlaps);
        let known: Vec<_> = known.chain(marks.map(|it| it.range.clone())).collect();
        let source = self.source.as_bytes();
        range
            .clone()
            .all(|at| match (source.get(at), self.prepass.text.get(at)) {
                (one, two) if one == two => true,
                // The comparison operator was replaced, but the operands are the same.
                (Some(b'<'), Some(b'%')) => true,
                _ => known.iter().any(|it| it.contains(&at)),
            })
    }

    /// Whether `range` contains a directive other than a pragma.
    fn holds_directive(&self, range: Range<usize>) -> bool {
        self.prepass.tokens.iter().any(|token| {
            let text = token.text(self.source).trim_start_matches('#').trim_start();
            token.kind == TokenKind::Directive
                && range.contains(&token.start)
                && !text.starts_with("pragma")
        })
    }

    /// Whether `word`, if it is a macro, expands to a part of an expression: not to a statement,
    /// barrier or variable, and not to pasted tokens.
    fn is_harmless(&self, word: &str, variables: &[Variable], depth: usize) -> bool {
        if !self.is_macro(word) {
            return true;
        }
        if self.is_unfit_macro(word) {
            return false;
        }
        depth > 0
            && self.bodies_of_macro(word).all(|body| {
                lex_inline(body).tokens.iter().all(|token| {
                    let text = token.text(body);
                    let unfit = matches!(text, "{" | "}" | ";" | "#" | "##")
                        || STATEMENTS.has(text)
                        || UNFOLLOWED.has(text)
                        || BLOCK_BARRIERS.has(text)
                        || variables.iter().any(|it| it.name == text);
                    !unfit && (text == word || self.is_harmless(text, variables, depth - 1))
                })
            })
    }

    /// Whether `node` hides no statement: an apparent call or name may be a macro from a header
    /// that was not read.
    fn is_plain_statement(&self, node: Node<'_>) -> bool {
        match node.kind() {
            Kind::Error => false,
            Kind::ExpressionStatement => node
                .first_named()
                .is_none_or(|it| !matches!(it.kind(), Kind::Identifier | Kind::TypeIdentifier)),
            Kind::ParenthesizedExpression => node.child_of(Kind::CompoundStatement).is_none(),
            Kind::CallExpression => node.child(Field::Function).is_some_and(|callee| {
                let name = self.text(callee);
                let variable = callee.is(Kind::Identifier)
                    && !self.is_macro(name)
                    && self.is_declared_here(node, name);
                // A macro that was read is harmless.
                variable || self.is_macro(name) || self.is_called_function(callee)
            }),
            _ => true,
        }
    }

    /// Whether `name` is a variable or parameter declared in the function around `node`.
    fn is_declared_here(&self, node: Node<'_>, name: &str) -> bool {
        node.enclosing_definition().descendants().any(|node| {
            let outer = node.parent().filter(|_| node.field() == Field::Declarator);
            node.is(Kind::Identifier)
                && self.text(node) == name
                && outer.is_some_and(|it| {
                    matches!(
                        it.kind(),
                        Kind::InitDeclarator | Kind::ParameterDeclaration | Kind::Declaration
                    )
                })
        })
    }
}
