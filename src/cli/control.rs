//! Options that `HIRACE_OPTIONS` can also set; the command line overrides it.

use std::path::PathBuf;

use clap::Args;

use super::headings::{CHECKING, REPORTS, STATUS};
use hirace_config::options::{Options, ProgramOptions};
use hirace_config::sample::Sample;

/// Which launches to check, when to stop the program, and how to report.
#[derive(Debug, Args)]
pub struct Control {
    /// Check only launches of kernels whose name matches PATTERN; repeatable
    ///
    /// PATTERN may contain the wildcards * ? [ab]. Unlike [monitor] in the configuration, this and
    /// the next three options need no rebuild.
    #[arg(long, value_name = "PATTERN", help_heading = CHECKING)]
    pub kernel_name: Vec<String>,

    /// Do not check launches of kernels whose name matches PATTERN; repeatable
    #[arg(long, value_name = "PATTERN", help_heading = CHECKING)]
    pub kernel_name_exclude: Vec<String>,

    /// Do not check the first N launches of the kernels chosen by name
    #[arg(long, value_name = "N", help_heading = CHECKING)]
    pub launch_skip: Option<u32>,

    /// Check only N launches, and none after them
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = CHECKING)]
    pub launch_count: Option<u32>,

    /// Check only a part of the run, such as launches=1/10, blocks=1/8 or 90s; repeatable
    ///
    /// The rest runs unchecked, almost as fast as without hirace, and the report says how much of each
    /// kernel was checked. launches=1/10: of each kernel, one launch in ten. blocks=1/8: of each such
    /// launch, one block in eight. 90s, 500ms or 5m: no more checks of a kernel once it has had its
    /// share of so much time. Commas combine rules. On the CPU executor; a GPU checks everything.
    /// Overrides `sample` under [run] in the configuration.
    #[arg(long, value_name = "RULES", help_heading = CHECKING)]
    pub sample: Vec<Sample>,

    /// Stop the program at its first race or fault (on the CPU executor)
    #[arg(long, help_heading = STATUS)]
    pub halt_on_error: bool,

    /// Exit with status N if races or faults are found [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..), help_heading = STATUS)]
    pub error_exitcode: Option<u8>,

    /// Write the human report to FILE, and only its last line to standard error
    #[arg(long, value_name = "FILE", help_heading = REPORTS)]
    pub log_file: Option<PathBuf>,

    /// Show at most N races in the human report; 0 shows all [default: 50]
    #[arg(long, visible_alias = "print-limit", value_name = "N", help_heading = REPORTS)]
    pub limit: Option<usize>,
}

impl Control {
    /// These options; those not given come from the environment.
    #[must_use]
    pub fn over(&self, environment: Options) -> Options {
        let or = |ours: &Vec<String>, theirs: Vec<String>| {
            if ours.is_empty() {
                theirs
            } else {
                ours.clone()
            }
        };
        let program = environment.program;
        Options {
            exitcode: self.error_exitcode.or(environment.exitcode),
            log_path: self.log_file.clone().or(environment.log_path),
            print_limit: self.limit.or(environment.print_limit),
            suppressions: environment.suppressions,
            program: ProgramOptions {
                halt_on_error: self.halt_on_error || program.halt_on_error,
                kernels: or(&self.kernel_name, program.kernels),
                excluded_kernels: or(&self.kernel_name_exclude, program.excluded_kernels),
                launch_skip: self.launch_skip.or(program.launch_skip),
                launch_count: self.launch_count.or(program.launch_count),
                sample: if self.sample.is_empty() {
                    program.sample
                } else {
                    self.sample.clone()
                },
            },
        }
    }
}
