//! Effects of expressions and statements other than memory accesses.

use std::collections::HashSet;

use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::{declarators, split_name};
use hirace_syntax::words::Words;

use super::operands::{Operand, Operands};
use crate::rewrite::context::Rewriter;
use crate::rewrite::names::cuda::{is_atomic, takes_numbers};
use crate::rewrite::names::{bare_name, is_vector};

/// Intrinsics that neither synchronise nor write.
const QUIET: Words = Words::of(
    "__ldg __ldca __ldcg __ldcs __ldlu __ldcv __popc __popcll __clz __clzll __ffs __ffsll __brev \
     __mul24",
);

impl Rewriter<'_> {
    /// Whether anything in `node` may be a barrier, or may change something that the text does not
    /// show.
    pub(super) fn is_opaque(&self, node: Node<'_>, operands: &Operands) -> bool {
        let plain_words = self
            .words_within(node.range())
            .all(|(_, word)| !self.is_macro(word) || self.is_number_name(word, operands));
        let hidden = self.has_hidden_calls();
        !plain_words
            || node.descendants().any(|part| match part.kind() {
                Kind::CallExpression => !self.is_quiet_call(part, operands),
                Kind::Identifier => !self.is_known_name(part, hidden, operands),
                Kind::Declaration => !self.declares_plainly(part, hidden),
                Kind::NewExpression
                | Kind::DeleteExpression
                | Kind::CompoundLiteralExpression
                | Kind::InitializerList
                | Kind::KernelCallSyntax
                | Kind::QualifiedIdentifier
                | Kind::ParameterPackExpansion
                | Kind::FoldExpression
                | Kind::ForRangeLoop
                | Kind::This
                | Kind::Error => true,
                Kind::ParenthesizedExpression => part.child_of(Kind::CompoundStatement).is_some(),
                _ => false,
            })
    }

    /// Whether operators, constructors and the like of the project may be called without a visible
    /// call.
    fn has_hidden_calls(&self) -> bool {
        self.facts.functions.keys().any(|name| {
            let operator = name.starts_with("operator") && name != "operator()";
            operator || name.starts_with('~') || self.facts.is_type(name)
        })
    }

    /// Whether a call's function contains no barrier and writes no local.
    fn is_quiet_call(&self, call: Node<'_>, operands: &Operands) -> bool {
        let Some(callee) = call.child(Field::Function) else {
            return false;
        };
        if let Some(descriptor) = callee.named_cast_type() {
            let (name, _) = split_name(callee, self.source);
            return name.ends_with("_cast") && self.is_value_type(descriptor);
        }
        let name = self.text(callee);
        match callee.kind() {
            Kind::PrimitiveType => true,
            Kind::Identifier => {
                let known = takes_numbers(name)
                    || is_atomic(name)
                    || self.is_number_type(name)
                    || QUIET.has(name);
                known
                    && !operands.declares(name)
                    && !self.is_macro(name)
                    && !self.facts.functions.contains_key(name)
                    && !self.facts.variables.contains_key(name)
            }
            _ => false,
        }
    }

    /// Whether a name is not an unknown macro and, if there may be hidden calls, names numbers or a
    /// function.
    fn is_known_name(&self, node: Node<'_>, hidden: bool, operands: &Operands) -> bool {
        let name = self.text(node);
        // The callee was checked before.
        let called = node.field() == Field::Function;
        let plain = node.parent().is_some_and(|it| {
            it.is(Kind::TemplateFunction)
                || (it.is(Kind::FieldExpression) && self.is_builtin(it, operands))
        });
        if called || plain || self.is_number_name(name, operands) {
            return true;
        }
        if hidden {
            return operands.is_of_numbers(name);
        }
        operands.declares(name) || self.facts.variables.contains_key(name)
    }

    /// Whether a declaration calls no constructor of the project and is not a macro.
    fn declares_plainly(&self, node: Node<'_>, hidden: bool) -> bool {
        let Some(kind) = node.child(Field::Type) else {
            return false;
        };
        let text = self.text(kind);
        let name = bare_name(text);
        let known = text == "auto" || self.facts.is_type(name) || is_vector(name);
        let parameter = self
            .scopes
            .get(name)
            .is_some_and(|it| it.type_text == "typename");
        self.is_number_type(text) || (!hidden && (known || parameter))
    }

    /// The names whose meaning or value changes: those that `node` declares, and the numbers and
    /// pointers that it assigns to.
    pub(super) fn names_changed(&self, node: Node<'_>, operands: &Operands) -> HashSet<&str> {
        let mut names = HashSet::new();
        for it in node.descendants() {
            let assigned = it.assigned().filter(|it| it.is(Kind::Identifier));
            let assigned = assigned.map(|it| self.text(it));
            names.extend(assigned.filter(|it| operands.get(it) != Some(Operand::Shared)));
            if it.is(Kind::Declaration) {
                let declared = declarators(it, self.source).filter_map(|it| it.name);
                names.extend(declared.map(|it| self.text(it)));
            }
        }
        names
    }

    /// Whether the declarations in a block call nothing at its end.
    pub(super) fn ends_quietly(&self, block: Node<'_>) -> bool {
        let hidden = self.has_hidden_calls();
        let mut declarations = block.named_children().filter(|it| it.is(Kind::Declaration));
        declarations.all(|it| self.declares_plainly(it, hidden))
    }
}
