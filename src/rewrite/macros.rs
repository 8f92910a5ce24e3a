//! Accesses inside macro bodies.
//!
//! A macro used in device code is read as an expression or as statements.
//!
//! - One that stands for an lvalue (`#define A(i) a[(i) * n]`) is wrapped where
//!   it is used, which shows whether it is read or written.
//! - In any other body the accesses are wrapped in place, once for all uses.
//! - A parameter whose value alone is used leaves the access to the argument; if
//!   the body assigns to it or takes its address, the body has the access.
//!
//! A macro that is neither is left alone, with its arguments.

use crate::parse::Defines;
use crate::parse::directives::MacroDefinition;
use crate::parse::prepass::Prepass;
use crate::parse::qualifier::Aliases;
use crate::parse::tree::{Kind, Node, Tree};
use crate::parse::view::Returns;

use super::context::{Enclosing, MacroBody, Rewriter, Role, Side};
use super::facts::{Facts, MacroText};
use super::scope::{Binding, Shape, Storage};
use super::{MonitorAll, Options, Source};

/// Longest body that is looked at.
const BODY_LIMIT: usize = 64 << 10;

/// What a macro's body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// An expression that designates memory.
    Lvalue,
    /// Any other expression.
    Value,
    /// Statements.
    Statements,
    /// Neither.
    Unknown,
}

/// What is known of a macro's uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MacroUse {
    form: Form,
    function_like: bool,
    /// What the body does with each parameter; `Locate` if it does more than
    /// use its value.
    roles: Vec<Role>,
    /// The shared variables that it declares: their names, and the numbers of the
    /// parameters that stand for them.
    declares: Vec<(String, Option<usize>)>,
}

impl MacroUse {
    /// The names of the shared variables that a use with `arguments` declares.
    pub(crate) fn declared(&self, arguments: &[&str]) -> Vec<String> {
        let name = |(own, parameter): &(String, Option<usize>)| match parameter {
            Some(index) => arguments.get(*index).map_or("", |it| it.trim()).to_owned(),
            None => own.clone(),
        };
        self.declares.iter().map(name).collect()
    }

    /// Whether it stands for an lvalue.
    pub(crate) fn is_lvalue(&self) -> bool {
        self.form == Form::Lvalue
    }

    /// The parameter whose object an lvalue macro designates.
    pub(crate) fn located(&self) -> Option<usize> {
        let located = || self.roles.iter().position(|role| *role == Role::Locate);
        self.is_lvalue().then(located).flatten()
    }

    fn unknown(text: &MacroText) -> Self {
        Self {
            form: Form::Unknown,
            function_like: text.parameters.is_some(),
            roles: vec![Role::Locate; text.parameters.as_ref().map_or(0, Vec::len)],
            declares: Vec::new(),
        }
    }

    /// What holds for both of two definitions.
    fn merge(self, other: Self) -> Self {
        if self == other {
            return self;
        }
        let same =
            self.function_like == other.function_like && self.roles.len() == other.roles.len();
        let form = match (self.form, other.form) {
            (one, two) if one == two => one,
            // Conditional compilation often gives an empty alternative.
            (Form::Statements, Form::Value) | (Form::Value, Form::Statements) => Form::Statements,
            _ => Form::Unknown,
        };
        let roles = self
            .roles
            .iter()
            .zip(&other.roles)
            .map(|(one, two)| join(*one, *two))
            .collect();
        let form = if same { form } else { Form::Unknown };
        Self {
            form,
            function_like: self.function_like,
            roles,
            declares: [self.declares, other.declares].concat(),
        }
    }
}

/// One role that covers both.
fn join(one: Role, two: Role) -> Role {
    match (one, two) {
        (Role::Load, Role::Load) => Role::Load,
        (Role::Load | Role::Base, Role::Load | Role::Base) => Role::Base,
        (Role::Copy, Role::Copy) => Role::Copy,
        (
            Role::Load | Role::Base | Role::Argument | Role::Copy,
            Role::Load | Role::Base | Role::Argument | Role::Copy,
        ) => Role::Argument,
        _ => Role::Locate,
    }
}

/// A body's syntax.
enum Parsed {
    Expression(Tree),
    Statements(Tree),
}

