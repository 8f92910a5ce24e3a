//! The states of runs, compared with those that a model allows.

use hirace_memory_model::litmus::ast::{Quantifier, Term, Test, Value};
use hirace_memory_model::states::{self, Allowed};

use super::Histogram;

/// A final state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The values, in the order of [`Outcome::names`].
    pub values: Vec<Value>,
    /// How many runs ended in it.
    pub count: u64,
    /// Whether the model allows it; none if the model's states are not all known.
    pub allowed: Option<bool>,
    /// Whether the condition is true in it.
    pub satisfies: bool,
}

/// All states of a test.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What the values of a state are.
    pub names: Vec<String>,
    /// Those that were seen, the frequent ones first.
    pub seen: Vec<State>,
    /// The number of states that the model allows and no run ended in.
    pub unseen: usize,
    /// Runs that do not count.
    pub cut: u64,
}

impl Outcome {
    /// Compares the states of runs of `test` with those that a model allows.
    #[must_use]
    pub fn of(test: &Test, histogram: &Histogram, allowed: &Allowed) -> Self {
        let terms = states::observed(test);
        let mut seen: Vec<State> = Vec::new();
        for (values, count) in &histogram.states {
            let value = |term: &Term| match term {
                Term::Value(value) => *value,
                term => {
                    let at = terms.iter().position(|it| it == term);
                    at.map_or(0, |at| values[at])
                }
            };
            let known = allowed.states.contains(values);
            seen.push(State {
                values: values.clone(),
                count: *count,
                allowed: (known || allowed.complete).then_some(known),
                satisfies: test.filter.as_ref().is_none_or(|it| it.holds(&value))
                    && test.question.condition.holds(&value),
            });
        }
        seen.sort_by(|a, b| b.count.cmp(&a.count).then(a.values.cmp(&b.values)));
        let known = |it: &&Vec<Value>| histogram.states.contains_key(*it);
        Self {
            names: terms.iter().map(|it| states::name(test, it)).collect(),
            unseen: allowed.states.len() - allowed.states.iter().filter(known).count(),
            seen,
            cut: histogram.cut,
        }
    }

    /// Whether a run ended in a state that the model forbids.
    #[must_use]
    pub fn contradicts(&self) -> bool {
        self.seen.iter().any(|it| it.allowed == Some(false))
    }

    /// Runs that ended in a state of which the condition is true.
    #[must_use]
    pub fn satisfying(&self) -> u64 {
        let states = self.seen.iter().filter(|it| it.satisfies);
        states.map(|it| it.count).sum()
    }

    /// Whether the runs agree with the question: `exists` was seen, `~exists` was not, `forall` was
    /// never false.
    #[must_use]
    pub fn agrees(&self, test: &Test) -> bool {
        let all: u64 = self.seen.iter().map(|it| it.count).sum();
        match test.question.quantifier {
            Quantifier::Exists => self.satisfying() > 0,
            Quantifier::NotExists => self.satisfying() == 0,
            Quantifier::ForAll => self.satisfying() == all,
        }
    }
}
