//! Lvalues that designate the same location wherever they have the same text.

use std::collections::HashMap;

use hirace_syntax::lexer::{TokenKind, lex_inline};
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::split_name;

use super::Access;
use super::operands::{Operand, Operands};
use crate::rewrite::context::Rewriter;

/// The maximum depth of macros within macros to follow.
const MAX_MACRO_DEPTH: usize = 8;

impl Rewriter<'_> {
    /// The accesses of a function to locations that their text identifies, in order of position.
    pub(super) fn accesses_to_fixed_places(
        &self,
        body: Node<'_>,
        operands: &Operands,
    ) -> Vec<Access> {
        let mut lvalues = HashMap::new();
        for it in body.descendants() {
            let lvalue = matches!(
                it.kind(),
                Kind::Identifier
                    | Kind::SubscriptExpression
                    | Kind::FieldExpression
                    | Kind::PointerExpression
            );
            if lvalue {
                lvalues.entry((it.start(), it.end())).or_insert(it);
            }
        }
        let mut accesses: Vec<Access> = self
            .hooked
            .iter()
            .filter_map(|hooked| {
                let stores = match hooked.name {
                    "read" | "copy" => false,
                    "write" | "update" => true,
                    _ => return None,
                };
                let lvalue = *lvalues.get(&(hooked.range.start, hooked.range.end))?;
                if !self.is_fixed_place(lvalue, operands) {
                    return None;
                }
                let names = lvalue.descendants_of(Kind::Identifier);
                Some(Access {
                    hooked: hooked.clone(),
                    text: self.tokens_of(lvalue),
                    operands: names.map(|it| self.text(it).to_owned()).collect(),
                    stores,
                })
            })
            .collect();
        accesses.sort_by_key(|it| it.hooked.range.start);
        accesses
    }

    /// A node's tokens, with a blank between them.
    fn tokens_of(&self, node: Node<'_>) -> String {
        let tokens = self.prepass.tokens_in(&node.range()).iter();
        let words: Vec<&str> = tokens.map(|it| it.text(self.source)).collect();
        words.join(" ")
    }

    /// Whether the object that `node` designates can be known without reading memory.
    fn is_fixed_place(&self, node: Node<'_>, operands: &Operands) -> bool {
        match node.kind() {
            Kind::Identifier => operands.get(self.text(node)) == Some(Operand::Shared),
            Kind::SubscriptExpression => self.is_fixed_element(node, operands),
            Kind::PointerExpression => {
                node.operator(self.source) == "*"
                    && node
                        .child(Field::Argument)
                        .is_some_and(|it| self.is_fixed_pointer(it, operands))
            }
            Kind::FieldExpression => {
                let name = node.child_text(Field::Member, self.source);
                let mut fields = self.facts.fields_called(name);
                let object = node.child(Field::Argument);
                let Some(object) = object.filter(|_| !fields.any(|it| it.reference)) else {
                    return false;
                };
                match node.operator(self.source) {
                    "->" => self.is_fixed_pointer(object, operands),
                    _ => self.is_fixed_place(object, operands),
                }
            }
            _ => false,
        }
    }

    /// An element of a pointer, or of an array of any number of dimensions.
    fn is_fixed_element(&self, node: Node<'_>, operands: &Operands) -> bool {
        let mut root = node;
        let mut subscripts = 0;
        while root.is(Kind::SubscriptExpression) {
            let indices = root.child(Field::Indices);
            let mut indices = indices.into_iter().flat_map(Node::named_children);
            let index = indices.next();
            let number = index.is_some_and(|it| self.is_number_expression(it, operands));
            let (true, None, Some(base)) = (number, indices.next(), root.child(Field::Argument))
            else {
                return false;
            };
            subscripts += 1;
            root = base;
        }
        if !root.is(Kind::Identifier) {
            return false;
        }
        let name = self.text(root);
        let rank = match operands.get(name) {
            Some(Operand::Pointer) => Some(1),
            Some(Operand::Array(rank)) => Some(rank),
            Some(_) => None,
            None if operands.declares(name) || self.is_macro(name) => None,
            None => self.is_array_at_file_scope(name),
        };
        rank.is_some_and(|it| subscripts <= it)
    }

    /// A pointer that is local to the thread, perhaps with a number added to it.
    fn is_fixed_pointer(&self, node: Node<'_>, operands: &Operands) -> bool {
        match node.kind() {
            Kind::Identifier => operands.get(self.text(node)) == Some(Operand::Pointer),
            Kind::ParenthesizedExpression => node
                .first_named()
                .is_some_and(|it| self.is_fixed_pointer(it, operands)),
            Kind::BinaryExpression => {
                let (left, right) = (node.child(Field::Left), node.child(Field::Right));
                matches!(node.operator(self.source), "+" | "-")
                    && left.is_some_and(|it| self.is_fixed_pointer(it, operands))
                    && right.is_some_and(|it| self.is_number_expression(it, operands))
            }
            _ => false,
        }
    }

    /// Whether `node` is a number computed from the thread's own numbers and constants by built-in
    /// operators.
    pub(super) fn is_number_expression(&self, node: Node<'_>, operands: &Operands) -> bool {
        let number = |field: Field| {
            node.child(field)
                .is_some_and(|it| self.is_number_expression(it, operands))
        };
        match node.kind() {
            Kind::NumberLiteral => true,
            Kind::Identifier => self.is_number_name(self.text(node), operands),
            Kind::FieldExpression => self.is_builtin(node, operands),
            Kind::ParenthesizedExpression => node
                .first_named()
                .is_some_and(|it| self.is_number_expression(it, operands)),
            Kind::UnaryExpression => number(Field::Argument),
            Kind::BinaryExpression => number(Field::Left) && number(Field::Right),
            Kind::ConditionalExpression => {
                number(Field::Condition) && number(Field::Consequence) && number(Field::Alternative)
            }
            Kind::CastExpression => {
                let kind = node.child(Field::Type);
                number(Field::Value) && kind.is_some_and(|it| self.is_value_type(it))
            }
            Kind::CallExpression => {
                let Some(callee) = node.child(Field::Function) else {
                    return false;
                };
                let cast = match callee.named_cast_type() {
                    Some(descriptor) => {
                        split_name(callee, self.source).0 == "static_cast"
                            && self.is_value_type(descriptor)
                    }
                    None => {
                        callee.is(Kind::PrimitiveType) || self.is_number_type(self.text(callee))
                    }
                };
                cast && node
                    .arguments()
                    .all(|it| self.is_number_expression(it, operands))
            }
            _ => false,
        }
    }

    /// Whether `name` is a number that does not change, or changes only visibly.
    pub(super) fn is_number_name(&self, name: &str, operands: &Operands) -> bool {
        if operands.declares(name) {
            return operands.get(name) == Some(Operand::Number);
        }
        if self.is_macro(name) {
            return self.is_number_macro(name, MAX_MACRO_DEPTH);
        }
        operands.is_constant(name) || name == "warpSize" || self.is_constant_at_file_scope(name)
    }

    /// Whether `node` is a component of `threadIdx` or the like.
    pub(super) fn is_builtin(&self, node: Node<'_>, operands: &Operands) -> bool {
        let object = node.child(Field::Argument).filter(|object| {
            let name = self.text(*object);
            object.is(Kind::Identifier)
                && matches!(name, "threadIdx" | "blockIdx" | "blockDim" | "gridDim")
                && !operands.declares(name)
                && !self.is_macro(name)
                && !self.facts.variables.contains_key(name)
        });
        object.is_some() && node.operator(self.source) == "."
    }

    /// Whether a macro expands to a constant number: literals, operators and other such macros.
    pub(super) fn is_number_macro(&self, name: &str, depth: usize) -> bool {
        let mut defined = self.facts.macros.get(name).into_iter().flatten();
        let constant = |body: &str| {
            lex_inline(body).tokens.iter().all(|token| {
                let text = token.text(body);
                match token.kind {
                    TokenKind::Word => {
                        self.is_number_type(text)
                            || (depth > 0
                                && self.is_macro(text)
                                && self.is_number_macro(text, depth - 1))
                    }
                    TokenKind::Number => true,
                    _ => matches!(
                        text,
                        "(" | ")" | "+" | "-" | "*" | "/" | "%" | "<" | ">" | "&" | "|" | "^" | "~"
                    ),
                }
            })
        };
        self.is_macro(name)
            && defined.all(|it| it.parameters.is_none())
            && self.bodies_of_macro(name).all(constant)
    }

    /// The words in the bodies of a macro and of the macros that it uses.
    pub(super) fn words_of_macro(&self, name: &str) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        let mut waiting = vec![name.to_owned()];
        while let Some(name) = waiting.pop() {
            for body in self.bodies_of_macro(&name) {
                for token in lex_inline(body).tokens {
                    let word = token.text(body);
                    let new = token.kind == TokenKind::Word && !found.iter().any(|it| it == word);
                    if new {
                        found.push(word.to_owned());
                        waiting.push(word.to_owned());
                    }
                }
            }
        }
        found
    }
}
