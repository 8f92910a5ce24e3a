//! The GPU backend without a GPU: the programs of `tests/gpu`, compiled with the toolkit made
//! up in `tests/gpu/toolkit`, whose GPU is a part of the process.
//!
//! The headers are those that nvcc compiles, but for `gpu/ptx.h`, which is the hardware's.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use hirace::instrument::headers;

#[path = "support/cpp_programs.rs"]
mod cpp_programs;

use cpp_programs::{CppPrograms, root};

const PROGRAMS: CppPrograms = CppPrograms {
    directory: "tests/gpu",
    compiler,
};

fn compiler() -> Command {
    static INCLUDE: OnceLock<PathBuf> = OnceLock::new();
    let toolkit = root().join("tests/gpu/toolkit");
    let include = INCLUDE.get_or_init(|| {
        let include = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("made_up_gpu");
        headers::write(&include).expect("device headers");
        let hardware = include.join("hirace/gpu/ptx.h");
        fs::copy(toolkit.join("ptx.h"), hardware).expect("the made-up hardware");
        include
    });
    let mut command = cpp_programs::compiler();
    command
        // nvcc's, which `#pragma unroll` is for as well.
        .args(["-D__CUDACC__", "-Wno-unknown-pragmas"])
        .arg("-I")
        .arg(include)
        .arg("-I")
        .arg(&toolkit)
        // As nvcc does before it reads a program.
        .args(["-include", "cuda_runtime.h"]);
    command
}

#[test]
fn shadow_in_the_window_and_by_the_page_table() {
    PROGRAMS.check("window.cpp", "-O1");
}

#[test]
fn one_step_for_several_lanes() {
    PROGRAMS.check("lanes.cpp", "-O1");
    PROGRAMS.check("lanes_of_small_words.cpp", "-O1");
}

#[test]
fn epochs_come_round() {
    PROGRAMS.check("epochs.cpp", "-O1");
}

#[test]
fn epochs_of_small_words_come_round() {
    PROGRAMS.check("epochs_of_small_words.cpp", "-O1");
}

#[test]
fn records_reach_the_host() {
    PROGRAMS.check("records.cpp", "-O1");
}

#[test]
fn device_memory_runs_short() {
    PROGRAMS.check("shortage.cpp", "-O1");
}

#[test]
fn cached_shadow_forgets_and_makes_nothing_up() {
    PROGRAMS.check("cache.cpp", "-O1");
}
