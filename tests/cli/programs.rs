//! Programs that misbehave when they run.

use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::harness::{CLEAN, Outcome, RACY, Sandbox};

/// `CLEAN` with another statement at the end of `main`.
fn ending_in(statement: &str) -> String {
    format!(
        "#include <cstdlib>\n{}",
        CLEAN.replacen("  cudaFree(out);\n", &format!("  {statement}\n"), 1)
    )
}

fn check(text: impl AsRef<[u8]>) -> Outcome {
    Sandbox::with(text).check(&["a.cu"])
}

#[test]
fn clean() {
    check(CLEAN).ends_with(0).says("no race found");
}

#[test]
fn racy() {
    check(RACY).ends_with(1).says("a.cu:2:");
}

#[test]
fn sources_in_c_are_compiled_as_c() {
    let text = CLEAN.replacen(
        "int main() {",
        "extern \"C\" int* numbers();\nint main() {\n  numbers();",
        1,
    );
    let in_c =
        "#include <stdlib.h>\nint* numbers(void) { int* class = malloc(8); return class; }\n";
    let sandbox = Sandbox::with(&text).file("numbers.c", in_c);
    sandbox.check(&["a.cu", "numbers.c"]).ends_with(0);
    let built = sandbox.run(&["nvcc", "-o", "program", "a.cu", "numbers.c"]);
    built.ends_with(0);
    // CUDA's headers are C++ here, and so is a source that needs them.
    let with_cuda =
        "#include <cuda_runtime.h>\nint* numbers(void) { cudaDeviceSynchronize(); return 0; }\n";
    let sandbox = Sandbox::with(text.replace("extern \"C\" ", "")).file("numbers.c", with_cuda);
    sandbox.check(&["a.cu", "numbers.c"]).ends_with(0);
    // An error is one of C.
    let wrong = "int* numbers(void) { int* class = nothing; return class; }\n";
    let sandbox = Sandbox::with(&text).file("numbers.c", wrong);
    let outcome = sandbox.check(&["a.cu", "numbers.c"]);
    outcome.ends_with(2).says("nothing").is_silent_on("before");
}

#[test]
fn kernels_that_wait_for_kernels() {
    let text = "\
__global__ void child(int* all) { all[threadIdx.x] = 1; }
__global__ void parent(int* all) {
  child<<<1, 32>>>(all);
  cudaDeviceSynchronize();
  all[0] += all[1];
}
int main() {
  int* all;
  cudaMalloc(&all, 32 * sizeof(int));
  parent<<<1, 1>>>(all);
  return cudaDeviceSynchronize();
}
";
    // Not without lines of the code.
    let sandbox = Sandbox::with(text);
    sandbox
        .run(&["check", "--backend", "cpu", "a.cu"])
        .ends_with(2)
        .says("could not check: call of `cudaDeviceSynchronize()` in kernel `parent`")
        .says("[a.cu:4:3]");
}

#[test]
fn own_exit_status() {
    check(ending_in("return 3;"))
        .ends_with(2)
        .says("the program ended with status 3");
}

#[test]
fn crash_in_host_code() {
    check(ending_in("volatile int* p = nullptr; *p = 1;"))
        .ends_with(2)
        .says("could not check");
}

#[test]
fn abort() {
    check(ending_in("std::abort();"))
        .ends_with(2)
        .says("could not check");
}

#[test]
fn races_outweigh_a_bad_end() {
    let text = RACY.replacen("  cudaFree(out);\n", "  return 3;\n", 1);
    check(text)
        .ends_with(1)
        .says("a.cu:2:")
        .says("note: the program also ended with status 3")
        .is_silent_on("could not check");
}

#[test]
fn out_of_bounds() {
    check(CLEAN.replacen("*out = 1;", "out[1000000] = 1;", 1))
        .ends_with(1)
        .says("out of bounds")
        .says("a.cu:2:");
}

