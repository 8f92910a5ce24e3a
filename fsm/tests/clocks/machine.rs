//! The machine on a trace: packed words, stepped in Rust.

use std::fmt;

use hirace_fsm::check::Shape;
use hirace_fsm::word::{Clocks, Identity, Size, Widths, Word};
use hirace_fsm::{Access, Fields, Masks, State, Table, Transition};

use crate::trace::{Event, GLOBAL, LOCATIONS, SHARED, Split, Trace};

/// Which fields of a word are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Those that matter in its state.
    Relevant,
    /// All.
    All,
}

impl Keep {
    pub const BOTH: [Self; 2] = [Self::Relevant, Self::All];
}

/// What an access did to the word of its location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The word after it.
    pub word: Word,
    /// Its size.
    pub size: Size,
    /// The verdict on it.
    pub verdict: Verdict,
}

impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            word,
            size,
            verdict,
        } = self;
        let state = State::ALL.get((word.0 >> size.state_shift()) as usize);
        let state = state.map_or("no state", |state| state.name());
        write!(formatter, "{verdict:?} and {:#018x} ({state})", word.0)
    }
}

/// The verdict on an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It races with no earlier one.
    NoRace,
    /// It races.
    Race,
    /// None: a clock of its thread is full.
    Unchecked,
    /// The executor's fast path and its slow path leave different words.
    PathsDiffer,
}

/// The tables that all traces are run with.
pub struct Machine {
    table: Table,
    /// The masks for global memory and for shared memory, whose words always keep their block,
    /// because blocks take over slots from one another.
    masks: [Masks; 2],
}

impl Machine {
    pub fn new(keep: Keep) -> Self {
        let table = Table::EXACT;
        let global = match keep {
            Keep::Relevant => Masks::of(&table),
            Keep::All => Masks::FULL,
        };
        Self {
            table,
            masks: [global, global.with(Fields::BLOCK)],
        }
    }
}

/// The words of a running trace.
pub struct Run<'a> {
    machine: &'a Machine,
    shape: Shape,
    widths: Widths,
    clocks: Clocks,
    words: [Word; LOCATIONS],
    /// The words of shared memory by block, if each block has its own.
    own: Option<Vec<[Word; SHARED]>>,
}

impl<'a> Run<'a> {
    pub fn new(machine: &'a Machine, trace: &Trace) -> Self {
        let mut clocks = Clocks::new(trace.shape, trace.size);
        for _ in 0..trace.launches_before {
            // There are no words yet to clear.
            let _ = clocks.next_launch();
        }
        Self {
            machine,
            shape: trace.shape,
            widths: trace.widths(),
            clocks,
            words: [Word::default(); LOCATIONS],
            own: (trace.split == Split::Gpu)
                .then(|| vec![[Word::default(); SHARED]; trace.shape.blocks()]),
        }
    }

    /// Performs an event. Returns the outcome of an access and, if it is checked, its transition.
    pub fn pass(&mut self, event: Event) -> Option<(Outcome, Option<Transition>)> {
        match event {
            Event::Access {
                thread,
                location,
                access,
            } => return Some(self.access(self.clocks.identity(thread), location, access)),
            Event::SyncWarp(warp) => self.clocks.sync_warp(warp),
            Event::SyncThreads(block) => {
                self.clocks.sync_threads(block);
                self.clear_own(block);
            }
            Event::NextLaunch => {
                for words in self.own.iter_mut().flatten() {
                    words.fill(Word::default());
                }
                if self.clocks.next_launch() {
                    self.words.fill(Word::default());
                }
            }
        }
        None
    }

    fn clear_own(&mut self, block: usize) {
        let Some(own) = &mut self.own else { return };
        let who = self.clocks.identity(self.shape.block_threads(block).start);
        let shared = self.widths.of_block();
        let partial = shared.block_clock < self.widths.block_clock;
        if partial && self.widths.hold(who) && shared.come_round(who.block_clock) {
            own[block].fill(Word::default());
        }
    }

    fn access(
        &mut self,
        who: Identity,
        location: usize,
        access: Access,
    ) -> (Outcome, Option<Transition>) {
        let Self {
            machine: Machine { table, masks },
            mut widths,
            ..
        } = *self;
        let holds = widths.hold(who);
        let slots = self.own.is_none();
        let word = match &mut self.own {
            Some(own) if location >= GLOBAL => {
                widths = widths.of_block();
                &mut own[who.block as usize][location - GLOBAL]
            }
            _ => &mut self.words[location],
        };
        if !holds {
            let outcome = Outcome {
                word: *word,
                size: widths.size,
                verdict: Verdict::Unchecked,
            };
            return (outcome, None);
        }
        let is_shared = location >= GLOBAL;
        let masks = &masks[usize::from(is_shared)];
        if is_shared && slots && !word.is_since_barrier(widths, who) {
            *word = Word::default();
        }
        let (next, transition) = word.step(table, masks, widths, who, access);
        let races = next.state(widths, who.epoch) == State::Race;
        let (word_after, verdict) = if races {
            // The device starts over with the access that raced.
            let fresh = Word::default().step(table, masks, widths, who, access).0;
            (fresh, Verdict::Race)
        } else {
            (next, Verdict::NoRace)
        };
        *word = word_after;
        let outcome = Outcome {
            word: word_after,
            size: widths.size,
            verdict,
        };
        (outcome, Some(transition))
    }
}
