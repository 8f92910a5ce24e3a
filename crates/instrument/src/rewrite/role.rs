//! How the value of an lvalue is used, which decides its hook.

use std::fmt;

/// What happens to the value of an lvalue expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Its value is used by an operator or a conversion: a load if it is a number or a
    /// pointer. What an object of a class is used for, the operator's body says.
    Load,
    /// It is copied: a load also of an object of a class.
    Copy,
    /// Its value is used by `[]`, `*` or `->`: a load if it is a pointer, none
    /// if it is an array or an object with such operators.
    Base,
    /// It is an argument of a function whose parameters are not known: a load
    /// if it is a number.
    Argument,
    /// It is an argument of a call through a variable, [`Rewriter::target`].
    Called,
    /// It initialises [`Rewriter::target`]: a load unless a reference is bound.
    Initializer,
    /// It is assigned to [`Rewriter::target`].
    Assigned,
    /// It is assigned to.
    Store,
    /// It is assigned [`Rewriter::target`].
    StoreFrom,
    /// It is changed by an operator depending on its value.
    Update,
    /// It is changed in full by a library.
    Exchange,
    /// Only its address or nothing at all is used.
    Locate,
}

/// What an lvalue's value goes to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Target {
    /// Its type, or the function's.
    pub(crate) type_text: String,
    /// Which value it is of how many, as template arguments; none where there is but one way.
    pub(crate) place: String,
}

impl Target {
    /// A type that the only value initialises.
    pub(crate) fn first_of_one(type_text: String) -> Self {
        Self {
            type_text,
            place: ", 0, 1".to_owned(),
        }
    }

    /// A type without further ado.
    pub(crate) fn alone(type_text: String) -> Self {
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
