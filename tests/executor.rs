//! The CPU executor on its own: compiles and runs the programs of `tests/executor`, which are
//! written like the instrumenter's output.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use hirace::toolchain::Runtime;
use hirace_sample::Sample;

#[path = "support/compiled_executor.rs"]
mod compiled_executor;
#[path = "support/cpp_programs.rs"]
mod cpp_programs;

use compiled_executor::{includes, runtime};
use cpp_programs::CppPrograms;

/// A sample has one test of so many.
const SAMPLE: u64 = 20;

/// Linked with the compiled executor, as users' programs are.
const PROGRAMS: CppPrograms = CppPrograms {
    directory: "tests/executor",
    compiler: || {
        let mut command = compiler();
        command.arg(Runtime::MACRO);
        command
    },
    object: Some(runtime),
};

/// Compiled together with the executor, with the program's own options and macros.
const WHOLE: CppPrograms = CppPrograms {
    directory: "tests/executor",
    compiler,
    object: None,
};

fn compiler() -> Command {
    let mut command = cpp_programs::compiler();
    command.arg("-pthread");
    for directory in includes() {
        command.arg("-I").arg(directory);
    }
    command
}

#[track_caller]
fn check(program: &str, optimisation: &str) {
    if Sample::current().takes_this_test(SAMPLE) {
        PROGRAMS.check(program, optimisation);
    }
}

#[test]
fn barriers() {
    check("barriers.cpp", "-O2");
}

#[test]
fn warps() {
    check("warps.cpp", "-O2");
}

/// The executor itself is optimised everywhere else.
#[test]
fn the_executor_without_optimisation() {
    for program in ["barriers.cpp", "livelocks.cpp", "warps.cpp"] {
        if Sample::current().takes(program, 3) {
            WHOLE.check(program, "-O0");
        }
    }
}

#[test]
fn no_access_is_lost_between_os_threads() {
    check("shadow_pages.cpp", "-O2");
}

#[test]
fn words_of_four_bytes() {
    WHOLE.check("small_words.cpp", "-O1");
}

#[test]
fn words_of_two_sizes_in_a_program() {
    WHOLE.check("mixed_words", "-O0");
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
fn epochs_repeat() {
    check("epochs.cpp", "-O2");
}

#[test]
fn kernels_that_may_need_the_order_engine() {
    check("kernel_reach.cpp", "-O1");
}

#[test]
fn memory_limits() {
    check("memory_limits.cpp", "-O1");
}

#[test]
fn several_translation_units() {
    WHOLE.check("linked", "-O0");
}

#[test]
fn threads_that_poll_for_ever() {
    check("livelocks.cpp", "-O2");
}

#[test]
fn faults_are_named() {
    check("faults.cpp", "-O1");
}

#[test]
fn the_guard_of_device_memory_breaks_no_program() {
    check("host_guard.cpp", "-O1");
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
fn texture_levels() {
    check("texture_levels.cpp", "-O1");
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
fn atomic_functions_with_order_and_scope() {
    check("nv_atomics.cpp", "-O1");
}

#[test]
fn traits_of_cub() {
    check("cub_traits.cpp", "-O1");
}

#[test]
fn tiny_floats() {
    check("tiny_floats.cpp", "-O1");
}

#[test]
fn thrust_engines() {
    check("thrust_engines.cpp", "-O1");
}

#[test]
fn random_numbers() {
    check("random_numbers.cpp", "-O1");
}

#[test]
fn products_of_matrix_fragments() {
    check("matrices.cpp", "-O1");
}

#[test]
fn transforms_of_cufft() {
    check("fourier.cpp", "-O1");
}

#[test]
fn vectors_and_matrices_of_cublas() {
    check("blas.cpp", "-O1");
}

#[test]
fn functions_of_the_driver() {
    check("driver_api.cpp", "-O1");
}

#[test]
fn streams_of_a_program_with_the_driver_header() {
    check("driver_header.cpp", "-O1");
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
            "#include <cusparse.h>\nint main() { cusparseCreate(nullptr); }",
            "cuSPARSE (cusparse.h) is not supported by the CPU executor: replace its calls",
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

/// GCC reports accesses of host code to the executor, and none of kernels: a coroutine's variables are in memory, so
/// reports would take longer than all else.
#[test]
fn kernels_as_coroutines_report_no_access() {
    let mut command = compiler();
    let options = "-fcoroutines -DHIRACE_REGIONS -fsanitize=thread -U__SANITIZE_THREAD__ -DHIRACE_REPORTS_HOST";
    command.args(options.split(' ')).arg(Runtime::MACRO);
    command.args(["-O2", "-S", "-o", "-", "tests/executor/coroutine.cpp"]);
    let output = command.current_dir(cpp_programs::root()).output();
    let output = output.expect("a compiler");
    let assembly = String::from_utf8_lossy(&output.stdout);
    // Other compilers have no coroutines in C++17.
    if !output.status.success() || !assembly.contains("GCC:") {
        return;
    }
    let functions: Vec<&str> = assembly.split(".cfi_endproc").collect();
    let reports = |name: &str| {
        let named = |it: &&&str| {
            it.lines()
                .any(|line| line.ends_with(':') && line.contains(name))
        };
        let mut named = functions.iter().filter(named).peekable();
        assert!(named.peek().is_some(), "no function {name}");
        named.any(|it| it.contains("__tsan_"))
    };
    assert!(reports("7on_host"));
    assert!(!reports(".actor"));
}