/// Reads a masked body that starts at `start` in its file.
fn parse(text: &[u8], start: usize) -> Option<Parsed> {
    if text.len() > BODY_LIMIT || text.iter().all(u8::is_ascii_whitespace) {
        return None;
    }
    let tree = Tree::fragment("void f(){(", text, ");}", start);
    if !starts_statement(text)
        && !tree.root().has_error()
        && expression(&tree, start, text.len()).is_some()
    {
        return Some(Parsed::Expression(tree));
    }
    let tree = Tree::fragment("void f(){", text, "\n;}", start);
    let whole = tree.depth() < super::stack::ORDINARY_DEPTH;
    (whole && !tree.root().has_error()).then_some(Parsed::Statements(tree))
}

/// Whether a body starts with a statement's keyword, which the grammar takes
/// for a function's name where an expression is due.
fn starts_statement(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    let text = text.trim_start();
    let end = text
        .find(|c: char| !(c.is_alphanumeric() || c == '_'))
        .unwrap_or(text.len());
    matches!(
        &text[..end],
        "if" | "for"
            | "while"
            | "do"
            | "switch"
            | "return"
            | "goto"
            | "break"
            | "continue"
            | "case"
            | "default"
            | "else"
            | "try"
            | "typedef"
            | "using"
    )
}

/// The expression that makes up a whole body.
fn expression(tree: &Tree, start: usize, len: usize) -> Option<Node<'_>> {
    if tree.depth() >= super::stack::ORDINARY_DEPTH {
        return None;
    }
    let outer = tree
        .root()
        .descendants()
        .find(|it| it.is(Kind::ParenthesizedExpression) && it.end() == start + len + 1)?;
    let inner = outer.first_named()?;
    (inner.start() >= start && inner.end() <= start + len && !inner.is(Kind::CompoundStatement))
        .then_some(inner)
}

/// The statements of a body.
fn statements(tree: &Tree) -> Option<Node<'_>> {
    tree.root()
        .descendants()
        .find(|it| it.is(Kind::CompoundStatement))
}

impl Facts {
    /// What the macro `name` does in device code, if that is known.
    pub(crate) fn macro_use(&self, name: &str, function_like: bool) -> Option<&MacroUse> {
        self.macro_uses
            .get(name)
            .filter(|it| it.function_like == function_like)
    }

    /// Studies the bodies of all macros that device code uses.
    pub(crate) fn study_macros(&mut self) {
        let mut names: Vec<String> = self.device_macros.iter().cloned().collect();
        names.sort();
        // Macros that use macros need what is known of those.
        for _ in 0..3 {
            let mut found = Vec::new();
            for name in &names {
                let Some(definitions) = self.macros.get(name) else {
                    continue;
                };
                let all = definitions.iter().map(|it| self.study(it));
                if let Some(merged) = all.reduce(MacroUse::merge) {
                    found.push((name.clone(), merged));
                }
            }
            let mut changed = false;
            for (name, known) in found {
                changed |= self.macro_uses.get(&name) != Some(&known);
                self.macro_uses.insert(name, known);
            }
            if !changed {
                break;
            }
        }
    }

