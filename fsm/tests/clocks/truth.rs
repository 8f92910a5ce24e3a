//! What is true of a trace, from full histories.

use hirace_fsm::check::Shape;
use hirace_fsm::history::{History, VectorClocks};

use crate::trace::{Event, GLOBAL, LOCATIONS, SHARED, Split};

/// A grid, and everything that happened to each location.
pub struct Truth {
    shape: Shape,
    split: Split,
    clocks: VectorClocks,
    /// Of the locations in global memory, then of those in shared memory: the slots, or on a
    /// GPU those of each block.
    histories: Vec<History>,
    /// Whose variable a slot of shared memory holds.
    owners: [Option<usize>; LOCATIONS],
}

impl Truth {
    pub fn new(shape: Shape, split: Split) -> Self {
        let copies = if split == Split::Gpu {
            shape.blocks()
        } else {
            1
        };
        Self {
            shape,
            split,
            clocks: VectorClocks::new(shape.threads()),
            histories: vec![History::default(); GLOBAL + SHARED * copies],
            owners: [None; LOCATIONS],
        }
    }

    /// With which of the accesses to its location an event races: the place of the
    /// latest in the history.
    pub fn races(&self, event: Event) -> Option<usize> {
        let Event::Access {
            thread,
            location,
            access,
        } = event
        else {
            return None;
        };
        if self.is_taken_over(thread, location) {
            return None;
        }
        self.histories[self.place(thread, location)]
            .racing(&self.clocks, self.shape, thread, access)
            .next()
    }

    /// Lets an event happen. A location at which it races starts anew with it.
    pub fn pass(&mut self, event: Event) {
        match event {
            Event::Access {
                thread,
                location,
                access,
            } => {
                let place = self.place(thread, location);
                if self.is_taken_over(thread, location) || self.races(event).is_some() {
                    self.histories[place].clear();
                }
                self.owners[location] = Some(self.shape.block_of(thread));
                let happened = self.clocks.tick(thread);
                self.histories[place].add(happened, access);
            }
            Event::SyncWarp(warp) => self.clocks.barrier(self.shape.warp_threads(warp)),
            Event::SyncThreads(block) => self.clocks.barrier(self.shape.block_threads(block)),
            Event::NextLaunch => *self = Self::new(self.shape, self.split),
        }
    }

    /// Whether the slot of a shared variable was another block's so far.
    fn is_taken_over(&self, thread: usize, location: usize) -> bool {
        self.split != Split::Gpu
            && location >= GLOBAL
            && self.owners[location] != Some(self.shape.block_of(thread))
    }

    /// The history of a location, for a thread.
    fn place(&self, thread: usize, location: usize) -> usize {
        match self.split {
            Split::Gpu if location >= GLOBAL => location + SHARED * self.shape.block_of(thread),
            _ => location,
        }
    }
}
