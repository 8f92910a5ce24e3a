//! The truth of conditions.

use super::ast::{Condition, Term, Value};

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
