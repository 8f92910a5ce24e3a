//! Expressions that the grammar parses as casts: `(a * (b)) * (c[i])`, `(n) & (m[i])`.
//!
//! Without types, `(x) * y` is a product or a cast of `*y`. What the declarations that are known do
//! not decide is rewritten in a form that compiles as both.

use hirace_syntax::names::is_vector;
use std::ops::Range;

use hirace_model::SiteKind;
use hirace_syntax::lexer::{TokenKind, lex_inline};
use hirace_syntax::tree::{Field, Kind, Node, Tree};
use hirace_syntax::view::{Declarator, Layer, split_name};

use crate::rewrite::binding::Storage;
use crate::rewrite::context::Rewriter;
use crate::rewrite::names::is_scalar;
use crate::rewrite::role::Role;

/// What the parentheses before an operand contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    Type,
    Value,
    Unknown,
}

/// How many macros in a row a name may stand for.
const MAX_MACROS: usize = 8;

impl Rewriter<'_> {
    /// A binary operator with a left operand in parentheses that the grammar parses as a cast, or
    /// what may be one. False if it is a cast.
    pub(super) fn misread_cast(&mut self, target: Node<'_>, value: Node<'_>) -> bool {
        match self.content(target) {
            Content::Type => false,
            Content::Value => {
                let text = self.masked(target.range()).to_vec();
                let tree = Tree::fragment("void f(){0+(", &text, ");}", target.start());
                let sum = tree.root().descendants_of(Kind::BinaryExpression).next();
                let inner = sum.and_then(|it| it.child(Field::Right));
                if let Some(inner) = inner.filter(|_| !tree.root().has_error()) {
                    self.expression(inner, Role::Load);
                }
                if let Some(operand) = self.right_operand(value) {
                    self.expression(operand, Role::Load);
                }
                true
            }
            Content::Unknown => self.cast_or_product(value),
        }
    }

    /// The right operand of the operator that the grammar takes for a sign of `value`.
    fn right_operand<'t>(&self, value: Node<'t>) -> Option<Node<'t>> {
        let signs = match self.text(value).starts_with("&&") {
            true => 2,
            false => usize::from(matches!(
                value.kind(),
                Kind::PointerExpression | Kind::UnaryExpression
            )),
        };
        (0..signs).try_fold(value, |it, _| it.child(Field::Argument))
    }

    /// `(x)*y` or `(x)&y` with an unknown name `x`; false if `value` begins with another sign, as it
    /// is then used in the same way by a cast and by an operator.
    fn cast_or_product(&mut self, value: Node<'_>) -> bool {
        let operand = value.child(Field::Argument);
        let Some(operand) = operand.filter(|_| value.is(Kind::PointerExpression)) else {
            return false;
        };
        match value.operator(self.source) {
            "&" => self.address_or_operand(operand),
            _ => self.pointee_or_factor(value.range(), operand),
        }
        true
    }

    /// `y` in `(x)&y` with an unknown name `x`.
    pub(super) fn address_or_operand(&mut self, operand: Node<'_>) {
        if self.storage(operand) == Storage::Memory && self.shape(operand).rank == 0 {
            let what = self.folded(operand);
            let reason = format!("`{what}` after `)&`, which may be an address or an operand");
            self.sites.not_monitored(operand.start(), reason);
        }
        self.expression(operand, Role::Locate);
    }

    /// `y` in `(x)*y` with an unknown name `x`. `range` includes the asterisk.
    pub(super) fn pointee_or_factor(&mut self, range: Range<usize>, operand: Node<'_>) {
        let variable = self.root(operand);
        let id = self.access_site(SiteKind::Read, range, &variable);
        if let Some(id) = &id {
            let hook = format!("::hirace::read_pointee({id}, ");
            self.edits.open(operand.start(), hook);
        }
        self.expression(operand, Role::Load);
        self.close_access(operand, id.is_some());
    }

    /// What a node in parentheses is; a value if it has none.
    pub(crate) fn parenthesized_content(&self, node: Node<'_>) -> Content {
        let inner = node.first_named();
        let named =
            |it: &Node<'_>| matches!(it.kind(), Kind::Identifier | Kind::QualifiedIdentifier);
        match inner.filter(named) {
            Some(name) if node.is(Kind::ParenthesizedExpression) => self.content_of_name(name),
            _ => Content::Value,
        }
    }

    /// Whether `descriptor`, which the grammar takes for a type, is one.
    fn content(&self, descriptor: Node<'_>) -> Content {
        if let Some(declarator) = descriptor.child(Field::Declarator) {
            match Declarator::of(declarator, self.source).nearest() {
                // Nothing can be cast to a function or an array.
                Some(Layer::Function | Layer::Array) => return Content::Value,
                _ => return Content::Type,
            }
        }
        let named =
            |it: &Node<'_>| matches!(it.kind(), Kind::TypeIdentifier | Kind::QualifiedIdentifier);
        let Some(name) = descriptor.child(Field::Type).filter(named) else {
            return Content::Type;
        };
        self.content_of_name(name)
    }

    fn content_of_name(&self, name: Node<'_>) -> Content {
        let text = self.text(name);
        if let Some(binding) = self.scopes.get(text) {
            return match binding.type_text == "typename" {
                true => Content::Type,
                false => Content::Value,
            };
        }
        let (last, _) = split_name(name, self.source);
        if self.facts.is_type(&last) || names_type(&last) {
            return Content::Type;
        }
        if self.binding(name).is_some() || self.facts.functions.contains_key(&last) {
            return Content::Value;
        }
        self.content_of_macro(text, MAX_MACROS)
    }

    /// What a macro stands for; unknown if `name` is none.
    fn content_of_macro(&self, name: &str, most: usize) -> Content {
        let mut definitions = self.facts.macros.get(name).into_iter().flatten();
        let Some(definition) = definitions.next().filter(|_| most > 0) else {
            return Content::Unknown;
        };
        let body = &definition.body;
        let tokens = lex_inline(body).tokens;
        let mut words = tokens.iter().filter(|it| it.kind != TokenKind::Directive);
        let (Some(first), last) = (words.next(), words.next_back()) else {
            return Content::Unknown;
        };
        let last = last.unwrap_or(first).text(body);
        let number = |text: &str| text.starts_with(|it: char| it.is_ascii_digit() || it == '.');
        if number(last) || last == ")" {
            Content::Value
        } else if self.facts.is_type(last) || is_scalar(last) || names_type(last) {
            Content::Type
        } else {
            self.content_of_macro(last, most - 1)
        }
    }
}

/// Whether a name is one of a type by convention or in CUDA.
fn names_type(name: &str) -> bool {
    name.ends_with("_t") || name.ends_with("_type") || is_scalar(name) || is_vector(name)
}
