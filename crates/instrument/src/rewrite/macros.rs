//! Accesses inside macro bodies.
//!
//! A macro used in device code is read as an expression or as statements.
//!
//! - A macro that expands to an lvalue (`#define A(i) a[(i) * n]`) is wrapped where it is used,
//!   because the use shows whether it is read or written.
//! - In any other body the accesses are wrapped in place, once for all uses.
//! - If a body uses only the value of a parameter, the access is in the argument. If the body
//!   assigns to the parameter or takes its address, the access is in the body.
//!
//! A macro that cannot be parsed is left unchanged, with its arguments.

mod given_code;
mod study;

pub(crate) use given_code::GivenCode;

use std::ops::Range;

use hirace_syntax::alias::Aliases;
use hirace_syntax::directives::MacroDefinition;
use hirace_syntax::lexer::{TokenKind, lex_inline};
use hirace_syntax::prepass::Prepass;
use hirace_syntax::tree::Node;
use hirace_syntax::view::Returns;

use super::binding::{Binding, Shape, Storage};
use super::context::{Enclosing, MacroBody, Rewriter, Side};
use super::facts::macro_body::{
    Parsed, declarations, expression, holds_device_code, parse, statements,
};
use super::facts::macro_use::{Form, MacroUse};
use super::role::Role;
use super::sites::escape;

impl<'a> Rewriter<'a> {
    /// Begins a macro's body: binds its parameters.
    fn enter_macro(
        &mut self,
        name: &str,
        text: &[u8],
        start: usize,
        parameters: &[String],
        roles: &[Role],
    ) {
        self.body = Some(MacroBody {
            start,
            text: text.to_vec(),
            roles: std::collections::HashMap::new(),
            declares: Vec::new(),
        });
        self.macro_parameters = parameters.to_vec();
        self.enclosing = Enclosing {
            name: name.to_owned(),
            class: None,
            side: Side::Device,
            returns: Returns::Value,
            result: None,
        };
        self.scopes.enter();
        for (parameter, role) in parameters.iter().zip(roles) {
            let storage = Storage::of_declared(*role == Role::Locate);
            self.scopes
                .bind(parameter, Binding::of_shape(storage, Shape::UNKNOWN));
        }
    }

    /// Notes how a macro's body uses a parameter.
    pub(crate) fn note_macro_parameter(&mut self, node: Node<'_>, role: Role) {
        let name = self.text(node);
        if let Some(body) = &mut self.body {
            body.roles.entry(name.to_owned()).or_default().push(role);
        }
    }

    /// `NAME(arguments)` in device code.
    pub(crate) fn macro_call(
        &mut self,
        node: Node<'_>,
        name: &str,
        known: &MacroUse,
        arguments: Node<'_>,
        role: Role,
    ) {
        if known.form == Form::Unknown {
            let text = self.text(arguments);
            let mut bodies = self.facts.macros.get(name).into_iter().flatten();
            let accesses =
                |text: &str| text.contains('[') || text.contains("->") || self.names_memory(text);
            if text.contains('*') || accesses(text) || bodies.any(|it| accesses(&it.body)) {
                let reason =
                    format!("arguments of the macro `{name}`, whose body hirace cannot parse");
                self.sites.not_read(node.start(), text, reason);
            }
            return;
        }
        let given: Vec<&str> = arguments.named_children().map(|it| self.text(it)).collect();
        self.declared_by_macro(known, &given);
        let opened = self.open_access(node, role);
        for (index, argument) in arguments.named_children().enumerate() {
            let is_read = !self.is_not_evaluated(argument.start());
            if is_read && known.declares.iter().all(|it| it.1 != Some(index)) {
                let own = known.roles.get(index).or(known.roles.last()).copied();
                let role = match !opened && known.may_designate(index) {
                    // Together with what is no place, as in `c ? s[i] : 0`, it is used as the whole is.
                    true => role,
                    false => own.unwrap_or(Role::Load),
                };
                self.expression(argument, role);
            }
        }
        self.close_access(node, opened);
    }

    /// Whether `text` names a variable that threads may share.
    fn names_memory(&self, text: &str) -> bool {
        let tokens = lex_inline(text).tokens;
        let mut words = tokens.iter().filter(|it| it.kind == TokenKind::Word);
        words.any(|it| {
            let binding = self.binding_of_name(it.text(text), true, 0);
            binding.is_some_and(|it| it.storage == Storage::Memory)
        })
    }

    /// Rewrites the bodies of the macros that this file defines; `bodies` contains them as the
    /// grammar sees them.
    pub(crate) fn macro_bodies(&mut self, bodies: &'a [Option<Prepass>]) {
        let prepass = self.prepass;
        for (definition, inner) in prepass.directives.macros.iter().zip(bodies) {
            let body = &self.source[definition.body.clone()];
            let name = definition.name.as_str();
            let start = definition.body.start;
            let parameters = definition.parameters.as_deref().unwrap_or(&[]);
            if self.facts.aliases.is_configuration(name) {
                self.configuration_macro(definition.body.clone());
                continue;
            }
            let Some(inner) = inner else { continue };
            if body.contains("<<<") {
                self.launching_macro(body, start, name, parameters);
                continue;
            }
            self.prepass = inner;
            if holds_device_code(inner, body) {
                self.device_code_in_macro(definition);
            } else {
                self.macro_in_device_code(name, start, parameters);
            }
            self.prepass = prepass;
        }
    }

