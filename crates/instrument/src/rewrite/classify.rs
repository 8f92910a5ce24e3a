//! The object that an expression designates: its storage, its shape, its root.

mod call;
mod lookup;
mod macro_object;
mod member;
mod root;
mod shape;

use call::Designates;
pub(crate) use lookup::Whose;

use super::binding::{Binding, Storage};
use super::context::Rewriter;
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::{is_reference_type, split_name};

/// The maximum number of steps from an expression to its root.
const MAX_STEPS: usize = 512;

/// The maximum number of macros that stand for one another.
const MAX_NESTED: usize = 8;

impl Rewriter<'_> {
    /// Where the object that `node` designates is stored; nowhere if `node` is not an lvalue.
    pub(crate) fn storage(&self, node: Node<'_>) -> Storage {
        let mut node = node;
        for _ in 0..MAX_STEPS {
            match node.kind() {
                Kind::Identifier | Kind::QualifiedIdentifier | Kind::TypeIdentifier => {
                    return self.name_storage(node);
                }
                Kind::SubscriptExpression | Kind::PointerExpression => {
                    let Some(base) = node.child(Field::Argument) else {
                        break;
                    };
                    if node.operator(self.source) == "&" {
                        return Storage::Nothing;
                    }
                    if self.shape(base).rank == 0 {
                        return Storage::Memory;
                    }
                    node = base;
                }
                Kind::FieldExpression => {
                    if node.operator(self.source) == "->" {
                        return Storage::Memory;
                    }
                    if self.field(node).is_some_and(|it| it.constant) {
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
                    let target = node.child(Field::Type);
                    let reference = target.is_some_and(|it| is_reference_type(it, self.source));
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
        match arms.map(|field| node.child(field).map(|arm| self.storage(arm))) {
            [Some(Storage::Nothing), Some(_)] | [Some(_), Some(Storage::Nothing)] => {
                Storage::Nothing
            }
            [Some(Storage::Memory), Some(_)] | [Some(_), Some(Storage::Memory)] => Storage::Memory,
            _ => Storage::Local,
        }
    }

    /// The binding of a name.
    pub(crate) fn binding(&self, node: Node<'_>) -> Option<Binding> {
        let (name, scope) = split_name(node, self.source);
        let is_local = scope.is_none() && !self.text(node).starts_with("::");
        self.binding_of_name(&name, is_local, MAX_NESTED)
    }

    /// The binding of a name without its scope; one that has none may be local. Of macros that stand for
    /// macros, so many are followed.
    pub(crate) fn binding_of_name(
        &self,
        name: &str,
        is_local: bool,
        macros: usize,
    ) -> Option<Binding> {
        if is_local {
            if let Some(binding) = self.scopes.get(name) {
                return Some(binding.clone());
            }
            if let Some(field) = self.member(name) {
                let mut binding = field.binding.clone();
                if field.constant {
                    binding.storage = Storage::Nothing;
                }
                return Some(binding);
            }
        }
        if let Some(variable) = self.facts.variable(name, self.path) {
            let mut binding = variable.binding.clone();
            if variable.constant_memory && self.checks_constant_memory() {
                binding.storage = Storage::Memory;
            }
            return Some(binding);
        }
        let known = self.facts.macro_use(name, false).filter(|_| is_local)?;
        self.binding_of_macro(known, macros.checked_sub(1)?)
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
