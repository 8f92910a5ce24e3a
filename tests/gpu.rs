//! The GPU backend without a GPU: the programs of `tests/gpu`, compiled with the emulated toolkit
//! in `tests/gpu/toolkit`, whose GPU is part of the process.
//!
//! The headers are those that nvcc compiles, except `gpu/ptx.h`, which the toolkit replaces.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use hirace::instrument::headers;
use hirace_sample::Sample;
use serde_json::Value;

#[path = "support/cpp_programs.rs"]
mod cpp_programs;
#[path = "gpu/many.rs"]
mod many;
#[path = "gpu/swaps.rs"]
mod swaps;
#[path = "gpu/switches.rs"]
mod switches;

use cpp_programs::{CppPrograms, root};

/// A sample has one test of so many.
const SAMPLE: u64 = 28;

const PROGRAMS: CppPrograms = CppPrograms {
    directory: "tests/gpu",
    compiler,
    object: None,
};

fn toolkit() -> PathBuf {
    root().join("tests/gpu/toolkit")
}

/// The device headers for the emulated GPU.
fn include() -> &'static Path {
    static INCLUDE: OnceLock<PathBuf> = OnceLock::new();
    INCLUDE.get_or_init(|| {
        let include = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("made_up_gpu");
        headers::write(&include).expect("device headers");
        let hardware = include.join("hirace/gpu/ptx.h");
        fs::copy(toolkit().join("ptx.h"), hardware).expect("the emulated hardware");
        // One compilation covers host and device code, and the hooks for host code do nothing.
        for name in ["check.h", "read_only.h"] {
            let hooks = include.join("hirace/gpu").join(name);
            let text = fs::read_to_string(&hooks).expect("a header");
            let text = text.replace("#ifdef __CUDA_ARCH__", "#if 1");
            fs::write(hooks, text).expect("a header");
        }
        include
    })
}

fn compiler() -> Command {
    let mut command = cpp_programs::compiler();
    command
        // As under nvcc; g++ does not know `#pragma unroll`.
        .args(["-D__CUDACC__", "-Wno-unknown-pragmas"])
        .arg("-I")
        .arg(include())
        .arg("-I")
        .arg(toolkit())
        // nvcc includes this before a program.
        .args(["-include", "cuda_runtime.h"]);
    command
}

/// Builds and runs a program if its test is in the sample.
#[track_caller]
fn check(program: &str, optimisation: &str) {
    if Sample::current().takes_this_test(SAMPLE) {
        PROGRAMS.check(program, optimisation);
    }
}

#[test]
fn shadow_in_the_window_and_by_the_page_table() {
    check("window.cpp", "-O1");
}

#[test]
fn one_step_for_several_lanes() {
    check("lanes.cpp", "-O1");
    check("lanes_of_small_words.cpp", "-O1");
}

#[test]
fn epochs_come_round() {
    check("epochs.cpp", "-O1");
}

#[test]
fn epochs_of_small_words_come_round() {
    check("epochs_of_small_words.cpp", "-O1");
}

#[test]
fn records_reach_the_host() {
    check("records.cpp", "-O1");
}

#[test]
fn device_memory_runs_short() {
    check("shortage.cpp", "-O1");
}

#[test]
fn cached_shadow_forgets_and_makes_nothing_up() {
    check("cache.cpp", "-O1");
}

#[test]
fn memory_of_libraries() {
    check("library.cpp", "-O1");
}

#[test]
fn words_of_shared_memory() {
    check("shared.cpp", "-O1");
}

#[test]
fn reads_of_arrays_that_nobody_writes() {
    check("read_only.cpp", "-O1");
}

#[test]
fn blocks_and_threads_that_words_cannot_name() {
    check("numbers.cpp", "-O1");
}

/// Races of several kinds, bytes that do not race, and a second launch.
const PROGRAM: &str = "\
__global__ void writes(int* out, int* own, char* bytes) {
  out[0] = blockIdx.x;
  own[blockIdx.x] = out[0];
  bytes[blockIdx.x] = 1;
}

__global__ void counts(int* out, int* count) {
  if (blockIdx.x == 1) *count = 0;
  else atomicAdd(count, 1);
  out[blockIdx.x] += 1;
}

int main() {
  int* out;
  cudaMalloc(&out, 64);
  cudaMemset(out, 0, 64);
  char* bytes = reinterpret_cast<char*>(out + 8);
  writes<<<2, 1>>>(out, out + 4, bytes);
  counts<<<3, 1>>>(out, out + 8);
  cudaDeviceSynchronize();
  cudaFree(out);
}
";

/// The command's report in JSON.
fn report(directory: &Path, arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_hirace"))
        .args(arguments)
        .current_dir(directory)
        .env("NVCC", toolkit().join("nvcc"))
        .env("MADE_UP_INCLUDE", include())
        .output()
        .expect("hirace starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {stderr}"))
}

#[test]
fn both_backends_report_the_same() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path();
    fs::write(path.join("a.cu"), PROGRAM).expect("a file");
    let check = |backend: &str, engine: &[&str]| {
        let mut arguments = vec!["check", "--seed", "0", "--format", "json"];
        arguments.extend(["--backend", backend]);
        arguments.extend(engine);
        arguments.push("a.cu");
        report(path, &arguments)
    };
    // The GPU has the state machine.
    let (mut cpu, gpu) = (check("cpu", &["--engine", "machine"]), check("gpu", &[]));
    assert!(gpu["races"].as_array().is_some_and(|it| it.len() >= 2));
    cpu["backend"] = "gpu".into();
    // A site word on a GPU has no room for the size of the earlier access.
    for race in cpu["races"].as_array_mut().expect("a list") {
        for access in race["accesses"].as_array_mut().expect("a list") {
            let access = access.as_object_mut().expect("an access");
            let prior = access["role"] == "prior";
            access.retain(|name, _| name != "begin" && !(prior && name == "size"));
        }
        // A GPU numbers no launches and has no table of variables.
        assert!(race["launch"]["call"]["line"].is_u64());
        assert!(race["element"]["bytes"].is_u64());
        race["launch"]["call"] = Value::Null;
        race["element"] = Value::Null;
    }
    assert_eq!(gpu, cpu);

    build_elsewhere(path);
    let mut run = report(path, &["run", "--format", "json", "--", "./program"]);
    // No command is known that would build it again.
    let repair = run.as_object_mut().expect("a report").remove("repair");
    assert_eq!(repair, Some("".into()));
    assert_eq!(run, gpu);
}

/// Builds the program outside of hirace.
fn build_elsewhere(directory: &Path) {
    let instrument = Command::new(env!("CARGO_BIN_EXE_hirace"))
        .args(["instrument", "--backend", "gpu", "a.cu", "-o", "out"])
        .current_dir(directory)
        .status();
    assert!(instrument.expect("hirace starts").success());
    let build = Command::new(toolkit().join("nvcc"))
        .args(["out/a.cu", "-o", "program"])
        .current_dir(directory)
        .env("MADE_UP_INCLUDE", include())
        .status();
    assert!(build.expect("a compiler").success());
}
