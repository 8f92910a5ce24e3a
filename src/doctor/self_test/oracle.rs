//! What the specification says of a step, for device and test alike.

use std::fmt;

use hirace_fsm::word::Word;
use hirace_fsm::{Fields, Masks, State, Table, Transition};

use super::traces::{ROW, Step, WIDTHS};

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
    /// A row of `SelfTestAnswer`.
    pub fn read(row: &[u8]) -> Self {
        let half = |at: usize| u32::from_ne_bytes([row[at], row[at + 1], row[at + 2], row[at + 3]]);
        let mut word = [0; 8];
        word.copy_from_slice(&row[..8]);
        Self {
            word: Word(u64::from_ne_bytes(word)),
            race: half(8) != 0,
            said_all: half(12) != 0,
        }
    }
}

impl Answer {
    /// It as such a row.
    pub fn row(&self) -> [u8; ROW] {
        let mut row = [0; ROW];
        row[..8].copy_from_slice(&self.word.0.to_ne_bytes());
        row[8..12].copy_from_slice(&u32::from(self.race).to_ne_bytes());
        row[12..].copy_from_slice(&u32::from(self.said_all).to_ne_bytes());
        row
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let race = if self.race { "a race" } else { "no race" };
        write!(formatter, "{race} and {}", show(self.word))?;
        if self.said_all {
            formatter.write_str("; nothing to do")?;
        }
        Ok(())
    }
}

/// A word and its state.
pub fn show(word: Word) -> String {
    let state = State::ALL.get((word.0 >> WIDTHS.size.state_shift()) as usize);
    let state = state.map_or("no state", |state| state.name());
    format!("{:#018x} ({state})", word.0)
}

/// The machine, stepping words in Rust.
pub struct Oracle {
    table: Table,
    /// Of global memory, and of shared memory, whose words always know their block.
    masks: [Masks; 2],
}

impl Oracle {
    /// With the tables of the specification.
    pub fn new() -> Self {
        let table = Table::EXACT;
        let global = Masks::of(&table);
        Self {
            table,
            masks: [global, global.with(Fields::BLOCK)],
        }
    }

    /// What has to come of a step, and the transition that decides.
    pub fn step(&self, word: Word, step: Step) -> (Answer, Transition) {
        let Self { table, masks } = self;
        let masks = &masks[usize::from(step.shared)];
        let Step { who, access, .. } = step;
        let foreign = step.shared && !word.is_of_block(WIDTHS, who);
        let start = if foreign { Word::default() } else { word };
        let (next, transition) = start.step(table, masks, WIDTHS, who, access);
        let race = next.state(WIDTHS, who.epoch) == State::Race;
        let after = if race {
            // The device starts over with the access that raced.
            Word::default().step(table, masks, WIDTHS, who, access).0
        } else {
            next
        };
        // An access that leaves the state needs nothing else where its thread is the recorded
        // one in all that matters.
        let same = !race && next.state(WIDTHS, who.epoch) == transition.state;
        let answer = Answer {
            word: after,
            race,
            said_all: same && start.agrees(masks, WIDTHS, who),
        };
        (answer, transition)
    }
}
