//! How much of each kernel a sample covered.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How much of a kernel was checked, if only a part was: as the sample that was asked for says, or because
/// the machine had no memory for more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SampledKernel {
    /// Its name.
    pub kernel: String,
    /// Its launches.
    pub launches: u64,
    /// Of these, those that were checked, at least in part.
    pub launches_checked: u64,
    /// The blocks of its launches.
    pub blocks: u64,
    /// Of these, those that were checked, at least when they began.
    pub blocks_checked: u64,
    /// Its checks ended when they had had their share of the time.
    pub time_over: bool,
    /// Its checks ended, or did not begin, because little memory was left.
    #[serde(default)]
    pub memory_used_up: bool,
}

impl SampledKernel {
    /// Adds what another run covered of the same kernel.
    pub fn add(&mut self, other: &Self) {
        self.launches += other.launches;
        self.launches_checked += other.launches_checked;
        self.blocks += other.blocks;
        self.blocks_checked += other.blocks_checked;
        self.time_over |= other.time_over;
        self.memory_used_up |= other.memory_used_up;
    }
}
