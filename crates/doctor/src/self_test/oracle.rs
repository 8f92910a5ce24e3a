//! What the specification says of a step, for device and test alike.

use std::fmt;

use hirace_fsm::word::{Widths, Word};
use hirace_fsm::{Masks, State, Table, Transition};

use super::step::Step;
use hirace_model::wire::self_test::SelfTestAnswer;

/// What a device said, or has to say, of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The word after it.
    pub word: Word,
    /// It races.
    pub race: bool,
    /// The part of the check that is in line would have left it at that.
    pub said_all: bool,
}

impl Answer {
    /// What a device wrote.
    pub fn of(row: &SelfTestAnswer) -> Self {
        Self {
            word: Word(row.word),
            race: row.race != 0,
            said_all: row.said_all != 0,
        }
    }

    /// The row that a device would write.
    pub fn row(&self) -> SelfTestAnswer {
        SelfTestAnswer {
            word: self.word.0,
            race: self.race.into(),
            said_all: self.said_all.into(),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let race = if self.race { "a race" } else { "no race" };
        write!(formatter, "{race} and {:#018x}", self.word.0)?;
        if self.said_all {
            formatter.write_str("; nothing to do")?;
        }
        Ok(())
    }
}

/// A word and its state.
pub fn show(word: Word, widths: Widths) -> String {
    let state = State::ALL.get((word.0 >> widths.size.state_shift()) as usize);
    let state = state.map_or("no state", |state| state.name());
    format!("{:#018x} ({state})", word.0)
}

/// The machine, stepping words in Rust.
pub struct Oracle {
    table: Table,
    masks: Masks,
}

impl Oracle {
    /// With the tables of the specification.
    pub fn new() -> Self {
        let table = Table::EXACT;
        let masks = Masks::of(&table);
        Self { table, masks }
    }

    /// What has to come of a step, and the transition that decides.
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
            // The device starts over with the access that raced.
            Word::default().step(table, masks, widths, who, access).0
        } else {
            next
        };
        // An access that leaves the state needs nothing else where its thread is the recorded
        // one in all that matters.
        let same = !race && next.state(widths, who.epoch) == transition.state;
        let answer = Answer {
            word: after,
            race,
            said_all: same && word.agrees(masks, widths, who),
        };
        (answer, transition)
    }
}
