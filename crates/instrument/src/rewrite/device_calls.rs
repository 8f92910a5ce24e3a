//! Calls of the project's functions in device code. Reports follow them from an access to its kernel.

use std::collections::BTreeSet;
use std::ops::Range;

use hirace_model::table::Call;
use hirace_syntax::lines::Lines;
use hirace_syntax::qualifier::Qualifiers;
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::{Declarator, called_name, last_part};

use super::facts::Facts;

/// The calls below `root`, by functions that may run on the device. `conditional`: ranges of text that is compiled
/// only if a macro is defined; the calls in them count if something may define it. A call too many is worse in a report
/// than one too few.
pub(super) fn of(
    root: Node<'_>,
    source: &str,
    facts: &Facts,
    conditional: &[(Range<usize>, String)],
) -> Vec<Call> {
    let lines = Lines(source);
    let is_absent = |node: Node<'_>| {
        let mut around = conditional
            .iter()
            .filter(|(range, _)| range.contains(&node.start()));
        around.any(|(_, name)| !facts.may_define(name))
    };
    let call = |node: Node<'_>| {
        if node.child_of(Kind::KernelCallSyntax).is_some() || is_absent(node) {
            return None;
        }
        let callee = called_name(node.child(Field::Function)?).0.text(source);
        let caller = name_of(node.enclosing(Kind::FunctionDefinition)?, source)?;
        let line = u32::try_from(lines.number(node.start())).ok()?;
        (is_on_device(facts, callee, false) && is_on_device(facts, caller, true)).then(|| Call {
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
