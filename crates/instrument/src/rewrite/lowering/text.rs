//! What the text of a kernel does that its tree does not show, as far as the file tells.

use std::ops::Range;

use hirace_syntax::lexer::{Token, TokenKind, lex_inline};
use hirace_syntax::tree::{Field, Kind, Node};

use super::shared_uses::Variable;
use crate::rewrite::context::Rewriter;

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

    /// The first macro whose text names one of the variables.
    pub(in crate::rewrite) fn named_by_macro(&self, variables: &[Variable]) -> Option<&str> {
        let names = |body: &str| {
            let mut named = variables.iter().filter(|it| body.contains(&it.name));
            let tokens = named.next().map(|_| lex_inline(body).tokens);
            let mut words = tokens.iter().flatten().map(|it| it.text(body));
            words.any(|word| variables.iter().any(|it| it.name == word))
        };
        let mut defined = self.facts.macros.iter();
        let defined = defined.find(|(_, texts)| texts.iter().any(|it| names(&it.body)));
        let given = || self.options.defines.values().find(|(_, text)| names(text));
        let defined = defined.map(|(name, _)| name.as_str());
        defined.or_else(|| given().map(|(name, _)| name))
    }

    /// The first place in `range` where the tree does not have what the text has.
    pub(super) fn not_as_written(&self, range: Range<usize>) -> Option<(usize, &'static str)> {
        let repaired = self.first_change(range.clone());
        let repaired = repaired.map(|at| (at, "text that the grammar does not read as written"));
        let directive = self.first_directive(range).map(|at| (at, "a directive"));
        repaired.or(directive)
    }

    /// The first place that the grammar did not see as written, except for comments, qualifiers and pragmas.
    fn first_change(&self, range: Range<usize>) -> Option<usize> {
        let overlaps = |it: &Range<usize>| it.start < range.end && range.start < it.end;
        let comments = self.prepass.comments.iter().map(|&(start, end)| start..end);
        let marks = self.prepass.within(range.clone()).iter();
        let directives = self.prepass.tokens.iter();
        let directives = directives.filter(|it| it.kind == TokenKind::Directive);
        let directives = directives.map(|it| it.start..it.end);
        let known = comments.chain(directives).filter(overlaps);
        let known: Vec<_> = known.chain(marks.map(|it| it.range.clone())).collect();
        let source = self.source.as_bytes();
        let is_same = |at: &usize| match (source.get(*at), self.prepass.text.get(*at)) {
            (one, two) if one == two => true,
            // The comparison operator was replaced, but the operands are the same.
            (Some(b'<'), Some(b'%')) => true,
            _ => known.iter().any(|it| it.contains(at)),
        };
        range.clone().find(|it| !is_same(it))
    }

    /// The first directive in `range` other than a pragma.
    fn first_directive(&self, range: Range<usize>) -> Option<usize> {
        let is_directive = |token: &&Token| {
            let text = token.text(self.source).trim_start_matches('#').trim_start();
            token.kind == TokenKind::Directive
                && range.contains(&token.start)
                && !text.starts_with("pragma")
        };
        let mut tokens = self.prepass.tokens.iter();
        tokens.find(is_directive).map(|it| it.start)
    }

    /// Whether `name` is a variable or parameter declared in the function around `node`.
    pub(super) fn is_declared_here(&self, node: Node<'_>, name: &str) -> bool {
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
