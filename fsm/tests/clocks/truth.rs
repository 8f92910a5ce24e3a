//! The truth about a trace, from full histories.

use hirace_fsm::check::Shape;
use hirace_fsm::history::{History, VectorClocks};

use crate::trace::{Event, GLOBAL, LOCATIONS, SHARED, Split};

/// A grid, and everything that happened to each location.
pub struct Truth {
    shape: Shape,
    split: Split,
    clocks: VectorClocks,
    /// For the locations in global memory, then for those in shared memory: the slots, or on a
    /// GPU those of each block.
    histories: Vec<History>,
    /// The block that uses each slot of shared memory.
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

    /// The position in the history of the latest access that an event races with.
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

    /// Performs an event. After a race, the history of the location starts again with it.
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

    /// Whether another block used the slot last.
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