/// `assert` stringifies its argument, which contains hooks by then.
#[test]
fn macros_print_their_arguments_as_written() {
    let outcome = Sandbox::with(
        "#include <cstdio>
#define STR(x) #x
#define SHOW(v) printf(\"%s = %d\\n\", #v, v)
#define CHECK(...) printf(\"%s: %d\\n\", #__VA_ARGS__, static_cast<int>((__VA_ARGS__)))
__global__ void k(int* p) { if (threadIdx.x == 0) { SHOW(p[0] + /* two */ p[1]); printf(\"%s\\n\", STR(p[2] = 3)); } }
int main() {
  int* p;
  CHECK(cudaMalloc(&p, 128)); CHECK(cudaMemset(p, 0, 128));
  CHECK(k<<<1, 32>>>(p), cudaDeviceSynchronize());
}
",
    )
    .check(&["a.cu"]);
    let printed = "cudaMalloc(&p, 128): 0\ncudaMemset(p, 0, 128): 0\np[0] + p[1] = 0\np[2] = 3\n\
                   k<<<1, 32>>>(p), cudaDeviceSynchronize(): 0\n";
    assert_eq!(outcome.ends_with(0).stdout, printed);
}

#[test]
fn a_failed_assertion_is_shown_as_written() {
    let body = "assert(out[0] * (1 + 1) == 2 && blockIdx.x < 9);";
    let text = CLEAN.replacen("if (blockIdx.x == 0) *out = 1;", body, 1);
    check(format!("#include <cassert>\n{text}"))
        .ends_with(1)
        .says("Assertion `out[0] * (1 + 1) == 2 && blockIdx.x < 9` failed")
        .says("HF005")
        .says("a.cu:3:10");
}

#[test]
fn what_was_not_checked_is_said() {
    let kernel = "\
__global__ void rounds(int* out) {
  for (int i = 0; i < 20; i++) __syncthreads();
  out[threadIdx.x] = 1;
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  rounds<<<1, 32>>>(out);
  cudaDeviceSynchronize();
}
";
    let sandbox = Sandbox::with(kernel).file("hirace.toml", "[shadow]\nblock-clock-bits = 5\n");
    let fits = sandbox.check(&["a.cu"]);
    fits.ends_with(0);
    assert!(!fits.stderr.contains("block barriers"), "{fits:?}");
    // Twenty barriers do not fit into four bits, so the write after them is not checked.
    let sandbox = sandbox.file("hirace.toml", "[shadow]\nblock-clock-bits = 4\n");
    let sandbox = sandbox.file(
        "a.cu",
        kernel
            .replacen("  for", "  out[32 - blockDim.x] = 0;\n  for", 1)
            .replacen("<<<1, 32", "<<<1, 1", 1),
    );
    sandbox
        .check(&["a.cu"])
        .ends_with(0)
        .says("more block barriers than the shadow word can count")
        .says("in `rounds` after 15 block barriers");
}

#[test]
fn never_ends() {
    let sandbox = Sandbox::with(ending_in("for (volatile int i = 0;; i = i + 1) {}"));
    let start = Instant::now();
    sandbox
        .check(&["a.cu", "--timeout", "1"])
        .ends_with(2)
        .says("still running after 1 seconds");
    assert!(start.elapsed() < Duration::from_secs(60));
    assert_eq!(sandbox.files(), ["a.cu"]);
}

/// Two threads wait for a flag that no thread sets.
const POLLS: &str = "\
__global__ void wait(volatile int* flag) {
  while (*flag == 0) {
  }
}

int main() {
  int* flag;
  cudaMalloc(&flag, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  wait<<<1, 2>>>(flag);
  return cudaDeviceSynchronize();
}
";

/// A fault if only the launch itself could change what its threads wait for.
#[test]
fn threads_that_poll_for_ever() {
    let polls = |from: &str, to: &str| Sandbox::with(POLLS.replace(from, to)).check(&["a.cu"]);
    for (from, to) in [
        ("", ""),
        // The other stream waits for the default stream.
        ("  wait<", "  cudaStream_t s; cudaStreamCreate(&s); wait<"),
    ] {
        polls(from, to)
            .ends_with(1)
            .says("threads poll forever in kernel `wait`")
            .says("2 threads wait here forever")
            .says("a.cu:2:10");
    }
    for (from, to) in [
        ("cudaMalloc(", "cudaMallocManaged("),
        (
            "int main() {",
            "__managed__ int other; int main() { other = 1;",
        ),
        (
            "  wait<<<1, 2>>>",
            "  cudaStream_t s; cudaStreamCreate(&s); wait<<<1, 2, 0, s>>>",
        ),
        (
            "  return",
            "  cudaStream_t s; cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaMemsetAsync(flag, 1, sizeof(int), s);
  return",
        ),
        (
            "  return",
            "  cudaMemsetAsync(flag, 1, 4, cudaStreamPerThread); return",
        ),
    ] {
        polls(from, to)
            .ends_with(2)
            .says("only the host or another stream can still change in kernel `wait`")
            .says("a.cu:2:10");
    }
}

/// The report names the kernel that ran when the time was up, and the line.
#[test]
fn a_kernel_that_never_ends() {
    // A loop that reads a clock may end.
    let text = POLLS.replace("*flag == 0", "*flag == 0 && clock64() != 0");
    // Compiled with line numbers, unlike in the other tests.
    Sandbox::with(text)
        .run(&["check", "--backend", "cpu", "a.cu", "--timeout", "2"])
        .ends_with(2)
        .says("in kernel `wait`")
        .says("a.cu:2:")
        .says("of block (0,0,0)");
}

#[test]
fn no_launch() {
    check(CLEAN.replacen("  one_writes<<<2, 1>>>(out);\n", "", 1))
        .ends_with(2)
        .says("nothing monitored: the program launched no kernel");
}

#[test]
fn everything_excluded() {
    let sandbox =
        Sandbox::with(RACY).file("hirace.toml", "[monitor]\nexclude-kernels = [\"all_*\"]\n");
    sandbox
        .check(&["a.cu"])
        .ends_with(2)
        .says("the configuration, a comment or an option leaves out every kernel");
}

#[test]
fn arguments_input_and_output_are_the_programs_own() {
    let text = format!(
        "#include <cstdio>\n{}",
        CLEAN.replacen(
            "int main() {",
            "int main(int argc, char** argv) {\n  int c = std::getchar();\n  \
             std::printf(\"%d %s %c\\n\", argc, argv[1], c);",
            1
        )
    );
    let sandbox = Sandbox::with(text);
    let mut command = sandbox.command(&["check", "--backend", "cpu", "a.cu", "--", "--seed"]);
    let input = sandbox.path("input");
    std::fs::write(&input, "x").unwrap();
    command.stdin(std::fs::File::open(input).unwrap());
    let outcome = Outcome::of(command.output().unwrap());
    outcome.ends_with(0);
    assert_eq!(outcome.stdout, "2 --seed x\n");
}

/// Quoted includes also search the directories of the originals, but must find a header's
/// instrumented copy first.
#[test]
fn several_files_and_include_directories() {
    for include in ["<write.cuh>", "\"write.cuh\""] {
        check_several_files(include);
    }
}

#[track_caller]
fn check_several_files(include: &str) {
    let sandbox = Sandbox::new()
        .file(
            "src/main.cu",
            format!(
                "#include {include}\n#include \"host.h\"\n\nint main() {{\n  int* out = make();\n  \
             all_write<<<2, 1>>>(out);\n  cudaDeviceSynchronize();\n  cudaFree(out);\n}}\n"
            ),
        )
        .file("src/host.h", "#pragma once\nint* make();\n")
        .file(
            "src/host.cpp",
            "#include \"host.h\"\n#include <cuda_runtime.h>\n\nint* make() {\n  void* p;\n  \
             cudaMalloc(&p, sizeof(int) * SIZE);\n  return static_cast<int*>(p);\n}\n",
        )
        .file(
            "lib/write.cuh",
            "#pragma once\n__global__ void all_write(int* out) {\n  *out = blockIdx.x;\n}\n",
        );
    let arguments = [
        "src/main.cu",
        "src/host.cpp",
        "--cc-arg",
        "-Ilib",
        "--cc-arg",
        "-DSIZE=4",
    ];
    sandbox
        .check(&arguments)
        .ends_with(1)
        .says("lib/write.cuh:3:");
}

#[test]
fn an_interrupt_stops_the_program_and_cleans_up() {
    let text = ending_in("std::puts(\"running\"); std::fflush(stdout); for (;;) {}");
    let sandbox = Sandbox::with(format!("#include <cstdio>\n{text}"));
    let mut command = sandbox.command(&["check", "--backend", "cpu", "a.cu"]);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    let output = child.stdout.take().unwrap();
    BufReader::new(output).read_line(&mut line).unwrap();
    assert_eq!(line, "running\n");
    let pid = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &pid]).status();
    assert!(sent.unwrap().success());
    assert_eq!(child.wait().unwrap().signal(), Some(2));
    assert_eq!(sandbox.files(), ["a.cu"]);
}

#[test]
fn launches_that_fail_and_memory_that_is_not_known() {
    let text = "#include <cstdlib>
__global__ void k(int* a) { a[threadIdx.x] = 1; }
int main(int argc, char**) {
  int* d;
  cudaMalloc(&d, 64 * sizeof(int));
  k<<<1, 64>>>(d);
  if (argc > 1) k<<<1, 2048>>>(d);
  if (argc > 2) k<<<1, 64>>>((int*)malloc(256));
  return cudaDeviceSynchronize();
}
";
    let sandbox = Sandbox::with(text);
    let fine = sandbox.check(&["a.cu"]);
    fine.ends_with(0);
    assert!(!fine.stderr.contains("note:"), "{}", fine.stderr);
    sandbox
        .check(&["a.cu", "--", "1"])
        .ends_with(0)
        .says("a launch of `k` failed and did not run");
    sandbox
        .check(&["a.cu", "--", "1", "2"])
        .says("note: 64 accesses went to memory that hirace does not know");
}
