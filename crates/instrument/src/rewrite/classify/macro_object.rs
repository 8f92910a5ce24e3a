//! The object that a macro expands to: `#define AS(i, j) tile.a[i][j]`.
//!
//! A macro's body means what its names mean where the macro is used, so the object at its root is found there.

use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::{is_reference_type, split_name};

use super::call::Designates;
use super::{MAX_NESTED, same_object};
use crate::rewrite::binding::{Binding, Shape, Storage};
use crate::rewrite::context::Rewriter;
use crate::rewrite::facts::macro_use::{MacroUse, Object, Part, Root};

/// The root of an lvalue that a use of a macro expands to.
pub(super) enum MacroRoot<'t> {
    Argument(Node<'t>),
    Name(String),
}

impl Rewriter<'_> {
    /// The objects that `node`, a macro's body, may designate; none if it is not an lvalue.
    pub(crate) fn objects(&self, node: Node<'_>) -> Vec<Object> {
        self.objects_within(node, 64)
    }

    fn objects_within(&self, node: Node<'_>, steps: usize) -> Vec<Object> {
        let Some(steps) = steps.checked_sub(1) else {
            return Vec::new();
        };
        let reached = || Object {
            root: self.named_root(node),
            reached: true,
            whole: false,
            bits: self.may_be_bits(node),
        };
        let inner = |inner: Option<Node<'_>>| -> Vec<Object> {
            inner.map_or_else(Vec::new, |it| self.objects_within(it, steps))
        };
        let part = |base: Option<Node<'_>>| -> Vec<Object> {
            let bits = self.may_be_bits(node);
            let whole = inner(base).into_iter();
            let part = |it: Object| Object {
                whole: false,
                bits,
                ..it
            };
            whole.map(part).collect()
        };
        match node.kind() {
            Kind::Identifier | Kind::QualifiedIdentifier => vec![Object {
                root: self.name_of_root(self.text(node)),
                reached: false,
                whole: true,
                bits: false,
            }],
            Kind::SubscriptExpression | Kind::PointerExpression => {
                let base = node.child(Field::Argument);
                match base {
                    _ if node.operator(self.source) == "&" => Vec::new(),
                    Some(it) if self.shape(it).rank == 0 => vec![reached()],
                    _ => part(base),
                }
            }
            Kind::FieldExpression if node.operator(self.source) == "->" => vec![reached()],
            Kind::FieldExpression => match self.field(node) {
                Some(field) if field.constant => Vec::new(),
                _ if self.is_reference_member(node) => vec![reached()],
                _ => part(node.child(Field::Argument)),
            },
            Kind::ParenthesizedExpression | Kind::ExtensionExpression | Kind::CommaExpression => {
                inner(same_object(node))
            }
            Kind::AssignmentExpression => part(same_object(node)),
            Kind::ConditionalExpression => {
                let arms = [Field::Consequence, Field::Alternative];
                let [one, two] = arms.map(|field| part(node.child(field)));
                match one.is_empty() || two.is_empty() {
                    true => Vec::new(),
                    false => [one, two].concat(),
                }
            }
            Kind::UpdateExpression => {
                let operand = node.child(Field::Argument);
                part(operand.filter(|it| it.start() != node.start()))
            }
            Kind::CastExpression => {
                let target = node.child(Field::Type);
                let reference = target.is_some_and(|it| is_reference_type(it, self.source));
                part(node.child(Field::Value).filter(|_| reference))
            }
            Kind::CallExpression => self.objects_of_call(node, steps),
            _ => Vec::new(),
        }
    }

    fn objects_of_call(&self, node: Node<'_>, steps: usize) -> Vec<Object> {
        let callee = node.child(Field::Function);
        let name = callee.map(|it| split_name(it, self.source).0);
        let known = name.and_then(|it| self.facts.macro_use(&it, true));
        if let Some(known) = known {
            let of = |object: &Object| match &object.root {
                Root::Parameter(place) if !object.reached => {
                    let argument = node.arguments().nth(*place);
                    let objects = argument.map(|it| self.objects_within(it, steps));
                    let part = |it| Object {
                        whole: false,
                        bits: object.bits,
                        ..it
                    };
                    objects.unwrap_or_default().into_iter().map(part).collect()
                }
                Root::Parameter(place) => {
                    let argument = node.arguments().nth(*place);
                    let root = argument.map_or(Root::Other, |it| self.named_root(it));
                    vec![Object {
                        root,
                        ..object.clone()
                    }]
                }
                Root::Joined(parts) => vec![Object {
                    root: self.joined_by(parts, node),
                    ..object.clone()
                }],
                Root::Name(_) | Root::Other => vec![Object {
                    whole: false,
                    ..object.clone()
                }],
            };
            return known.objects.iter().flat_map(of).collect();
        }
        let memory = Object {
            root: self.named_root(node),
            reached: true,
            whole: false,
            bits: false,
        };
        match self.call_designates(node) {
            Designates::Argument(argument) => self.objects_within(argument, steps),
            Designates::Memory => vec![memory],
            Designates::Value => Vec::new(),
        }
    }

    fn may_be_bits(&self, node: Node<'_>) -> bool {
        let member = node
            .child(Field::Member)
            .filter(|_| node.is(Kind::FieldExpression));
        member.is_some_and(|it| self.facts.bit_groups_of(self.text(it)).is_some())
    }

    fn named_root(&self, node: Node<'_>) -> Root {
        match self.root(node) {
            name if name.is_empty() => Root::Other,
            name => self.name_of_root(&name),
        }
    }

    fn name_of_root(&self, name: &str) -> Root {
        let parameter = self.macro_parameters.iter().position(|it| it == name);
        parameter.map_or_else(|| Root::Name(name.to_owned()), Root::Parameter)
    }

    /// The name that `call` joins, as far as the arguments of the macro around it are not needed.
    fn joined_by(&self, parts: &[Part], call: Node<'_>) -> Root {
        let part = |part: &Part| match part {
            Part::Text(text) => Part::Text(text.clone()),
            Part::Parameter(place) => {
                let argument = call.arguments().nth(*place);
                Part::of(
                    argument.map_or("", |it| self.text(it)),
                    &self.macro_parameters,
                )
            }
        };
        let parts: Vec<Part> = parts.iter().map(part).collect();
        let text = |part: &Part| match part {
            Part::Text(text) => Some(text.clone()),
            Part::Parameter(_) => None,
        };
        match parts.iter().map(text).collect::<Option<String>>() {
            Some(name) => Root::Name(name),
            None => Root::Joined(parts),
        }
    }

    /// The name that `call` joins.
    fn joined_name(&self, parts: &[Part], call: Node<'_>) -> String {
        let part = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Parameter(place) => {
                let argument = call.arguments().nth(*place);
                argument.map_or_else(String::new, |it| self.text(it).to_owned())
            }
        };
        parts.iter().map(part).collect()
    }

    /// What the macro `known` without parameters means here, if it is an lvalue.
    pub(super) fn binding_of_macro(&self, known: &MacroUse, macros: usize) -> Option<Binding> {
        let mut found: Option<Binding> = None;
        for object in known.objects.iter().filter(|_| known.is_lvalue()) {
            let binding = match &object.root {
                _ if object.reached => Some(Binding::of_shape(Storage::Memory, Shape::UNKNOWN)),
                Root::Name(name) => {
                    self.binding_of_root(name, macros)
                        .map(|it| match object.whole {
                            true => it,
                            false => Binding::of_shape(it.storage, Shape::UNKNOWN),
                        })
                }
                Root::Parameter(_) | Root::Joined(_) | Root::Other => None,
            };
            // If definitions differ, the hook tells what is in memory.
            if found
                .as_ref()
                .is_none_or(|it| it.storage != Storage::Memory)
                && binding.is_some()
            {
                found = binding;
            }
        }
        match known.objects.as_slice() {
            [_] | [] => found,
            _ => found.map(|it| Binding::of_shape(it.storage, Shape::UNKNOWN)),
        }
    }

    fn binding_of_root(&self, name: &str, macros: usize) -> Option<Binding> {
        let last = name.rsplit("::").next().unwrap_or(name);
        self.binding_of_name(last, !name.contains("::"), macros)
    }

    /// What a use of the lvalue macro `known` with the arguments of `call` designates.
    pub(super) fn macro_designates<'t>(&self, known: &MacroUse, call: Node<'t>) -> Designates<'t> {
        let mut found = Designates::Value;
        for object in &known.objects {
            let in_memory = |name: &str| match self.binding_of_root(name, MAX_NESTED) {
                Some(it) if it.storage == Storage::Memory => Designates::Memory,
                _ => Designates::Value,
            };
            let here = match &object.root {
                _ if object.reached => Designates::Memory,
                Root::Name(name) => in_memory(name),
                Root::Joined(parts) => in_memory(&self.joined_name(parts, call)),
                Root::Parameter(place) => {
                    let argument = call.arguments().nth(*place);
                    argument.map_or(Designates::Value, Designates::Argument)
                }
                Root::Other => Designates::Value,
            };
            match here {
                Designates::Memory => return Designates::Memory,
                Designates::Argument(_) => found = here,
                Designates::Value => {}
            }
        }
        found
    }

    /// The name at the root of the object that the macro `name` without parameters expands to; none if its definitions
    /// differ in that.
    pub(super) fn macro_root_name(&self, name: &str) -> Option<String> {
        if self.scopes.get(name).is_some() {
            return None;
        }
        let mut found: Option<&str> = None;
        for _ in 0..MAX_NESTED {
            let known = self.facts.macro_use(found.unwrap_or(name), false);
            match known.and_then(only_root) {
                Some(Root::Name(inner)) => found = Some(inner),
                _ => break,
            }
        }
        found.map(|it| it.rsplit("::").next().unwrap_or(it).to_owned())
    }

    /// The root of the object that a use of the macro `name` expands to: the argument of `FLOAT4(a[i])`.
    pub(super) fn macro_root<'t>(&self, call: Node<'t>, name: &str) -> Option<MacroRoot<'t>> {
        let known = self.facts.macro_use(name, true)?;
        match only_root(known) {
            // Only the preprocessor knows which of the definitions it is.
            None => (!known.objects.is_empty()).then(|| MacroRoot::Name(name.to_owned())),
            Some(root) => self.root_in(root, call),
        }
    }

    fn root_in<'t>(&self, root: &Root, call: Node<'t>) -> Option<MacroRoot<'t>> {
        match root {
            Root::Name(name) => Some(MacroRoot::Name(name.clone())),
            Root::Joined(parts) => Some(MacroRoot::Name(self.joined_name(parts, call))),
            Root::Parameter(place) => call.arguments().nth(*place).map(MacroRoot::Argument),
            Root::Other => None,
        }
    }

    /// The macro through which `node` designates a bit-field, if it is the use of one.
    pub(crate) fn bit_field_macro(&self, node: Node<'_>) -> Option<String> {
        let (name, function_like) = match node.kind() {
            Kind::Identifier => (self.text(node).to_owned(), false),
            Kind::CallExpression => (
                split_name(node.child(Field::Function)?, self.source).0,
                true,
            ),
            _ => return None,
        };
        let known = self.facts.macro_use(&name, function_like)?;
        let is_use = self.scopes.get(&name).is_none();
        (is_use && known.objects.iter().any(|it| it.bits)).then_some(name)
    }
}

/// The root that all objects of a macro have.
fn only_root(known: &MacroUse) -> Option<&Root> {
    let mut roots = known.objects.iter().map(|it| &it.root);
    let first = roots.next()?;
    roots.all(|it| it == first).then_some(first)
}
