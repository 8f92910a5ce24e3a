//! How the value of an lvalue is used, which decides its hook.

use std::fmt;

/// The use of an lvalue expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Its value is used by an operator or a conversion: a load if it is a number or a pointer. For
    /// an object of a class, the operator's body contains the accesses.
    Load,
    /// It is copied: a load, even for an object of a class.
    Copy,
    /// Its value is used by `[]`, `*` or `->`: a load if it is a pointer, no access if it is an
    /// array or an object with such operators.
    Base,
    /// It is an argument of a function with unknown parameters: a load if it is a number.
    Argument,
    /// It is an argument of a call through a variable, [`Rewriter::target`].
    Called,
    /// It is an argument of a call that may mean functions of several scopes, which take a number by value or by
    /// reference: a load if the one that the compiler chooses takes a value.
    Taken,
    /// It initialises [`Rewriter::target`]: a load unless a reference is bound.
    Initializer,
    /// It is assigned to [`Rewriter::target`].
    Assigned,
    /// The left side of an assignment.
    Store,
    /// The left side of an assignment from [`Rewriter::target`].
    StoreFrom,
    /// An operator changes it depending on its old value.
    Update,
    /// A library function replaces its whole value.
    Exchange,
    /// Only its address is used, or nothing at all.
    Locate,
}

/// The target that an lvalue's value initialises.
#[derive(Clone, Debug, Default)]
pub(crate) struct Target {
    /// Its type, or the function's.
    pub(crate) type_text: String,
    /// Argument index and count, as template arguments; empty if only one is possible.
    pub(crate) place: String,
}

impl Target {
    /// A type that is initialised by a single value.
    pub(crate) fn first_of_one(type_text: String) -> Self {
        Self {
            type_text,
            place: ", 0, 1".to_owned(),
        }
    }

    /// A bare target type.
    pub(crate) fn bare(type_text: String) -> Self {
        Self {
            type_text,
            place: String::new(),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.type_text, self.place)
    }
}
