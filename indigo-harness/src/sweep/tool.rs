//! The tools that a sweep compares.

use std::fmt;

use clap::ValueEnum;
use hirace::model::Backend;

/// Lanes of a warp on every GPU so far (CUDA C++ Programming Guide, compute capabilities).
pub const WARP: u32 = 32;

/// A way to run a program, and to judge the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, ValueEnum)]
pub enum Tool {
    /// On the CPU executor, unchecked: its result against its own sequential code
    Baseline,
    /// On the CPU executor, checked
    HiraceCpu,
    /// On a GPU, unchecked: its result against its own sequential code
    BaselineGpu,
    /// On a GPU, checked
    HiraceGpu,
    /// On a GPU, under `compute-sanitizer --tool racecheck`, which sees shared memory only
    Racecheck,
}

/// What a program becomes before a tool runs it. Tools may share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Form {
    /// For the CPU executor, without checks.
    Executor,
    /// For the CPU executor, with checks.
    Checked,
    /// For a GPU, as it is.
    Plain,
    /// For a GPU, with checks.
    CheckedGpu,
}

impl Tool {
    /// As results have it.
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

    /// What it runs.
    #[must_use]
    pub fn form(self) -> Form {
        match self {
            Self::Baseline => Form::Executor,
            Self::HiraceCpu => Form::Checked,
            Self::BaselineGpu | Self::Racecheck => Form::Plain,
            Self::HiraceGpu => Form::CheckedGpu,
        }
    }

    /// Whether it says that there is or is no race.
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
    /// Whether warps can have so many lanes: on a GPU they have what it has.
    #[must_use]
    pub fn can_have(self, warp_size: u32) -> bool {
        warp_size == WARP || self.backend() == Backend::Cpu
    }

    /// Where it runs.
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
