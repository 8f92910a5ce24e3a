//! Replays histories written by hand through the machine and the truth.

mod parse;

use crate::alphabet::State;
use crate::check::{Shape, Step};
use crate::fields::Masks;
use crate::history::{History, VectorClocks};
use crate::table::{Table, Transition};
use crate::word::{Clocks, Identity, Size, Widths, Word};
pub use parse::{ParseError, ParseErrorKind, Written, parse};

/// The outcome of one access of a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The accessing thread, with the clocks at that time.
    pub who: Identity,
    /// The transition of the machine.
    pub transition: Transition,
    /// The state after it.
    pub state: State,
    /// The shadow word after it.
    pub word: Word,
    /// The numbers of the earlier events that the access races with.
    pub races_with: Vec<usize>,
    /// Whether the truth contains a race so far.
    pub raced: bool,
}

impl Outcome {
    /// Whether the machine and the truth agree.
    #[must_use]
    pub fn agree(&self) -> bool {
        self.raced == (self.state == State::Race)
    }
}

/// Runs a history through the machine, with real clocks, and through the full record of all
/// accesses. Returns an outcome for each access.
#[must_use]
pub fn replay(steps: &[Step], shape: Shape, table: &Table, masks: &Masks) -> Vec<Option<Outcome>> {
    let widths = Widths::for_launch(Size::Eight, shape.blocks(), shape.threads())
        .expect("the larger word holds every shape");
    let mut clocks = Clocks::new(shape, Size::Eight);
    let mut word = Word::default();
    let mut truth = VectorClocks::new(shape.threads());
    let mut history = History::default();
    // The numbers of the events in the history.
    let mut events = Vec::new();
    let mut raced = false;
    let outcomes = steps.iter().enumerate().map(|(number, &step)| match step {
        Step::SyncWarp(warp) => {
            clocks.sync_warp(warp);
            truth.barrier(shape.warp_threads(warp));
            None
        }
        Step::SyncThreads(block) => {
            clocks.sync_threads(block);
            truth.barrier(shape.block_threads(block));
            None
        }
        Step::Access { thread, access } => {
            let racing = history.racing(&truth, shape, thread, access);
            let races_with: Vec<usize> = racing.map(|place| events[place]).collect();
            raced |= !races_with.is_empty();
            history.add(truth.tick(thread), access);
            events.push(number);
            let who = clocks.identity(thread);
            let (after, transition) = word.step(table, masks, widths, who, access);
            word = after;
            Some(Outcome {
                who,
                transition,
                state: after.state(widths, who.epoch),
                word,
                races_with,
                raced,
            })
        }
    });
    outcomes.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape() -> Shape {
        Shape::new(2, 2, 2).unwrap()
    }

    #[test]
    fn machine_and_truth_side_by_side() {
        let text = "t0:R, syncthreads b0, t0:GA, t2:GA, t4:GA";
        let events = parse(text, shape()).unwrap();
        let steps: Vec<_> = events.iter().map(|event| event.step).collect();
        let masks = Masks::of(&Table::EXACT);
        let outcomes = replay(&steps, shape(), &Table::EXACT, &masks);
        let outcomes: Vec<_> = outcomes.into_iter().flatten().collect();
        let states: Vec<_> = outcomes
            .iter()
            .map(|outcome| outcome.state.name())
            .collect();
        assert_eq!(states, ["READ", "BSYNC_ATOM", "BSYNC_ATOM_B", "RACE"]);
        assert!(outcomes.iter().all(Outcome::agree));
        assert_eq!(outcomes[3].races_with, [0]);

        let wrong = Table::EXACT.with(outcomes[1].transition, State::Write);
        let outcomes = replay(&steps, shape(), &wrong, &masks);
        assert!(!outcomes[3].as_ref().unwrap().agree());
    }
}
