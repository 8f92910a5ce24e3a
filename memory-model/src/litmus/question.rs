//! What a test asks, as data.

use super::types::Value;

/// The index of a location in `Test::locations`.
pub type LocationId = usize;

/// What is asked about the final states.
#[derive(Clone, Debug)]
pub struct Question {
    /// For which of them.
    pub quantifier: Quantifier,
    /// What holds.
    pub condition: Condition,
    /// The line as written, white space folded.
    pub text: String,
}

/// For which final states a condition is to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// Some.
    Exists,
    /// None.
    NotExists,
    /// All.
    ForAll,
}

/// A condition on a final state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Always.
    True,
    /// Two values are equal.
    Equal(Term, Term),
    /// Two values differ.
    Differ(Term, Term),
    /// Both.
    And(Box<Condition>, Box<Condition>),
    /// Either.
    Or(Box<Condition>, Box<Condition>),
    /// Not.
    Not(Box<Condition>),
}

impl Condition {
    /// Whether it is true where terms have these values.
    pub fn holds(&self, value: &impl Fn(&Term) -> Value) -> bool {
        match self {
            Self::True => true,
            Self::Equal(a, b) => value(a) == value(b),
            Self::Differ(a, b) => value(a) != value(b),
            Self::And(a, b) => a.holds(value) && b.holds(value),
            Self::Or(a, b) => a.holds(value) || b.holds(value),
            Self::Not(inner) => !inner.holds(value),
        }
    }

    /// Calls `visit` with each term in it.
    pub fn terms(&self, visit: &mut impl FnMut(&Term)) {
        match self {
            Self::True => {}
            Self::Equal(a, b) | Self::Differ(a, b) => {
                visit(a);
                visit(b);
            }
            Self::And(a, b) | Self::Or(a, b) => {
                a.terms(visit);
                b.terms(visit);
            }
            Self::Not(inner) => inner.terms(visit),
        }
    }
}

/// A value in a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// A number.
    Value(Value),
    /// `P1:r0`, `1:r0`.
    Register(usize, String),
    /// `x`, `[x]`.
    Location(LocationId),
}
