//! The hooks around accesses, whose texts are decided when all of a function is known.

use std::ops::Range;

/// The hook around an access.
#[derive(Clone, Debug)]
pub(crate) struct Hooked {
    /// The lvalue.
    pub(crate) range: Range<usize>,
    /// The hook's name.
    pub(crate) name: &'static str,
    /// The type that the hook needs, as a template argument.
    pub(crate) target: String,
    /// The site's number.
    pub(crate) id: String,
    /// The edit that opens it.
    pub(crate) edit: usize,
    /// The name at the lvalue's root.
    pub(crate) variable: String,
    pub(crate) checks: Checks,
}

/// What the hook of a load checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Checks {
    Everything,
    /// That it stays within this shared variable.
    Bounds(String),
    /// Nothing, if the memory behind the parameter of this number is read only.
    UnlessReadOnly(usize),
}

impl Hooked {
    /// The text before the lvalue.
    pub(crate) fn opening(&self) -> String {
        let Self {
            name, target, id, ..
        } = self;
        match &self.checks {
            Checks::Everything => format!("::hirace::{name}{target}({id}, "),
            Checks::Bounds(variable) => format!("::hirace::{name}_stable({id}, {variable}, "),
            Checks::UnlessReadOnly(number) => {
                format!("::hirace::{name}_of_parameter({id}, {number}, ")
            }
        }
    }
}
