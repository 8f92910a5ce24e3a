//! The results of a test's runs as text and as JSON.

use std::fmt::Write as _;

use serde::Serialize;

use super::super::sources::Source;
use hirace_litmus::{Incantations, Machine, Outcome};
use hirace_memory_model::states::Allowed;

/// The version of the JSON form. A change that breaks readers changes the number.
const SCHEMA: &str = "hirace-litmus-run/1";

/// The results of one combination of incantations.
pub(super) struct Results<'a> {
    pub(super) source: &'a Source,
    pub(super) model: &'a str,
    pub(super) machine: Machine,
    pub(super) incantations: Incantations,
    pub(super) seed: u64,
    pub(super) iterations: u64,
    pub(super) outcome: &'a Outcome,
    pub(super) allowed: &'a Allowed,
}

impl Results<'_> {
    /// A histogram.
    pub(super) fn human(&self) -> String {
        let Self {
            outcome, allowed, ..
        } = self;
        let test = &self.source.test;
        let names = self.incantations.names().join(", ");
        let with = if names.is_empty() {
            String::new()
        } else {
            format!(", with {names}")
        };
        let machine = match self.machine {
            Machine::Gpu => "GPU",
            Machine::Executor => "CPU executor",
        };
        let mut text = format!("{}: {} ({machine}{with})\n", test.name, test.question.text);
        let width = outcome
            .seen
            .iter()
            .map(|it| it.count.to_string().len())
            .max()
            .unwrap_or(0);
        for state in &outcome.seen {
            let values: Vec<String> = outcome
                .names
                .iter()
                .zip(&state.values)
                .map(|(name, value)| format!("{name} = {value}"))
                .collect();
            let mark = if state.satisfies { '*' } else { ' ' };
            let verdict = match state.allowed {
                Some(true) => "",
                Some(false) => "  forbidden",
                None => "  beyond --unroll",
            };
            let count = state.count;
            let _ = writeln!(
                text,
                "  {count:>width$} {mark} {}{verdict}",
                values.join(", ")
            );
        }
        let _ = writeln!(
            text,
            "  {} runs satisfy the condition (*); {} of {} allowed states were not seen",
            outcome.satisfying(),
            outcome.unseen,
            allowed.states.len(),
        );
        if outcome.cut > 0 {
            let _ = writeln!(
                text,
                "  {} runs do not count: a thread left a loop after too many rounds",
                outcome.cut
            );
        }
        text + "\n"
    }

    /// The results as a JSON object on one line.
    pub(super) fn json(&self) -> String {
        let Self {
            source, outcome, ..
        } = self;
        let states = outcome.seen.iter().map(|state| JsonState {
            state: outcome
                .names
                .iter()
                .zip(&state.values)
                .map(|(name, value)| (name.clone(), (*value).into()))
                .collect(),
            count: state.count,
            allowed: state.allowed,
            satisfies: state.satisfies,
        });
        let json = Json {
            schema: SCHEMA,
            name: &source.test.name,
            file: &source.file,
            model: self.model,
            condition: &source.test.question.text,
            backend: self.machine.name(),
            incantations: self.incantations.names(),
            seed: self.seed,
            iterations: self.iterations,
            cut: outcome.cut,
            satisfying: outcome.satisfying(),
            agrees: outcome.agrees(&source.test),
            contradicts: outcome.contradicts(),
            unseen: outcome.unseen,
            states: states.collect(),
        };
        serde_json::to_string(&json).expect("numbers and text") + "\n"
    }
}

/// The JSON form.
#[derive(Serialize)]
struct Json<'a> {
    schema: &'static str,
    name: &'a str,
    file: &'a str,
    model: &'a str,
    condition: &'a str,
    backend: &'static str,
    incantations: Vec<&'static str>,
    seed: u64,
    iterations: u64,
    /// Runs that are not counted.
    cut: u64,
    /// Runs for which the condition is true.
    satisfying: u64,
    /// Whether the claim of the question held in the runs.
    agrees: bool,
    /// Whether the model forbids a state that was observed.
    contradicts: bool,
    /// Allowed states that were not observed.
    unseen: usize,
    states: Vec<JsonState>,
}

/// A final state in the JSON form.
#[derive(Serialize)]
struct JsonState {
    state: serde_json::Map<String, serde_json::Value>,
    count: u64,
    allowed: Option<bool>,
    satisfies: bool,
}
