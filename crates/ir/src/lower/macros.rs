//! Macros, and other text whose effect the tree does not show.
//!
//! A macro that contains jumps is understood as a statement of its own, where it may take any of the ways out; a macro
//! that stands for a part of a statement must not contain any. Barriers inside macros are not found, which makes
//! intervals larger.

use hirace_syntax::lexer::{TokenKind, lex_inline};
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::words::Words;

use super::Lowering;
use crate::function::BlockId;

/// The maximum depth of macros within macros to follow.
const MAX_MACRO_DEPTH: usize = 8;

/// Words with effects on control flow that are not followed, and operators spelled as words that the grammar takes for
/// names.
const NOT_FOLLOWED: Words = Words::of(
    "try catch throw co_await co_yield co_return setjmp longjmp bitand and_eq or_eq xor_eq __extension__",
);

/// Words that a macro must not contain: what they do depends on the text around it.
const NOT_IN_MACROS: Words = Words::of("case default goto _Pragma ##");

/// Words by which control may leave a macro.
const JUMPS: Words = Words::of("break continue return");

/// Words that make a macro a statement, and that must not be macros themselves.
const STATEMENTS: Words =
    Words::of("if else for while do switch case default break continue return goto");

/// What a macro's text may do to control flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Extent {
    /// It is a part of an expression, or of a declaration.
    Expression,
    /// It is a statement.
    Statement,
    /// It is a statement after which control may leave what is around it.
    Jumps,
    /// What it does depends on the text around it.
    Hidden,
}

impl Lowering<'_> {
    /// Makes the function opaque if words or nodes hide what it does.
    pub(super) fn find_hidden(&mut self, body: Node<'_>) {
        if let Some(error) = body.first_error() {
            self.hide(error.start(), "syntax that could not be parsed".to_owned());
        }
        let text = self.node_text(body);
        for token in lex_inline(text).tokens {
            let word = token.text(text);
            let at = body.start() + token.start;
            if token.kind != TokenKind::Word {
                continue;
            }
            if NOT_FOLLOWED.has(word) {
                self.hide(at, format!("the word `{word}`"));
            }
            let is_statement = || self.is_statement(body, at..body.start() + token.end);
            let is_hidden = match self.extent(word, MAX_MACRO_DEPTH) {
                None | Some(Extent::Expression) => false,
                Some(Extent::Statement | Extent::Jumps) => !is_statement(),
                Some(Extent::Hidden) => true,
            };
            if is_hidden {
                self.hide(at, format!("the macro `{word}`"));
            }
        }
    }

    /// Whether a macro's use is a statement of its own, perhaps with arguments.
    fn is_statement(&self, body: Node<'_>, word: std::ops::Range<usize>) -> bool {
        let mut inside = body;
        while let Some(child) = inside
            .named_children()
            .find(|it| it.start() <= word.start && word.end <= it.end())
        {
            inside = child;
        }
        let call = inside
            .parent()
            .filter(|it| it.is(Kind::CallExpression) && inside.field() == Field::Function);
        let used = call.unwrap_or(inside);
        let is_whole = |it: Node<'_>| it.is(Kind::ExpressionStatement);
        inside.range() == word && used.parent().is_some_and(is_whole)
    }

    /// What a name may do to control flow, if it is that of a macro.
    pub(super) fn extent(&self, name: &str, depth: usize) -> Option<Extent> {
        let texts = self.program.macro_texts(name);
        if texts.is_empty() {
            return None;
        }
        if depth == 0 || STATEMENTS.has(name) {
            return Some(Extent::Hidden);
        }
        let mut worst = Extent::Expression;
        for text in texts {
            let tokens = lex_inline(text).tokens;
            let words = tokens.iter().map(|it| it.text(text));
            if is_pragma(&mut words.clone()) {
                continue;
            }
            if !is_balanced(words.clone()) {
                return Some(Extent::Hidden);
            }
            for word in words {
                let own = match word {
                    _ if NOT_FOLLOWED.has(word) || NOT_IN_MACROS.has(word) => Extent::Hidden,
                    _ if JUMPS.has(word) => Extent::Jumps,
                    ";" | "{" => Extent::Statement,
                    _ if STATEMENTS.has(word) => Extent::Statement,
                    _ if word == name => Extent::Expression,
                    _ => self.extent(word, depth - 1).unwrap_or(Extent::Expression),
                };
                worst = worst.max(own);
            }
        }
        Some(worst)
    }

    /// A statement that is an expression: a call or a name may be a macro.
    pub(super) fn expression_statement(&mut self, node: Node<'_>, at: BlockId) -> BlockId {
        let Some(expression) = node.first_named() else {
            return at;
        };
        let is_name = matches!(expression.kind(), Kind::Identifier | Kind::TypeIdentifier);
        let name = match expression.child(Field::Function) {
            Some(callee) if expression.is(Kind::CallExpression) => self.node_text(callee),
            _ if is_name => self.node_text(expression),
            _ => return self.expression(node, at),
        };
        let extent = self.extent(name, MAX_MACRO_DEPTH);
        let text = self.node_text(node);
        let is_call = expression.is(Kind::CallExpression);
        if extent.is_none() && is_call && !text.ends_with(';') {
            // `FOR_EACH(i, n) { … }`
            self.hide(node.start(), format!("the macro `{name}`"));
        }
        match extent {
            Some(Extent::Jumps) => {
                let at = self.expression(node, at);
                self.jumps(at)
            }
            Some(_) => self.expression(node, at),
            // A macro from a header that was not read, unless it is a variable.
            None if is_name && !is_result(node) => self.unknown(node, at),
            None => self.expression(node, at),
        }
    }

    /// Whether the callee of a call may be a macro from a header that was not read.
    pub(super) fn is_unknown_call(&self, node: Node<'_>) -> bool {
        let callee = node.child(Field::Function);
        let callee = callee.filter(|_| node.is(Kind::CallExpression));
        callee.is_some_and(|it| {
            self.program.macro_texts(self.node_text(it)).is_empty() && !self.program.is_called(it)
        })
    }
}

/// Whether a statement is the value of the expression that it is in: `({ …; value; })`.
fn is_result(statement: Node<'_>) -> bool {
    let block = statement.parent();
    let is_last = block.is_some_and(|it| it.named_children().last() == Some(statement));
    let around = block.and_then(Node::parent);
    is_last && around.is_some_and(|it| it.is(Kind::ParenthesizedExpression))
}

/// Whether a text is `_Pragma("…")` and nothing else, which changes nothing of what is done.
fn is_pragma<'w>(words: &mut impl Iterator<Item = &'w str>) -> bool {
    words.next() == Some("_Pragma") && words.nth(2) == Some(")") && words.next().is_none()
}

/// Whether all brackets in a text are closed in it, and none is closed that was not opened in it.
fn is_balanced<'w>(words: impl Iterator<Item = &'w str>) -> bool {
    let mut open = Vec::new();
    for word in words {
        match word {
            "(" | "[" | "{" => open.push(word),
            ")" | "]" | "}" => {
                let fits = matches!(
                    (open.pop(), word),
                    (Some("("), ")") | (Some("["), "]") | (Some("{"), "}")
                );
                if !fits {
                    return false;
                }
            }
            _ => {}
        }
    }
    open.is_empty()
}
