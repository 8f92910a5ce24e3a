//! The CPU executor on its own: the programs of `tests/executor`, which are written
//! as the instrumenter would leave them, compiled and run.
//!
//! A program's first lines say how to run it and how it must end:
//!
//! ```text
//! //! run [NAME=VALUE]... [ARGUMENT]... -> STATUS[: TEXT THAT STDERR CONTAINS]
//! ```

use std::env;
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn compiler() -> Command {
    let name = env::var_os("CXX").unwrap_or_else(|| "c++".into());
    let device = root().join("device");
    let mut command = Command::new(name);
    command
        .args(["-x", "c++", "-std=c++17", "-g", "-pthread"])
        .args(["-Wall", "-Wextra", "-Werror"])
        .arg("-I")
        .arg(&device)
        .arg("-I")
        .arg(device.join("hirace/cpu/cuda"));
    command
}

/// The sources of a program: a file, or all files of a directory.
fn sources(program: &str) -> Vec<PathBuf> {
    let path = root().join("tests/executor").join(program);
    if path.is_file() {
        return vec![path];
    }
    let mut files: Vec<_> = fs::read_dir(&path)
        .unwrap_or_else(|error| panic!("failed to read {}: {error}", path.display()))
        .map(|entry| entry.expect("a directory entry").path())
        .filter(|file| file.extension().is_some_and(|extension| extension == "cpp"))
        .collect();
    files.sort();
    files
}

fn build(program: &str, optimisation: &str) -> PathBuf {
    let executable =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{program}{optimisation}"));
    let output = compiler()
        .arg(optimisation)
        .args(sources(program))
        .arg("-o")
        .arg(&executable)
        .output()
        .expect("a C++ compiler");
    assert!(
        output.status.success(),
        "{program} does not compile:\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    executable
}

/// Whether a process ended as `wanted` says: a number, or the name of a signal.
fn ended(status: ExitStatus, wanted: &str) -> bool {
    match wanted {
        "SIGSEGV" => status.signal() == Some(11),
        "SIGABRT" => status.signal() == Some(6),
        number => status.code() == number.parse().ok(),
    }
}

/// Runs a program as one of its lines says.
fn run(executable: &Path, line: &str) {
    let (how, end) = line.split_once(" -> ").expect("`run ... -> STATUS`");
    let (status, text) = end.split_once(": ").unwrap_or((end, ""));
    let mut command = Command::new(executable);
    for variable in ["HIRACE_SEED", "HIRACE_JOBS", "HIRACE_RECORDS"] {
        command.env_remove(variable);
    }
    for word in how.split_whitespace().skip(1) {
        match word.split_once('=') {
            Some((name, value)) => command.env(name, value),
            None => command.arg(word),
        };
    }
    let output = command.output().expect("the program starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        ended(output.status, status) && stderr.contains(text),
        "{line}: {}\nstdout:\n{}\nstderr:\n{stderr}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
    );
}

/// Builds a program and runs it in all the ways that it names.
#[track_caller]
fn check(program: &str, optimisation: &str) {
    let executable = build(program, optimisation);
    let mut runs = 0;
    for source in sources(program) {
        let text = fs::read_to_string(source).expect("a source file");
        for line in text.lines().filter_map(|line| line.strip_prefix("//! ")) {
            run(&executable, line);
            runs += 1;
        }
    }
    assert_ne!(runs, 0, "{program} does not say how to run it");
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
