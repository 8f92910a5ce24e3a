//! The meaning of names inside a function.

use std::collections::HashMap;

use super::binding::Binding;
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::Declarator;

/// Names in nested blocks.
#[derive(Debug, Default)]
pub(crate) struct Scopes {
    names: HashMap<String, Vec<Binding>>,
    /// Names bound since each open block began.
    blocks: Vec<Vec<String>>,
}

impl Scopes {
    pub(crate) fn enter(&mut self) {
        self.blocks.push(Vec::new());
    }

    pub(crate) fn leave(&mut self) {
        for name in self.blocks.pop().unwrap_or_default() {
            if let Some(stack) = self.names.get_mut(&name) {
                stack.pop();
                if stack.is_empty() {
                    self.names.remove(&name);
                }
            }
        }
    }

    pub(crate) fn bind(&mut self, name: &str, binding: Binding) {
        if name.is_empty() {
            return;
        }
        if let Some(block) = self.blocks.last_mut() {
            block.push(name.to_owned());
            self.names.entry(name.to_owned()).or_default().push(binding);
        }
    }

    /// The names of `__shared__` variables in the open blocks.
    pub(crate) fn shared_names(&self) -> impl Iterator<Item = &str> {
        let shared = |stack: &Vec<Binding>| stack.last().is_some_and(|it| it.shared);
        let found = self.names.iter().filter(move |(_, stack)| shared(stack));
        found.map(|(name, _)| name.as_str())
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Binding> {
        self.names.get(name)?.last()
    }

    /// Binds the names that a template's parameter list declares.
    pub(crate) fn bind_template(&mut self, parameters: Node<'_>, source: &str) {
        for parameter in parameters.named_children() {
            let name = match parameter.kind() {
                Kind::ParameterDeclaration
                | Kind::OptionalParameterDeclaration
                | Kind::VariadicParameterDeclaration => parameter
                    .child(Field::Declarator)
                    .and_then(|it| Declarator::of(it, source).name),
                Kind::OptionalTypeParameterDeclaration => parameter.child(Field::Name),
                _ => parameter.descendants_of(Kind::TypeIdentifier).last(),
            };
            let is_type = !matches!(
                parameter.kind(),
                Kind::ParameterDeclaration | Kind::OptionalParameterDeclaration
            );
            if let Some(name) = name {
                let mut binding = Binding::nothing();
                if is_type {
                    "typename".clone_into(&mut binding.type_text);
                }
                self.bind(name.text(source), binding);
            }
        }
    }
}