    fn study(&self, definition: &MacroText) -> MacroUse {
        let prepass = Prepass::of_macro(&definition.body, &self.aliases);
        let Some(parsed) = parse(&prepass.text, 0) else {
            let mut known = MacroUse::unknown(definition);
            if definition.body.trim().is_empty() {
                known.form = Form::Value;
            }
            return known;
        };
        let defines = Defines::new();
        let options = Options {
            backend: crate::model::Backend::Cpu,
            numbering: crate::table::Numbering::Given { base: 1, key: 0 },
            location: None,
            selection: &MonitorAll,
            defines: &defines,
        };
        let source = Source {
            path: "",
            text: &definition.body,
        };
        let parameters = definition.parameters.as_deref().unwrap_or(&[]);
        let mut rewriter = Rewriter::new(&source, &prepass, self, &options);
        let open = vec![Role::Locate; parameters.len()];
        rewriter.enter_macro("", &prepass.text, 0, parameters, &open);
        match &parsed {
            Parsed::Expression(tree) => {
                if let Some(node) = expression(tree, 0, prepass.text.len()) {
                    rewriter.expression(node, Role::Load);
                }
            }
            Parsed::Statements(tree) => {
                if let Some(node) = statements(tree) {
                    rewriter.statement(node);
                }
            }
        }
        let body = rewriter.body.take();
        let (used, declared) = body.map_or_else(Default::default, |it| (it.roles, it.declares));
        let declares = declared
            .into_iter()
            .map(|name| {
                let parameter = parameters.iter().position(|it| *it == name);
                (name, parameter)
            })
            .collect();
        let copied = rewriter.copied();
        let mut roles: Vec<Role> = parameters
            .iter()
            .map(|name| {
                let all = used.get(name).into_iter().flatten().copied();
                all.map(|role| plain(role, copied))
                    .reduce(join)
                    .unwrap_or(Role::Load)
            })
            .collect();
        let form = match &parsed {
            Parsed::Statements(_) => Form::Statements,
            Parsed::Expression(tree) => {
                rewriter.scopes.leave();
                rewriter.enter_macro("", &prepass.text, 0, parameters, &roles);
                let node = expression(tree, 0, prepass.text.len());
                match node {
                    Some(node) if rewriter.storage(node) == Storage::Memory => Form::Lvalue,
                    _ => Form::Value,
                }
            }
        };
        // A parameter that is pasted or quoted must reach the body as it is.
        for (index, name) in parameters.iter().enumerate() {
            if is_pasted(&definition.body, name) {
                roles[index] = Role::Locate;
            }
        }
        MacroUse {
            form,
            function_like: definition.parameters.is_some(),
            roles,
            declares,
        }
    }
}

/// A role as far as the argument is concerned.
fn plain(role: Role, copied: Role) -> Role {
    match role {
        Role::Load | Role::Base | Role::Argument | Role::Copy => role,
        // The target is not known where the macro is used.
        Role::Initializer | Role::Called => Role::Argument,
        Role::Assigned => copied,
        Role::Store | Role::StoreFrom | Role::Update | Role::Exchange | Role::Locate => {
            Role::Locate
        }
    }
}

/// The macros that a file defines, as the grammar sees their bodies, with positions in the
/// file; none for those that have no part in device code.
pub(crate) fn bodies(source: &str, prepass: &Prepass, facts: &Facts) -> Vec<Option<Prepass>> {
    let wanted = |definition: &MacroDefinition, body: &str| {
        !facts.condition_words.contains(&definition.name)
            && (body.contains("<<<")
                || body.contains('{')
                || facts.device_macros.contains(&definition.name))
    };
    let of = |definition: &MacroDefinition| {
        let body = source.get(definition.body.clone()).unwrap_or("");
        if !wanted(definition, body) {
            return None;
        }
        let mut prepass = Prepass::of_macro(body, &facts.aliases);
        prepass.shift(definition.body.start);
        Some(prepass)
    };
    prepass.directives.macros.iter().map(of).collect()
}

/// Whether a macro's body has a function or a lambda for the device in it.
pub(crate) fn holds_device_code(prepass: &Prepass, body: &str) -> bool {
    body.contains('{') && prepass.marks.iter().any(|it| it.qualifiers.on_device())
}

/// Whether `##` touches the parameter `name`.
fn is_pasted(body: &str, name: &str) -> bool {
    let tokens = crate::parse::lexer::lex_inline(body).tokens;
    tokens.iter().enumerate().any(|(index, token)| {
        let near = |at: Option<usize>| {
            at.and_then(|at| tokens.get(at))
                .is_some_and(|it| it.text(body) == "##")
        };
        token.text(body) == name && (near(index.checked_sub(1)) || near(Some(index + 1)))
    })
}

