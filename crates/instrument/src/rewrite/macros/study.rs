//! What macros do in device code: the form of their bodies, and what becomes of arguments.

use crate::rewrite::context::{Rewriter, Role};
use crate::rewrite::facts::{Facts, MacroText};
use crate::rewrite::scope::Storage;
use crate::rewrite::{MonitorAll, Options, Skip, Source};
use hirace_syntax::Defines;
use hirace_syntax::prepass::Prepass;

use super::body::{Parsed, expression, is_pasted, parse, statements};
use super::pasted::PastedName;

/// What a macro's body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
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
    pub(super) form: Form,
    function_like: bool,
    /// What the body does with each parameter; `Locate` if it does more than
    /// use its value.
    pub(super) roles: Vec<Role>,
    /// The shared variables that it declares: their names, and the numbers of the
    /// parameters that stand for them.
    pub(super) declares: Vec<(String, Option<usize>)>,
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

impl Facts {
    /// What the macro `name` does in device code, if that is known.
    pub(crate) fn macro_use(&self, name: &str, function_like: bool) -> Option<&MacroUse> {
        self.macro_uses
            .get(name)
            .filter(|it| it.function_like == function_like)
    }

    /// Studies the bodies of all macros that device code uses.
    pub(crate) fn study_macros(&mut self) {
        let all = self.macros.values().flatten();
        self.pasted_names = all.flat_map(PastedName::of).collect();
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
            backend: hirace_model::Backend::Cpu,
            numbering: hirace_model::table::Numbering::Given { base: 1, key: 0 },
            location: None,
            selection: &MonitorAll,
            defines: &defines,
            skip: Skip::NOTHING,
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
