//! How macros behave in device code: the form of their bodies, and the use of their arguments.

use super::{Facts, MacroText};
use crate::rewrite::role::Role;

/// The form of a macro's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// An expression that designates memory.
    Lvalue,
    /// Any other expression.
    Value,
    /// Statements.
    Statements,
    /// Anything else.
    Unknown,
}

/// How a macro behaves when it is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MacroUse {
    pub(crate) form: Form,
    pub(crate) function_like: bool,
    /// The use of each parameter in the body; `Locate` if the body uses more than its value.
    pub(crate) roles: Vec<Role>,
    /// The shared variables that it declares: their names, and the numbers of the parameters that
    /// give the names.
    pub(crate) declares: Vec<(String, Option<usize>)>,
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

    /// Whether it expands to an lvalue.
    pub(crate) fn is_lvalue(&self) -> bool {
        self.form == Form::Lvalue
    }

    /// The parameter whose object an lvalue macro designates.
    pub(crate) fn located(&self) -> Option<usize> {
        let located = || self.roles.iter().position(|role| *role == Role::Locate);
        self.is_lvalue().then(located).flatten()
    }

    pub(crate) fn unknown(text: &MacroText) -> Self {
        Self {
            form: Form::Unknown,
            function_like: text.parameters.is_some(),
            roles: vec![Role::Locate; text.parameters.as_ref().map_or(0, Vec::len)],
            declares: Vec::new(),
        }
    }

    /// The facts that hold for both of two definitions.
    pub(crate) fn merge(self, other: Self) -> Self {
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
pub(crate) fn join(one: Role, two: Role) -> Role {
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
    /// The behaviour of the macro `name` in device code, if it is known.
    pub(crate) fn macro_use(&self, name: &str, function_like: bool) -> Option<&MacroUse> {
        self.macro_uses
            .get(name)
            .filter(|it| it.function_like == function_like)
    }
}
