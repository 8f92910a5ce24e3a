//! The object that a call returns.

use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::{Returns, is_reference_type, split_name};
use hirace_syntax::words::Words;

use crate::rewrite::binding::{LambdaFact, Storage};
use crate::rewrite::context::Rewriter;
use crate::rewrite::names::{is_named_cast, passes_through};

/// Methods that by convention return references.
const ACCESSORS: Words = Words::of("at front back top value get element");

/// Whether a method returns a reference by convention.
pub(crate) fn is_accessor(name: &str) -> bool {
    ACCESSORS.has(name)
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
        let first = node.arguments().next();
        if callee.is(Kind::FieldExpression) {
            let method = self.method_name(callee);
            return match self.result(&method, arguments, true) {
                Some(true) => Designates::Memory,
                None if is_accessor(&method) => Designates::Memory,
                _ => Designates::Value,
            };
        }
        let (name, scope) = split_name(callee, self.source);
        if is_named_cast(&name) {
            let target = callee.named_cast_type();
            let reference = target.is_some_and(|it| is_reference_type(it, self.source));
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
        if let Some(known) = self
            .facts
            .macro_use(&name, true)
            .filter(|it| it.is_lvalue())
        {
            return self.macro_designates(known, node);
        }
        match self.result(&name, arguments, false) {
            Some(true) => Designates::Memory,
            _ => Designates::Value,
        }
    }

    /// Whether the known functions called `name` return references; none if no function is known.
    fn result(&self, name: &str, arguments: Option<Node<'_>>, method: bool) -> Option<bool> {
        let count = arguments.map_or(0, |it| it.named_children().count());
        let method = method && name != "operator()";
        self.facts
            .functions_called(name)
            .filter(|it| it.accepts(count) && !(method && it.class.is_none()))
            .map(|it| matches!(it.returns, Returns::Reference | Returns::Unsure))
            .reduce(|one, other| one || other)
    }
}