impl<'a> Rewriter<'a> {
    /// Starts on a macro's body: binds its parameters.
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
        self.enclosing = Enclosing {
            name: name.to_owned(),
            class: None,
            side: Side::Device,
            returns: Returns::Value,
            result: None,
        };
        self.scopes.enter();
        for (parameter, role) in parameters.iter().zip(roles) {
            let storage = if *role == Role::Locate {
                Storage::Memory
            } else {
                Storage::Local
            };
            let binding = Binding {
                storage,
                shape: Shape::UNKNOWN,
                ..Binding::nothing()
            };
            self.scopes.bind(parameter, binding);
        }
    }

    /// Notes how a macro's body uses a parameter.
    pub(crate) fn note_macro_parameter(&mut self, node: Node<'_>, role: Role) {
        let name = self.source.get(node.range()).unwrap_or("");
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
            let accesses = |text: &str| text.contains('[') || text.contains("->");
            if text.contains('*') || accesses(text) || bodies.any(|it| accesses(&it.body)) {
                let reason =
                    format!("arguments of the macro `{name}`, whose body is not understood");
                self.sites.not_read(node.start(), text, reason);
            }
            return;
        }
        let given: Vec<&str> = arguments.named_children().map(|it| self.text(it)).collect();
        self.declared_by_macro(known, &given);
        let opened = self.open_access(node, role);
        for (index, argument) in arguments.named_children().enumerate() {
            let declared = known.declares.iter().any(|it| it.1 == Some(index));
            if declared {
                continue;
            }
            let role = known.roles.get(index).or(known.roles.last()).copied();
            self.expression(argument, role.unwrap_or(Role::Load));
        }
        self.close_access(node, opened);
    }

    /// Rewrites the bodies of the macros that this file defines, which `bodies` has as
    /// the grammar sees them.
    pub(crate) fn macro_bodies(&mut self, bodies: &'a [Option<Prepass>]) {
        let prepass = self.prepass;
        for (definition, inner) in prepass.directives.macros.iter().zip(bodies) {
            let body = &self.source[definition.body.clone()];
            let name = definition.name.as_str();
            let start = definition.body.start;
            let parameters = definition.parameters.as_deref().unwrap_or(&[]);
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
            self.macro_parameters = parameters.to_vec();
            match &parsed {
                Parsed::Expression(tree) => {
                    let role = if known.is_lvalue() {
                        Role::Locate
                    } else {
                        Role::Load
                    };
                    if let Some(node) = expression(tree, start, text.len()) {
                        self.expression(node, role);
                    }
                }
                Parsed::Statements(tree) => {
                    if let Some(node) = statements(tree) {
                        self.statement(node);
                    }
                }
            }
            self.macro_parameters.clear();
            self.leave_macro();
        }
    }

    /// A macro that defines functions or lambdas for the device.
    fn device_code_in_macro(&mut self, definition: &MacroDefinition) {
        let (name, start) = (definition.name.as_str(), definition.body.start);
        let text = &self.prepass.text;
        let parameters = definition.parameters.as_deref().unwrap_or(&[]);
        let tree = Tree::fragment("", text, "\n", start);
        let items = !tree.root().has_error() && tree.depth() < super::stack::ORDINARY_DEPTH;
        let parsed = if items { None } else { parse(text, start) };
        if !items && parsed.is_none() {
            let reason = format!("device code in the macro `{name}`, which is not understood");
            let body = self.source.get(definition.body.clone()).unwrap_or("");
            return self.sites.not_read(start, body, reason);
        }
        self.enter_macro(
            name,
            text,
            start,
            parameters,
            &vec![Role::Load; parameters.len()],
        );
        self.enclosing.side = Side::Host;
        self.macro_parameters = parameters.to_vec();
        match &parsed {
            Some(Parsed::Expression(tree) | Parsed::Statements(tree)) => self.host(tree.root()),
            None => self.items(tree.root()),
        }
        self.macro_parameters.clear();
        self.leave_macro();
    }

    /// The kernels that uses of macros define in this file.
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

    /// The name of a function in a macro's body: the macro's, where a parameter stands
    /// for it.
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
    }

    /// A macro that launches kernels.
    fn launching_macro(&mut self, body: &str, start: usize, name: &str, parameters: &[String]) {
        let text = Prepass::of_macro(body, &Aliases::default()).text;
        let Some(parsed) = parse(&text, start) else {
            let reason = format!("launch in the macro `{name}`, whose body is not understood");
            self.sites.not_read(start, "", reason);
            return;
        };
        self.enter_macro(name, &text, start, &[], &[]);
        self.enclosing.side = Side::Host;
        self.macro_parameters = parameters.to_vec();
        let tree = match &parsed {
            Parsed::Expression(tree) | Parsed::Statements(tree) => tree,
        };
        self.host(tree.root());
        self.macro_parameters.clear();
        self.leave_macro();
    }

    /// How a launch of `callee` names its kernel: quoted, or by a macro's `#`.
    pub(crate) fn kernel_name_literal(&self, callee: &str) -> String {
        if self.macro_parameters.iter().any(|it| it == callee) {
            format!("#{callee}")
        } else {
            format!("\"{}\"", super::sites::escape(callee))
        }
    }
}
