//! The object that an expression designates: its storage, its shape, its root.

mod call;
mod member;
mod root;
mod shape;

use call::Designates;

use super::binding::{Binding, Storage};
use super::context::Rewriter;
use super::nodes::operator;
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::{is_reference_type, split_name};

/// Limit of steps from an expression to its root.
const STEPS: usize = 512;

impl Rewriter<'_> {
    /// Where the object that `node` designates is stored; nowhere if `node` is not an lvalue.
    pub(crate) fn storage(&self, node: Node<'_>) -> Storage {
        let mut node = node;
        for _ in 0..STEPS {
            match node.kind() {
                Kind::Identifier | Kind::QualifiedIdentifier | Kind::TypeIdentifier => {
                    return self.name_storage(node);
                }
                Kind::SubscriptExpression | Kind::PointerExpression => {
                    let Some(base) = node.child(Field::Argument) else {
                        break;
                    };
                    if operator(node, self.source) == "&" {
                        return Storage::Nothing;
                    }
                    if self.shape(base).rank == 0 {
                        return Storage::Memory;
                    }
                    node = base;
                }
                Kind::FieldExpression => {
                    if operator(node, self.source) == "->" {
                        return Storage::Memory;
                    }
                    if let Some(field) = self.field(node)
                        && field.constant
                    {
                        return Storage::Nothing;
                    }
                    if self.is_reference_member(node) {
                        return Storage::Memory;
                    }
                    let Some(base) = node.child(Field::Argument) else {
                        break;
                    };
                    node = base;
                }
                Kind::ParenthesizedExpression
                | Kind::ExtensionExpression
                | Kind::CommaExpression
                | Kind::AssignmentExpression => {
                    let Some(inner) = same_object(node) else {
                        break;
                    };
                    node = inner;
                }
                Kind::ConditionalExpression => return self.storage_of_either(node),
                Kind::UpdateExpression => {
                    let Some(inner) = node.child(Field::Argument) else {
                        break;
                    };
                    if inner.start() == node.start() {
                        return Storage::Nothing;
                    }
                    node = inner;
                }
                Kind::CastExpression => {
                    let reference = node
                        .child(Field::Type)
                        .is_some_and(|it| is_reference_type(it, self.source));
                    match node.child(Field::Value) {
                        Some(value) if reference && self.points_to_shared(value) => {
                            return Storage::Memory;
                        }
                        Some(value) if reference => node = value,
                        _ => return Storage::Nothing,
                    }
                }
                Kind::CallExpression => match self.call_designates(node) {
                    Designates::Argument(argument) => node = argument,
                    Designates::Memory => return Storage::Memory,
                    Designates::Value => return Storage::Nothing,
                },
                _ => break,
            }
        }
        Storage::Nothing
    }

    /// The storage of `condition ? a : b`, which is an lvalue only if both are.
    fn storage_of_either(&self, node: Node<'_>) -> Storage {
        let arms = [Field::Consequence, Field::Alternative];
        let storages: Vec<Storage> = arms
            .iter()
            .filter_map(|field| node.child(*field))
            .map(|arm| self.storage(arm))
            .collect();
        match storages.as_slice() {
            [Storage::Nothing, _] | [_, Storage::Nothing] => Storage::Nothing,
            [Storage::Memory, _] | [_, Storage::Memory] => Storage::Memory,
            _ => Storage::Local,
        }
    }

    /// The binding of a name.
    pub(crate) fn binding(&self, node: Node<'_>) -> Option<Binding> {
        let (name, scope) = split_name(node, self.source);
        if scope.is_none() && !self.text(node).starts_with("::") {
            if let Some(binding) = self.scopes.get(&name) {
                return Some(binding.clone());
            }
            if let Some(field) = self.member(&name) {
                let mut binding = field.binding.clone();
                if field.constant {
                    binding.storage = Storage::Nothing;
                }
                return Some(binding);
            }
        }
        if let Some(variable) = self.facts.variable(&name, self.path) {
            return Some(variable.binding.clone());
        }
        // A macro that expands to an lvalue.
        let known = scope
            .is_none()
            .then(|| self.facts.macro_use(&name, false))
            .flatten()?;
        known.is_lvalue().then(|| Binding {
            storage: Storage::Memory,
            ..Binding::nothing()
        })
    }

    fn name_storage(&self, node: Node<'_>) -> Storage {
        self.binding(node)
            .map_or(Storage::Nothing, |binding| binding.storage)
    }
}

/// The operand that designates the same object as the expression around it.
fn same_object(node: Node<'_>) -> Option<Node<'_>> {
    match node.kind() {
        Kind::CommaExpression => node.child(Field::Right),
        Kind::AssignmentExpression => node.child(Field::Left),
        _ => node.first_named(),
    }
}