    /// A macro that device code uses.
    fn macro_in_device_code(&mut self, name: &str, start: usize, parameters: &[String]) {
        let text = &self.prepass.text;
        let Some(known) = self.facts.macro_uses.get(name) else {
            return;
        };
        if known.form == Form::Unknown || !self.facts.device_macros.contains(name) {
            return;
        }
        if let Some(parsed) = parse(text, start) {
            self.enter_macro(name, text, start, parameters, &known.roles);
            self.macro_body(&parsed, start..start + text.len());
            self.leave_macro();
        }
    }

    /// The body of a macro at `range`. An lvalue is accessed where the macro is used.
    fn macro_body(&mut self, parsed: &Parsed, range: Range<usize>) {
        match parsed {
            Parsed::Expression(tree) => {
                if let Some(node) = expression(tree, range.start, range.len()) {
                    let role = match self.objects(node).is_empty() {
                        true => Role::Load,
                        false => Role::Locate,
                    };
                    self.expression(node, role);
                }
            }
            Parsed::Statements(tree) => {
                if let Some(node) = statements(tree) {
                    self.statement(node);
                }
            }
        }
    }

    /// A macro that defines device functions or device lambdas.
    fn device_code_in_macro(&mut self, definition: &MacroDefinition) {
        let (name, start) = (definition.name.as_str(), definition.body.start);
        let text = &self.prepass.text;
        let parameters = definition.parameters.as_deref().unwrap_or(&[]);
        let items = declarations(text, start);
        let parsed = match &items {
            Some(_) => None,
            None => parse(text, start),
        };
        if items.is_none() && parsed.is_none() {
            let reason = format!("device code in the macro `{name}`, which hirace cannot parse");
            let body = self.source.get(definition.body.clone()).unwrap_or("");
            return self.sites.not_read(start, body, reason);
        }
        let roles = vec![Role::Load; parameters.len()];
        self.enter_macro(name, text, start, parameters, &roles);
        self.enclosing.side = Side::Host;
        match (&parsed, &items) {
            (Some(Parsed::Expression(tree) | Parsed::Statements(tree)), _) => {
                self.host(tree.root());
            }
            (None, Some(tree)) => self.items(tree.root()),
            (None, None) => {}
        }
        self.leave_macro();
    }

    /// The kernels that macro uses define in this file.
    pub(crate) fn kernels_of_macros(&mut self) {
        let tokens = &self.prepass.tokens;
        for (index, token) in tokens.iter().enumerate() {
            let Some(parameter) = self.facts.kernel_macros.get(token.text(self.source)) else {
                continue;
            };
            let at = |offset: usize| tokens.get(index + offset).map(|it| it.text(self.source));
            if at(1) != Some("(") {
                continue;
            }
            let mut arguments = 0;
            let named = (2..).map_while(at).take_while(|it| *it != ")").find(|it| {
                arguments += usize::from(*it == ",");
                *it != "," && Some(arguments) == *parameter
            });
            let name = named.unwrap_or_else(|| token.text(self.source));
            self.out.kernels.push(name.to_owned());
        }
    }

    /// The name of a function in a macro's body; the macro's own name if a parameter gives it.
    pub(crate) fn name_in_macro(&self, name: String) -> String {
        let given = self.macro_parameters.contains(&name) || name.contains("__");
        match &self.body {
            Some(_) if given => self.enclosing.name.clone(),
            _ => name,
        }
    }

    fn leave_macro(&mut self) {
        self.scopes.leave();
        self.body = None;
        self.macro_parameters.clear();
    }

    /// A macro that launches kernels.
    fn launching_macro(&mut self, body: &str, start: usize, name: &str, parameters: &[String]) {
        let text = Prepass::of_macro(body, &Aliases::default()).text;
        let Some(parsed) = parse(&text, start) else {
            let reason = format!("launch in the macro `{name}`, whose body hirace cannot parse");
            self.sites.not_read(start, "", reason);
            return;
        };
        self.enter_macro(name, &text, start, &[], &[]);
        self.enclosing.side = Side::Host;
        self.macro_parameters = parameters.to_vec();
        let (Parsed::Expression(tree) | Parsed::Statements(tree)) = &parsed;
        self.host(tree.root());
        self.leave_macro();
    }

    /// The kernel's name in a launch of `callee`: quoted, or made by a macro's `#` or `##`.
    pub(crate) fn kernel_name_literal(&self, callee: &str) -> String {
        if self.macro_parameters.iter().any(|it| it == callee) {
            format!("#{callee}")
        } else if callee.contains("##") {
            format!("HIRACE_TEXT({callee})")
        } else {
            format!("\"{}\"", escape(callee))
        }
    }
}
