//! The specified result of a step, for both devices and tests.

use std::fmt;

use hirace_fsm::word::{Widths, Word};
use hirace_fsm::{Masks, State, Table, Transition};

use super::step::Step;
use hirace_model::wire::self_test::SelfTestAnswer;

/// A device's answer to a step, or the expected one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The word after the step.
    pub word: Word,
    /// Whether the step races.
    pub race: bool,
    /// Whether the inline part of the check would have sufficed.
    pub settled_inline: bool,
}

impl Answer {
    /// Decodes a row that a device wrote.
    pub fn of(row: &SelfTestAnswer) -> Self {
        Self {
            word: Word(row.word),
            race: row.race != 0,
            settled_inline: row.settled_inline != 0,
        }
    }

    /// The row that a device would write.
    pub fn row(&self) -> SelfTestAnswer {
        SelfTestAnswer {
            word: self.word.0,
            race: self.race.into(),
            settled_inline: self.settled_inline.into(),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let race = if self.race { "a race" } else { "no race" };
        write!(formatter, "{race} and {:#018x}", self.word.0)?;
        if self.settled_inline {
            formatter.write_str("; nothing to do")?;
        }
        Ok(())
    }
}

/// A word and its state, as text.
pub fn show(word: Word, widths: Widths) -> String {
    let state = State::ALL.get((word.0 >> widths.size.state_shift()) as usize);
    let state = state.map_or("no state", |state| state.name());
    format!("{:#018x} ({state})", word.0)
}

/// The state machine in Rust, which steps words.
pub struct Oracle {
    table: Table,
    masks: Masks,
}

impl Oracle {
    /// Uses the tables of the specification.
    pub fn new() -> Self {
        let table = Table::EXACT;
        let masks = Masks::of(&table);
        Self { table, masks }
    }

    /// The expected answer to a step, and the transition that it takes.
    pub fn step(&self, word: Word, step: Step) -> (Answer, Transition) {
        let Self { table, masks } = self;
        let Step {
            who,
            access,
            widths,
            ..
        } = step;
        let (next, transition) = word.step(table, masks, widths, who, access);
        let race = next.state(widths, who.epoch) == State::Race;
        let after = if race {
            // After a race, the device starts over with the access that raced.
            Word::default().step(table, masks, widths, who, access).0
        } else {
            next
        };
        // An access that does not change the state needs no further work if its thread agrees with
        // the recorded thread in all fields that matter.
        let same = !race && next.state(widths, who.epoch) == transition.state;
        let answer = Answer {
            word: after,
            race,
            settled_inline: same && word.agrees(masks, widths, who),
        };
        (answer, transition)
    }
}
