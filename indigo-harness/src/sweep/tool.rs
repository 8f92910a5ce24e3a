//! The tools that a sweep compares.

use std::fmt;

use clap::ValueEnum;
use hirace::model::Backend;

/// Lanes per warp on every GPU so far (CUDA C++ Programming Guide, compute capabilities).
pub const WARP: u32 = 32;

/// A way to run a program and to judge the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, ValueEnum)]
pub enum Tool {
    /// On the CPU executor, without checks: compares its result with its own sequential code
    Baseline,
    /// On the CPU executor, with checks
    HiraceCpu,
    /// On a GPU, without checks: compares its result with its own sequential code
    BaselineGpu,
    /// On a GPU, with checks
    HiraceGpu,
    /// On a GPU, under `compute-sanitizer --tool racecheck`, which sees shared memory only
    Racecheck,
}

/// The form of a program for a tool. Tools may share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Form {
    /// For the CPU executor, without checks.
    Executor,
    /// For the CPU executor, with checks.
    Checked,
    /// For a GPU, unchanged.
    Plain,
    /// For a GPU, with checks.
    CheckedGpu,
}

impl Tool {
    /// The name in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::HiraceCpu => "hirace-cpu",
            Self::BaselineGpu => "baseline-gpu",
            Self::HiraceGpu => "hirace-gpu",
            Self::Racecheck => "racecheck",
        }
    }

    /// The form that it runs.
    #[must_use]
    pub fn form(self) -> Form {
        match self {
            Self::Baseline => Form::Executor,
            Self::HiraceCpu => Form::Checked,
            Self::BaselineGpu | Self::Racecheck => Form::Plain,
            Self::HiraceGpu => Form::CheckedGpu,
        }
    }

    /// Whether its verdict says whether there is a race.
    #[must_use]
    pub fn is_checker(self) -> bool {
        matches!(self, Self::HiraceCpu | Self::HiraceGpu | Self::Racecheck)
    }
}

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Form {
    /// Whether it can use this many lanes per warp: a GPU has a fixed number.
    #[must_use]
    pub fn can_have(self, warp_size: u32) -> bool {
        warp_size == WARP || self.backend() == Backend::Cpu
    }

    /// The processor that it runs on.
    #[must_use]
    pub fn backend(self) -> Backend {
        match self {
            Self::Executor | Self::Checked => Backend::Cpu,
            Self::Plain | Self::CheckedGpu => Backend::Gpu,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The command line and the results have the same words.
    #[test]
    fn options_are_the_names_in_results() {
        for tool in Tool::value_variants() {
            assert_eq!(tool.to_possible_value().unwrap().get_name(), tool.name());
        }
    }
}
