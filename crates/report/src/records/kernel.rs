//! The kernels that a run launched.

use std::collections::HashSet;

use hirace_model::wire::numbers::Limits;
use hirace_model::wire::records::KernelEntry;

/// A kernel that was launched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// It should have been monitored, but none of its accesses was.
    pub unseen: bool,
    /// A launch of it failed.
    pub refused: bool,
    /// Its launches, and how many of them were checked.
    pub launches: [u64; 2],
    /// The same of the blocks of its launches.
    pub blocks: [u64; 2],
    /// The limits that it reached.
    pub limits: Limits,
    /// Bits of its block clock and of its warp clock, if they overflowed.
    pub clock_bits: [u8; 2],
    /// Bits of its block numbers and thread numbers, if there were too many blocks or threads.
    pub number_bits: [u8; 2],
}

impl Kernel {
    pub(super) fn of(entry: KernelEntry) -> Self {
        let left_out = u64::from(entry.unmonitored_launches) + entry.unsampled_launches;
        let checked = entry.launches.saturating_sub(left_out);
        let is_left_out =
            entry.limits.has(Limits::ONLY_SAMPLE_CHECKED) && entry.checked_blocks == 0;
        Self {
            name: entry.name.0,
            launches: [entry.launches, checked],
            blocks: [entry.blocks, entry.checked_blocks],
            unseen: entry.accesses == 0 && checked > 0 && !is_left_out,
            refused: entry.limits.has(Limits::LAUNCH_REFUSED),
            limits: entry.limits,
            clock_bits: [entry.block_clock_bits, entry.warp_clock_bits],
            number_bits: [entry.block_bits, entry.thread_bits],
        }
    }
}

/// Kernels of several processes may have the same name. One that was monitored anywhere was
/// monitored; otherwise the first one counts.
pub(super) fn merged(mut kernels: Vec<Kernel>) -> Vec<Kernel> {
    let mut monitored: HashSet<String> = kernels
        .iter()
        .filter(|kernel| !kernel.unseen)
        .map(|kernel| kernel.name.clone())
        .collect();
    for kernel in &mut kernels {
        kernel.unseen = kernel.unseen && monitored.insert(kernel.name.clone());
    }
    kernels
}
