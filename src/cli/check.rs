//! Arguments of `hirace check`.

use std::path::PathBuf;

use clap::Args;

use super::compiler_options::COMPILER_OPTIONS;
use super::headings::{BUILDING, CHECKING};
use super::run::RunAndReport;
use super::{BackendChoice, EXIT_STATUS};

/// Arguments of `hirace check`.
#[derive(Debug, Args)]
#[command(
    after_help = format!("{COMPILER_OPTIONS}\n\n{EXIT_STATUS}"),
    after_long_help = format!("{COMPILER_OPTIONS}\n\n{CHECK_NOTES}")
)]
pub struct Check {
    /// The program's source files: CUDA (.cu), and C++ (.cpp, .cc, .cxx) to link with it; or one
    /// PTX file (.ptx), with --launch
    ///
    /// Headers that they include from their own directory or from an -I directory are
    /// instrumented too. The files themselves are never changed.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// How to launch the kernels of a PTX file (.ptx), which is then the only FILE
    ///
    /// The file, in TOML, names the kernel, the sizes of grid and block, and the arguments;
    /// docs/ptx.md describes it. PTX runs on the CPU executor.
    #[arg(long, value_name = "FILE", help_heading = BUILDING)]
    pub launch: Option<PathBuf>,

    /// Where to run the program
    #[arg(long, value_enum, default_value_t = BackendChoice::Auto, value_name = "BACKEND", help_heading = BUILDING)]
    pub backend: BackendChoice,

    /// Pass ARG to the compiler; repeatable
    ///
    /// Options with one dash, such as -Iinclude, -DN=64, -std=c++20, -O3 and -lm, nvcc's options, objects
    /// and libraries are passed on without it.
    #[arg(long, value_name = "ARG", allow_hyphen_values = true, help_heading = BUILDING)]
    pub cc_arg: Vec<String>,

    /// Disable all check elimination, overriding [skip] in the configuration
    ///
    /// By default, two kinds of accesses that cannot race are not checked: reads of shared memory
    /// between two barriers with no write to it in between, and reads of global memory that the
    /// launch cannot write. Reports show the same pairs of lines either way.
    #[arg(long, help_heading = CHECKING)]
    pub check_all: bool,

    /// Compile everything again, without the cache
    #[arg(long, help_heading = BUILDING)]
    pub no_cache: bool,

    /// Lanes per warp: 1, 2, 4, 8, 16 or 32 [default: 32]
    ///
    /// With fewer than 32, small blocks have several warps, which reveals a __syncwarp() where
    /// __syncthreads() is needed. Kernels must use warpSize; those that assume 32 lanes compute
    /// wrong results. Only on the CPU executor.
    #[arg(long, value_name = "N", value_parser = parse_warp_size, help_heading = CHECKING)]
    pub warp_size: Option<u32>,

    /// How to run and report
    #[command(flatten)]
    pub run: RunAndReport,

    /// The program's own arguments
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<std::ffi::OsString>,
}

const CHECK_NOTES: &str = "\
Exit status:
  0  clean: nothing found (or only possible races and warnings, without --strict)
  1  races or faults found, whatever the program did afterwards
  2  could not check: bad input, compile error, crash in host code, non-zero exit of the
     program, time limit reached, or nothing monitored (no kernel ran, or none of its
     accesses was monitored)
  130, 143  interrupted by Ctrl-C or SIGTERM: the program is stopped, and the report covers
     what ran until then; with --explore and --seeds, this includes all schedules that had
     started; a second signal ends hirace at once

Environment:
  CXX             the C++ compiler of the cpu backend [default: c++, g++ or clang++]
  NVCC            the CUDA compiler of the gpu backend [default: nvcc]
  NO_COLOR        if set, no colours
  HIRACE_OPTIONS  options for `hirace check`, `hirace run` and programs that are started directly,
                  such as exitcode=66:log_path=FILE:halt_on_error=1; also print_limit,
                  suppressions, kernel_name, kernel_name_exclude, launch_skip, launch_count

Examples:
  hirace check examples/block_sum.cu
  hirace check -Iinclude -DN=64 bfs.cu -- graph.egr 5
  hirace check --explore 20 examples/block_sum.cu
  hirace check --format json --output report.json kernel.cu main.cpp";

fn parse_warp_size(text: &str) -> Result<u32, String> {
    match text.parse::<u32>() {
        Ok(lanes) if lanes.is_power_of_two() && lanes <= 32 => Ok(lanes),
        _ => Err("must be 1, 2, 4, 8, 16 or 32".to_owned()),
    }
}
