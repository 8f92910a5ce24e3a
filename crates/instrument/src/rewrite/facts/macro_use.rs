//! How macros behave in device code: the form of their bodies, and the use of their arguments.

use hirace_syntax::lexer::lex_inline;

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

/// What an lvalue in a macro's body is a part of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Root {
    /// A name, whose meaning is that at the place of use.
    Name(String),
    /// The argument for the parameter with this number.
    Parameter(usize),
    /// A name that `##` joins from these parts.
    Joined(Vec<Part>),
    /// Anything else, such as the result of a call.
    Other,
}

/// A part of a name that `##` joins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Text(String),
    Parameter(usize),
}

impl Part {
    /// `text`, unless it is a parameter.
    pub(crate) fn of(text: &str, parameters: &[String]) -> Self {
        match parameters.iter().position(|it| it == text) {
            Some(place) => Self::Parameter(place),
            None => Self::Text(text.to_owned()),
        }
    }
}

/// An object that a macro may expand to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Object {
    pub(crate) root: Root,
    /// Whether it is reached through a pointer or a reference, so that only the hook knows where it is.
    /// Otherwise it is where its root is.
    pub(crate) reached: bool,
    /// Whether it is the root itself, not a part of it.
    pub(crate) whole: bool,
    /// Whether it is, or may be, a bit-field.
    pub(crate) bits: bool,
}

/// How a macro behaves when it is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MacroUse {
    pub(crate) form: Form,
    /// What it expands to if it is an lvalue: one for each definition, and for each arm of `?:`.
    pub(crate) objects: Vec<Object>,
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

    /// A macro whose body is one name, joined by `##`.
    pub(crate) fn joining(text: &MacroText) -> Option<Self> {
        let parameters = text.parameters.as_deref()?;
        let tokens = lex_inline(&text.body).tokens;
        let words: Vec<&str> = tokens.iter().map(|it| it.text(&text.body)).collect();
        let is_joined = |(at, word): (usize, &&str)| (at % 2 == 1) == (*word == "##");
        if words.len() < 3
            || words.len().is_multiple_of(2)
            || !words.iter().enumerate().all(is_joined)
        {
            return None;
        }
        let part = |word: &&str| Part::of(word, parameters);
        Some(Self {
            form: Form::Lvalue,
            objects: vec![Object {
                root: Root::Joined(words.iter().step_by(2).map(part).collect()),
                reached: false,
                whole: true,
                bits: false,
            }],
            ..Self::unknown(text)
        })
    }

    pub(crate) fn unknown(text: &MacroText) -> Self {
        Self {
            form: Form::Unknown,
            objects: Vec::new(),
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
            // Hooks pass values on.
            (Form::Lvalue, Form::Value) | (Form::Value, Form::Lvalue) => Form::Lvalue,
            _ => Form::Unknown,
        };
        let roles = self
            .roles
            .iter()
            .zip(&other.roles)
            .map(|(one, two)| join(*one, *two))
            .collect();
        let form = if same { form } else { Form::Unknown };
        let mut objects = self.objects;
        objects.extend(other.objects);
        objects.dedup();
        Self {
            form,
            objects,
            function_like: self.function_like,
            roles,
            declares: [self.declares, other.declares].concat(),
        }
    }
}

impl MacroUse {
    /// Whether a use may be another name of the argument with this number, or of a part of it.
    pub(crate) fn may_designate(&self, argument: usize) -> bool {
        let mut objects = self.objects.iter();
        objects.any(|it| it.root == Root::Parameter(argument) && !it.reached)
    }
}

/// One role that covers both.
pub(crate) fn join(one: Role, two: Role) -> Role {
    match (one, two) {
        (Role::Load, Role::Load) => Role::Load,
        (Role::Load | Role::Base, Role::Load | Role::Base) => Role::Base,
        (Role::Copy, Role::Copy) => Role::Copy,
        (Role::Taken, Role::Taken) => Role::Taken,
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
