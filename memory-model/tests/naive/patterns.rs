//! Release and acquire patterns.

use crate::judge::Facts;
use crate::program::Order;
use crate::run::Kind;

impl Facts<'_> {
    /// "Release and Acquire Patterns": the first operation of each release pattern and its write.
    pub fn release_patterns(&self) -> Vec<(usize, usize)> {
        let releases = [Order::Release, Order::AcqRel];
        let mut patterns = Vec::new();
        for write in (0..self.events.len()).filter(|it| self.is_write(*it)) {
            let order = self.events[write].access().map(|it| it.1);
            if order == Some(Order::Weak) {
                continue;
            }
            if order.is_some_and(|it| releases.contains(&it)) {
                patterns.push((write, write));
            }
            for first in 0..self.events.len() {
                let starts = match self.events[first].kind {
                    Kind::Write(_, order) => {
                        releases.contains(&order) && self.same_address(first, write)
                    }
                    Kind::Fence { .. } => true,
                    _ => false,
                };
                if starts && self.program_order[first][write] {
                    patterns.push((first, write));
                }
            }
        }
        patterns
    }

    /// "Release and Acquire Patterns": the read of each acquire pattern and its last operation.
    pub fn acquire_patterns(&self) -> Vec<(usize, usize)> {
        let acquires = [Order::Acquire, Order::AcqRel];
        let mut patterns = Vec::new();
        for read in 0..self.events.len() {
            let Kind::Read(_, order) = self.events[read].kind else {
                continue;
            };
            if order == Order::Weak {
                continue;
            }
            if acquires.contains(&order) {
                patterns.push((read, read));
            }
            for last in 0..self.events.len() {
                let ends = match self.events[last].kind {
                    Kind::Read(_, order) => {
                        acquires.contains(&order) && self.same_address(last, read)
                    }
                    Kind::Fence { .. } => true,
                    _ => false,
                };
                if ends && self.program_order[read][last] {
                    patterns.push((read, last));
                }
            }
        }
        patterns
    }
}
