//! The CPU executor on its own: compiles and runs the programs of `tests/executor`, which are
//! written like the instrumenter's output.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

#[path = "support/cpp_programs.rs"]
mod cpp_programs;

use cpp_programs::{CppPrograms, root};

const PROGRAMS: CppPrograms = CppPrograms {
    directory: "tests/executor",
    compiler,
};

fn compiler() -> Command {
    let device = root().join("device");
    let mut command = cpp_programs::compiler();
    command
        .arg("-pthread")
        .arg("-I")
        .arg(&device)
        .arg("-I")
        .arg(device.join("hirace/toolkit"));
    command
}

#[track_caller]
fn check(program: &str, optimisation: &str) {
    PROGRAMS.check(program, optimisation);
}

#[test]
fn barriers_with_optimisation() {
    check("barriers.cpp", "-O2");
}

#[test]
fn barriers_without_optimisation() {
    check("barriers.cpp", "-O0");
}

#[test]
fn warps_with_optimisation() {
    check("warps.cpp", "-O2");
}

#[test]
fn warps_without_optimisation() {
    check("warps.cpp", "-O0");
}

#[test]
fn no_access_is_lost_between_os_threads() {
    check("shadow_pages.cpp", "-O2");
}

#[test]
fn words_of_four_bytes() {
    check("small_words.cpp", "-O1");
}

#[test]
fn words_of_two_sizes_in_a_program() {
    check("mixed_words", "-O1");
}

#[test]
fn spinning_threads_make_progress() {
    check("spinning.cpp", "-O2");
}

#[test]
fn launches_allocate_nothing_once_warm() {
    check("allocations.cpp", "-O2");
}

#[test]
fn several_translation_units() {
    check("linked", "-O2");
}

#[test]
fn threads_that_poll_for_ever_with_optimisation() {
    check("livelocks.cpp", "-O2");
}

#[test]
fn threads_that_poll_for_ever_without_optimisation() {
    check("livelocks.cpp", "-O0");
}

#[test]
fn faults_are_named() {
    check("faults.cpp", "-O1");
}

#[test]
fn runtime_functions() {
    check("runtime.cpp", "-O1");
}

#[test]
fn arrays_pools_and_launches_by_address() {
    check("runtime_arrays.cpp", "-O1");
}

#[test]
fn captured_and_explicit_graphs() {
    check("graphs.cpp", "-O1");
}

#[test]
fn textures_and_surfaces() {
    check("textures.cpp", "-O1");
}

#[test]
fn launches_from_kernels() {
    check("device_launches.cpp", "-O1");
}

#[test]
fn arithmetic() {
    check("arithmetic.cpp", "-O1");
}

#[test]
fn directed_rounding() {
    check("directed_rounding.cpp", "-O1");
}

#[test]
fn directed_rounding_with_optimisation() {
    check("directed_rounding.cpp", "-O2");
}

#[test]
fn halves_and_bytes_of_words() {
    check("simd.cpp", "-O1");
}

#[test]
fn objects_of_namespace_cuda() {
    check("cuda_objects.cpp", "-O1");
}

#[test]
fn small_floats() {
    check("small_floats.cpp", "-O1");
}

#[test]
fn what_is_not_supported_is_a_compile_error() {
    for (code, message) in [
        (
            "__global__ void f() { __shared__ int s; s = 1; }",
            "this __shared__ declaration was not instrumented",
        ),
        (
            "int main() { int h = 0; cudaIpcGetMemHandle(&h, nullptr); }",
            "cudaIpcGetMemHandle is not supported by the CPU executor: it runs one process",
        ),
        (
            "#include <cublas_v2.h>\nint main() { cublasCreate(nullptr); }",
            "cuBLAS (cublas_v2.h) is not supported by the CPU executor: replace its calls",
        ),
    ] {
        let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join("unsupported.cpp");
        fs::write(&source, format!("#include <hirace/hirace.cuh>\n{code}\n")).expect("a file");
        let output = compiler()
            .args(["-c", "-o", "/dev/null"])
            .arg(&source)
            .output()
            .expect("a C++ compiler");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(
            !output.status.success() && stderr.contains(message),
            "{code}\n{stderr}"
        );
    }
}
