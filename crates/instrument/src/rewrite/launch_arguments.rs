//! How a launch passes an argument: by value, by reference, or converted to the type of the parameter.

use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::split_name;

use super::binding::ParameterFact;
use super::context::Rewriter;
use super::facts::Signature;

impl Rewriter<'_> {
    /// Whether a kernel, which is no template, takes an object by value whose class has a destructor: the executor
    /// must not destroy a copy after each thread.
    pub(super) fn takes_destroyed_object(&self, kernel: Node<'_>, arguments: Node<'_>) -> bool {
        let (name, _) = split_name(kernel, self.source);
        let count = arguments.named_children().count();
        let [signature] = self.candidates(&name, count)[..] else {
            return false;
        };
        let is_destroyed = |it: &ParameterFact| {
            let class = it.type_text.trim();
            let methods = self.facts.classes.get(class).map(|it| &it.methods);
            !it.reference
                && !it.pointer
                && methods.is_some_and(|it| it.contains(&format!("~{class}")))
        };
        // A null pointer that is written as a number would lose its meaning, and a list in braces has no type.
        let is_typed = |(index, it): (usize, Node<'_>)| {
            let is_pointer = signature.parameter(index).is_some_and(|it| it.pointer);
            let is_expression = !matches!(
                it.kind(),
                Kind::InitializerList | Kind::ParameterPackExpansion
            );
            is_expression && !(is_pointer && matches!(self.text(it), "0" | "NULL"))
        };
        !signature.template
            && signature.parameters.len() == count
            && arguments.named_children().enumerate().all(is_typed)
            && signature.parameters.iter().any(is_destroyed)
    }

    /// Whether an argument may be an object of a class that is converted to the parameter's type. A reference
    /// must be able to bind to it.
    pub(super) fn may_be_converted(&self, argument: Node<'_>) -> bool {
        let binds = || {
            let member = argument.child(Field::Member);
            let mut fields = self
                .facts
                .fields_called(self.text(member.unwrap_or(argument)));
            fields.all(|it| it.bits.is_none() && !it.packed && !it.constant)
        };
        self.facts.converts
            && match argument.kind() {
                Kind::CallExpression
                | Kind::CompoundLiteralExpression
                | Kind::SubscriptExpression
                | Kind::PointerExpression => true,
                Kind::Identifier | Kind::FieldExpression => binds(),
                _ => false,
            }
    }

    /// The starts of the arguments that a kernel may change: those for references to objects that are not
    /// constant.
    pub(super) fn references(&self, kernel: Node<'_>, arguments: Node<'_>) -> Vec<usize> {
        let (name, _) = split_name(kernel, self.source);
        let count = arguments.named_children().count();
        let kernels = self.candidates(&name, count);
        let changes = |index: usize| {
            let parameter = |it: &&Signature| {
                it.parameter(index)
                    .is_some_and(|it| it.reference && !it.constant && !it.pack)
            };
            !kernels.is_empty() && kernels.iter().all(parameter)
        };
        let given = arguments.named_children().enumerate();
        given
            .filter(|(index, _)| changes(*index))
            .map(|(_, it)| it.start())
            .collect()
    }
}

/// The beginning of the conversion of an argument to the type of a kernel's parameter.
pub(super) fn converted(index: usize, kernel: &str) -> String {
    format!(
        "::hirace::cpu::argument<{index}>([](auto hirace_t) \
         -> decltype(::hirace::cpu::same(hirace_t, {kernel})) {{ return {{}}; }}, "
    )
}

/// Whether a launch's argument must stay in the call itself: only a literal can be a null pointer
/// constant, and a braced list has no type.
pub(super) fn stays_inline(argument: Node<'_>, text: &str) -> bool {
    match argument.kind() {
        Kind::NumberLiteral
        | Kind::StringLiteral
        | Kind::InitializerList
        | Kind::Null
        | Kind::ParameterPackExpansion => true,
        Kind::Identifier => matches!(text, "NULL" | "nullptr" | "__VA_ARGS__"),
        _ => text == "nullptr",
    }
}
