//! Which schedules a check runs: those that options or the configuration select, and the order of blocks.

use std::num::NonZeroU32;

use hirace_config::Config;
use hirace_model::error::Result;
use hirace_report::Report;

use super::{RunOptions, explore};

/// The order in which the blocks of a grid start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockOrder {
    /// By block number.
    Natural,
    /// Last block first.
    Reverse,
    /// Shuffled by the seed.
    Random,
}

impl BlockOrder {
    const ALL: [Self; 3] = [Self::Natural, Self::Reverse, Self::Random];

    /// Its name in options, and for the executor.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Natural => "natural",
            Self::Reverse => "reverse",
            Self::Random => "random",
        }
    }

    /// The order with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }
}

/// The schedules of a check, by their seeds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Schedules {
    /// As many as `schedules` under `[explore]` in the configuration, from seed 0 on.
    #[default]
    Configured,
    /// The schedule of one seed, whose report is the same on any number of cores.
    Seed(u32),
    /// Those from the first seed to the last, which is not below it.
    Range(u32, u32),
}

impl Schedules {
    /// Those from 0 on.
    #[must_use]
    pub fn many(count: NonZeroU32) -> Self {
        Self::Range(0, count.get() - 1)
    }

    /// Reads `A..B`, with both ends.
    ///
    /// # Errors
    /// It is no such range.
    pub fn parse_range(text: &str) -> Result<(u32, u32), String> {
        let number = |text: &str| {
            text.parse()
                .map_err(|_| format!("`{text}` is not a number below 2^32"))
        };
        let (first, last) = text
            .split_once("..")
            .ok_or("expected A..B, such as 1..20")?;
        let (first, last) = (number(first)?, number(last)?);
        match last < first {
            true => Err("the last seed is below the first".to_owned()),
            false => Ok((first, last)),
        }
    }

    /// The seed of the first one.
    #[must_use]
    pub fn first(self) -> u32 {
        match self {
            Self::Configured => 0,
            Self::Seed(seed) | Self::Range(seed, _) => seed,
        }
    }

    /// The worker threads that the executor gets if the user chose `jobs`.
    #[must_use]
    pub fn jobs(self, jobs: Option<u32>) -> Option<u32> {
        match self {
            Self::Seed(_) => Some(1),
            Self::Configured | Self::Range(..) => jobs,
        }
    }

    /// Runs them and merges their reports. `options` has the seed and the jobs of these schedules; up to `jobs` of
    /// several run at a time.
    ///
    /// # Errors
    /// Those of `run`.
    pub fn run(
        self,
        config: &Config,
        jobs: Option<u32>,
        options: &RunOptions<'_>,
        run: impl Fn(&RunOptions<'_>) -> Result<Report> + Sync,
    ) -> Result<Report> {
        let (first, last) = match self {
            Self::Seed(_) => return run(options),
            Self::Configured if config.explore.schedules.get() == 1 => return run(options),
            Self::Configured => (0, config.explore.schedules.get() - 1),
            Self::Range(first, last) => (first, last),
        };
        explore(first, last, 0, jobs.and_then(NonZeroU32::new), options, run)
    }
}
