//! Calls of the project's functions in device code. Reports follow them from an access to its kernel.

use std::collections::BTreeSet;

use hirace_model::table::Call;
use hirace_syntax::lines::Lines;
use hirace_syntax::prepass::Prepass;
use hirace_syntax::qualifier::Qualifiers;
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::{Declarator, called_name, last_part};

use super::facts::Facts;

/// The name of the function that a lambda is.
const OPERATOR: &str = "operator()";

/// The calls below `root`, by functions that may run on the device. Those in text that is compiled only if a macro is
/// defined count if something may define it. A call too many is worse in a report than one too few.
pub(super) fn of(root: Node<'_>, source: &str, facts: &Facts, prepass: &Prepass) -> Vec<Call> {
    let lines = Lines(source);
    let is_absent = |node: Node<'_>| {
        let conditional = prepass.directives.only_if_defined.iter();
        let mut around = conditional.filter(|(range, _)| range.contains(&node.start()));
        around.any(|(_, name)| !facts.may_define(name))
    };
    // One in a function of the host that runs on the device.
    let is_device_lambda = |node: Node<'_>| {
        let body = node
            .child(Field::Body)
            .filter(|_| node.is(Kind::LambdaExpression));
        body.is_some_and(|it| prepass.qualifiers(node.start(), it.start()).on_device())
    };
    let caller = |node: Node<'_>| {
        let name = name_of(node.enclosing(Kind::FunctionDefinition)?, source)?;
        match is_on_device(facts, name, true) {
            true => Some(name),
            false => node.ancestors().any(is_device_lambda).then_some(OPERATOR),
        }
    };
    let call = |node: Node<'_>| {
        if node.child_of(Kind::KernelCallSyntax).is_some() || is_absent(node) {
            return None;
        }
        let callee = called_name(node.child(Field::Function)?).0.text(source);
        let caller = caller(node)?;
        let line = u32::try_from(lines.number(node.start())).ok()?;
        is_on_device(facts, callee, false).then(|| Call {
            caller: caller.to_owned(),
            callee: callee.to_owned(),
            line,
        })
    };
    let calls = root.descendants_of(Kind::CallExpression);
    let calls: BTreeSet<Call> = calls.filter_map(call).collect();
    calls.into_iter().collect()
}

fn name_of<'s>(definition: Node<'_>, source: &'s str) -> Option<&'s str> {
    let declarator = Declarator::of(definition.child(Field::Declarator)?, source);
    Some(last_part(declarator.name?).0.text(source))
}

/// Whether a function of the project may run on the device; kernels count only if they are asked for.
fn is_on_device(facts: &Facts, name: &str, kernels: bool) -> bool {
    facts.functions_called(name).any(|it| {
        let is_kernel = it.qualifiers.has(Qualifiers::GLOBAL);
        it.qualifiers.on_device() && (kernels || !is_kernel)
    })
}
