//! Calls of the project's functions in device code, and uses of its macros. Reports follow them from an access to its
//! kernel.

use std::collections::BTreeSet;

use hirace_model::table::Call;
use hirace_syntax::lexer::{TokenKind, lex_inline};
use hirace_syntax::lines::Lines;
use hirace_syntax::prepass::Prepass;
use hirace_syntax::qualifier::Qualifiers;
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::{Declarator, called_name, last_part};

use super::facts::Facts;
use super::facts::macro_use::Form;

/// The name of the function that a lambda is.
const OPERATOR: &str = "operator()";

/// The calls below `root` and the uses of macros, by functions that may run on the device. Those in text that is
/// compiled only if a macro is defined count if something may define it. A call too many is worse in a report than one
/// too few.
pub(super) fn of(root: Node<'_>, source: &str, facts: &Facts, prepass: &Prepass) -> Vec<Call> {
    let lines = Lines(source);
    let is_absent = |at: usize| {
        let conditional = prepass.directives.only_if_defined.iter();
        let mut around = conditional.filter(|(range, _)| range.contains(&at));
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
        if node.child_of(Kind::KernelCallSyntax).is_some() || is_absent(node.start()) {
            return None;
        }
        let callee = called_name(node.child(Field::Function)?).0.text(source);
        let caller = caller(node)?;
        let line = u32::try_from(lines.number(node.start())).ok()?;
        is_on_device(facts, callee, false).then(|| Call {
            caller: caller.to_owned(),
            callee: callee.to_owned(),
            line,
            is_macro: false,
        })
    };
    let calls = root.descendants_of(Kind::CallExpression);
    let mut calls: BTreeSet<Call> = calls.filter_map(call).collect();
    let use_of = |caller: &str, name: &str, at: usize| {
        Some(Call {
            caller: caller.to_owned(),
            callee: name.to_owned(),
            line: u32::try_from(lines.number(at)).ok()?,
            is_macro: true,
        })
    };
    let is_macro = |name: &str| is_followed(facts, name);
    let words = prepass.tokens.iter();
    let words = words.filter(|it| it.kind == TokenKind::Word && is_macro(it.text(source)));
    let is_function = |it: &Node<'_>| it.enclosing_function() == Some(*it);
    let functions: Vec<Node<'_>> = root.descendants().filter(is_function).collect();
    calls.extend(words.filter(|it| !is_absent(it.start)).filter_map(|it| {
        // The last of those around it is the innermost.
        let around = functions
            .iter()
            .rfind(|node| node.range().contains(&it.start));
        use_of(caller(*around?)?, it.text(source), it.start)
    }));
    for definition in prepass
        .directives
        .macros
        .iter()
        .filter(|it| is_macro(&it.name))
    {
        let body = &source[definition.body.clone()];
        let tokens = lex_inline(body).tokens.into_iter();
        let words = tokens.filter(|it| it.kind == TokenKind::Word);
        calls.extend(words.filter_map(|it| {
            let name = it.text(body);
            let mut call = use_of(&definition.name, name, definition.body.start + it.start)?;
            call.is_macro = is_macro(name);
            (call.is_macro || is_on_device(facts, name, false)).then_some(call)
        }));
    }
    calls.into_iter().collect()
}

/// Whether device code uses a macro whose text may access memory or calls the project's functions.
fn is_followed(facts: &Facts, name: &str) -> bool {
    let used = facts.macro_uses.get(name);
    let used = used.filter(|_| facts.device_macros.contains(name));
    let is_access = |body: &str| ["[", "*", "->"].iter().any(|it| body.contains(it));
    let calls = |body: &str| {
        let mut tokens = lex_inline(body).tokens.into_iter();
        tokens.any(|it| it.kind == TokenKind::Word && is_on_device(facts, it.text(body), false))
    };
    let mut texts = facts.macros.get(name).into_iter().flatten();
    let mut has_accesses = || texts.any(|it| is_access(&it.body) || calls(&it.body));
    let is_function = || facts.functions_called(name).next().is_some();
    match used.map(|it| it.form) {
        Some(Form::Statements) => !is_function(),
        Some(Form::Lvalue | Form::Value) => has_accesses() && !is_function(),
        Some(Form::Unknown) | None => false,
    }
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
