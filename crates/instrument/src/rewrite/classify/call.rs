//! The object that a call returns.

use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::{Returns, is_reference_type, split_name};

use crate::rewrite::binding::{LambdaFact, Storage};
use crate::rewrite::context::Rewriter;
use crate::rewrite::facts::Signature;
use crate::rewrite::facts::macro_use::MacroUse;
use crate::rewrite::names::{is_named_cast, passes_through};
use crate::rewrite::nodes::named_cast_type;

/// Accessors that by convention return references.
pub(crate) fn is_accessor(name: &str) -> bool {
    matches!(
        name,
        "at" | "front" | "back" | "top" | "value" | "get" | "element"
    )
}

/// What a call's result designates.
pub(crate) enum Designates<'t> {
    /// The same object as an argument.
    Argument(Node<'t>),
    /// An object in memory.
    Memory,
    /// A new value.
    Value,
}

impl LambdaFact {
    /// What a call designates. If the result may be a reference, the hook distinguishes it from a
    /// value.
    fn designates<'t>(&self) -> Designates<'t> {
        match self.returns {
            Returns::Reference | Returns::Unsure => Designates::Memory,
            Returns::Value | Returns::Void | Returns::Deduced => Designates::Value,
        }
    }
}

impl Rewriter<'_> {
    /// What the result of this call designates.
    pub(crate) fn call_designates<'t>(&self, node: Node<'t>) -> Designates<'t> {
        let Some(callee) = node.child(Field::Function) else {
            return Designates::Value;
        };
        let arguments = node.child(Field::Arguments);
        let first = arguments.and_then(Node::first_named);
        if callee.is(Kind::FieldExpression) {
            let method = callee
                .child(Field::Member)
                .map(|it| split_name(it, self.source).0);
            let method = method.unwrap_or_default();
            return match self.result(&method, arguments, true) {
                Some(true) => Designates::Memory,
                None if is_accessor(&method) => Designates::Memory,
                _ => Designates::Value,
            };
        }
        let (name, scope) = split_name(callee, self.source);
        if is_named_cast(&name) {
            let reference =
                named_cast_type(callee).is_some_and(|it| is_reference_type(it, self.source));
            return match first {
                Some(first) if reference && self.points_to_shared(first) => Designates::Memory,
                Some(first) if reference => Designates::Argument(first),
                _ => Designates::Value,
            };
        }
        if name == "get"
            && self.scopes.get(&name).is_none()
            && first.is_some_and(|it| self.holds_references(it))
        {
            return Designates::Memory;
        }
        if passes_through(&name) && scope.is_some() {
            return first.map_or(Designates::Value, Designates::Argument);
        }
        if let Some(lambda) = self.lambda_fact(callee) {
            return lambda.designates();
        }
        if !matches!(
            callee.kind(),
            Kind::Identifier | Kind::QualifiedIdentifier | Kind::TemplateFunction
        ) {
            return Designates::Value;
        }
        if scope.is_none()
            && let Some(binding) = self.binding(callee)
        {
            if let Some(lambda) = &binding.lambda {
                return lambda.designates();
            }
            if binding.storage == Storage::Nothing {
                return Designates::Value;
            }
            // A functor. If it is unknown, the hook passes values on.
            return match self.result("operator()", arguments, true) {
                Some(false) if !binding.shape.exact => Designates::Value,
                _ => Designates::Memory,
            };
        }
        if self
            .facts
            .macro_use(&name, true)
            .is_some_and(MacroUse::is_lvalue)
        {
            return Designates::Memory;
        }
        match self.result(&name, arguments, false) {
            Some(true) => Designates::Memory,
            _ => Designates::Value,
        }
    }

    /// Whether the known functions called `name` return references; none if no function is known.
    fn result(&self, name: &str, arguments: Option<Node<'_>>, method: bool) -> Option<bool> {
        let count = arguments.map_or(0, |it| it.named_children().count());
        let mut found = None;
        for signature in self.facts.functions.get(name)? {
            if !signature.accepts(count)
                || (method && name != "operator()" && signature.class.is_none())
            {
                continue;
            }
            let reference = matches!(signature.returns, Returns::Reference | Returns::Unsure);
            found = Some(found.unwrap_or(false) || reference);
        }
        found
    }

    /// All known functions that a call of `name` may mean.
    pub(crate) fn candidates(&self, name: &str, count: usize) -> Vec<&Signature> {
        let all = self
            .facts
            .functions
            .get(name)
            .map_or(&[][..], Vec::as_slice);
        all.iter().filter(|it| it.accepts(count)).collect()
    }
}
