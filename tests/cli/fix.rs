//! `hirace fix`: the repairs it offers, the code it leaves alone, and the files `--apply` writes.

use crate::harness::{CLEAN, Outcome, Sandbox};
use expect_test::{Expect, expect};

const NO_BARRIER: &str = "\
__global__ void reverse(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t;
  out[t] = s[63 - t];
}
int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  reverse<<<1, 64>>>(out);
  return cudaDeviceSynchronize();
}
";

/// Two races: one around a loop without braces, one in an update.
const TWO_RACES: &str = "\
__device__ void swap_ends(int* s, int t) {
  const int other = s[63 - t];
  __syncthreads();
  s[t] = other;
}

__global__ void turn(int* out, int* sum) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  for (int i = 0; i < 3; ++i)
    swap_ends(s, t);
  out[blockIdx.x * 64 + t] = s[t];
  *sum = *sum + s[t];
}

int main() {
  int *out, *sum;
  cudaMalloc(&out, 128 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  turn<<<2, 64>>>(out, sum);
  int total;
  cudaMemcpy(&total, sum, sizeof(int), cudaMemcpyDeviceToHost);
  return total != 2 * 63 * 32;
}
";

/// Each block reads what the other wrote, so no edit of the kernel helps.
const BLOCKS: &str = "\
__global__ void neighbours(int* a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i;
  a[128 + i] = a[127 - i];
}

int main() {
  int* a;
  cudaMalloc(&a, 256 * sizeof(int));
  neighbours<<<2, 64>>>(a);
  return cudaDeviceSynchronize();
}
";

/// A missing barrier, and a race between blocks, for which there is no edit.
const TWO_KINDS: &str = "\
__global__ void turn(int* a) {
  __shared__ int s[64];
  const int t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[t] = t;
  a[i] = s[63 - t];
  a[128 + i] = a[127 - i];
}

int main() {
  int* a;
  cudaMalloc(&a, 256 * sizeof(int));
  turn<<<2, 64>>>(a);
  return cudaDeviceSynchronize();
}
";

/// Not all threads would reach a barrier at the race.
const DIVERGENT: &str = "\
__global__ void half(int* out) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  if (t < 96) {
    s[t] = t;
    out[t] = s[95 - t];
  }
}

int main() {
  int* out;
  cudaMalloc(&out, 128 * sizeof(int));
  half<<<1, 128>>>(out);
  return cudaDeviceSynchronize();
}
";

fn fix(sandbox: &Sandbox, arguments: &[&str]) -> Outcome {
    let mut all = vec![
        "fix",
        "--explore",
        "2",
        "--cc-arg",
        "-O0",
        "--cc-arg",
        "-g0",
    ];
    all.extend(arguments);
    sandbox.run(&all)
}

fn shows(outcome: &Outcome, stdout: &Expect, stderr: &Expect) {
    stdout.assert_eq(&outcome.stdout);
    stderr.assert_eq(&outcome.stderr);
}

#[test]
fn a_barrier_is_offered_as_a_diff() {
    let sandbox = Sandbox::with(NO_BARRIER);
    let outcome = fix(&sandbox, &["a.cu"]);
    outcome.ends_with(1);
    shows(
        &outcome,
        &expect![[r#"
        --- a/a.cu
        +++ b/a.cu
        @@ -2,6 +2,7 @@
           __shared__ int s[64];
           const int t = threadIdx.x;
           s[t] = t;
        +  __syncthreads();
           out[t] = s[63 - t];
         }
         int main() {
    "#]],
        &expect![[r#"
        hirace: HR001 on `s` in kernel `reverse`: `__syncthreads()` before line 5
        hirace: verified: 1 race removed, and the repaired program ran clean under 2 schedules; `--apply` changes the files
    "#]],
    );
    assert_eq!(sandbox.read("a.cu"), NO_BARRIER);
}

#[test]
fn apply_writes_a_program_without_races() {
    let sandbox = Sandbox::with(TWO_RACES);
    let outcome = fix(&sandbox, &["--apply", "a.cu"]);
    outcome.ends_with(0);
    shows(
        &outcome,
        &expect![""],
        &expect![[r#"
            hirace: HR001 on `s` in kernel `turn`: `__syncthreads()` at the end of the loop of line 12
            hirace: HR006 on `sum` in kernel `turn`: `atomicAdd(sum, s[t])`
            hirace: changed a.cu: lines 12, 14-15 and 17 are new
            hirace: verified: 3 races removed, and the repaired program ran clean under 2 schedules
        "#]],
    );
    expect![[r#"
        __device__ void swap_ends(int* s, int t) {
          const int other = s[63 - t];
          __syncthreads();
          s[t] = other;
        }

        __global__ void turn(int* out, int* sum) {
          __shared__ int s[64];
          const int t = threadIdx.x;
          s[t] = t;
          __syncthreads();
          for (int i = 0; i < 3; ++i) {
            swap_ends(s, t);
            __syncthreads();
          }
          out[blockIdx.x * 64 + t] = s[t];
          atomicAdd(sum, s[t]);
        }

        int main() {
          int *out, *sum;
          cudaMalloc(&out, 128 * sizeof(int));
          cudaMalloc(&sum, sizeof(int));
          cudaMemset(sum, 0, sizeof(int));
          turn<<<2, 64>>>(out, sum);
          int total;
          cudaMemcpy(&total, sum, sizeof(int), cudaMemcpyDeviceToHost);
          return total != 2 * 63 * 32;
        }
    "#]]
    .assert_eq(&sandbox.read("a.cu"));
    sandbox.check(&["--explore", "3", "a.cu"]).ends_with(0);
}

/// The kernel of `NO_BARRIER` in a header, and the program.
fn in_two_files(sandbox: Sandbox) -> Sandbox {
    let (kernel, main) = NO_BARRIER.split_at(NO_BARRIER.find("int main").expect("a main"));
    let unused = "__global__ void unused() {}\n";
    sandbox.file("p/lib/reverse.cuh", kernel).file(
        "p/a.cu",
        format!("#include \"lib/reverse.cuh\"\n{unused}{main}"),
    )
}

#[test]
fn messages_name_the_file_if_there_are_several() {
    let sandbox = in_two_files(Sandbox::new());
    let outcome = fix(&sandbox, &["--apply", "p/a.cu"]);
    outcome.ends_with(0);
    shows(
        &outcome,
        &expect![""],
        &expect![[r#"
            hirace: HR001 on `s` in kernel `reverse`: `__syncthreads()` before line 5 of p/lib/reverse.cuh
            hirace: changed p/lib/reverse.cuh: line 5 is new
            hirace: verified: 1 race removed, and the repaired program ran clean under 2 schedules
        "#]],
    );
}

/// `patch` and `git apply` take no names that lead out of the current directory.
#[test]
fn a_diff_of_files_elsewhere_has_absolute_names() {
    let sandbox = in_two_files(Sandbox::new()).file("here/empty", "");
    let arguments = ["fix", "--explore", "2", "--cc-arg", "-O0", "../p/a.cu"];
    let here = sandbox.path("here").canonicalize().expect("a directory");
    let mut command = sandbox.command(&arguments);
    let outcome = Outcome::of(command.current_dir(&here).output().expect("hirace starts"));
    outcome.ends_with(1);
    let header = sandbox.path("p/lib/reverse.cuh").canonicalize();
    let header = header.expect("a file").display().to_string();
    outcome.prints(&format!("--- {header}\n+++ {header}\n@@ "));
    // The same file by its absolute name, from its own directory.
    let file = sandbox.path("p/a.cu").canonicalize().expect("a file");
    let file = file.display().to_string();
    let mut command = sandbox.command(&["fix", "--explore", "2", "--cc-arg", "-O0", &file]);
    let inside = command.current_dir(sandbox.path("p")).output();
    Outcome::of(inside.expect("hirace starts"))
        .prints("--- a/lib/reverse.cuh\n+++ b/lib/reverse.cuh\n@@ ");
    let sandbox = sandbox.file("here/diff", &outcome.stdout);
    let patch = std::process::Command::new("patch")
        .args(["-p0", "-d", "/", "-i"])
        .arg(here.join("diff"))
        .output();
    match patch {
        Ok(patch) => {
            Outcome::of(patch).ends_with(0);
            assert!(sandbox.read("p/lib/reverse.cuh").contains("__syncthreads"));
        }
        Err(error) => println!("skipped: patch: {error}"),
    }
}

#[test]
fn findings_that_are_no_races() {
    let fault = CLEAN.replace("*out = 1", "out[1] = 1");
    let warning = CLEAN.replace("*out = 1", "*out += 1");
    for (program, what, status) in [(fault, "faults", 1), (warning, "warnings", 0)] {
        fix(&Sandbox::with(program), &["a.cu"])
            .ends_with(status)
            .says(&format!("no race, but {what}: `hirace check` shows them"));
    }
}

/// A program that is saved while hirace reads it.
#[test]
fn a_file_that_was_changed_meanwhile_is_left_alone() {
    let program = NO_BARRIER
        .replace("__global__", "#include <cstdio>\n__global__")
        .replace(
            "  int* out;\n  cuda",
            "  std::FILE* file = std::fopen(\"a.cu\", \"a\");\n\
             std::fputs(\"// saved\\n\", file);\n  std::fclose(file);\n\
             int* out;\n  cuda",
        );
    let sandbox = Sandbox::with(&program);
    fix(&sandbox, &["--apply", "a.cu"])
        .ends_with(2)
        .says("`a.cu` changed during the search for repairs")
        .says("no file was written");
    let now = sandbox.read("a.cu");
    assert!(
        now.starts_with(&program) && !now.contains("__syncthreads"),
        "{now}"
    );
}

#[test]
fn nothing_is_offered_that_does_not_help() {
    let untried = "1 race; no change was tried";
    let useless = "1 race; none of the changes tried removes it";
    for (program, result) in [(BLOCKS, untried), (DIVERGENT, useless)] {
        let sandbox = Sandbox::with(program);
        let outcome = fix(&sandbox, &["--apply", "a.cu"]);
        outcome.ends_with(1).says(result);
        assert!(!outcome.stderr.contains("`#if`"), "{}", outcome.stderr);
        assert_eq!(outcome.stdout, "");
        assert_eq!(sandbox.read("a.cu"), program);
    }
}

/// Code in branches of an `#if` is left alone, and the message says so.
#[test]
fn a_branch_of_an_unknown_condition_is_mentioned() {
    let program = BLOCKS
        .replace(
            "  a[i] = i;",
            "#if defined(__LITTLE_ENDIAN__) || 1\n  a[i] = i;",
        )
        .replace("127 - i];", "127 - i];\n#endif");
    fix(&Sandbox::with(&program), &["a.cu"])
        .ends_with(1)
        .says("none that hirace knows applies here, and code in `#if` branches is often left");
}

/// The sum reads the array that the threads update, so an atomic would only change the code of the race.
#[test]
fn a_race_with_another_code_is_not_removed() {
    let program = NO_BARRIER
        .replace("  s[t] = t;\n", "  s[t] = t;\n  __syncthreads();\n")
        .replace("out[t] = s[63 - t];", "if (t < 40) s[t] += s[t + 20];");
    let sandbox = Sandbox::with(&program);
    let outcome = fix(&sandbox, &["a.cu"]);
    outcome.ends_with(1);
    assert_eq!(outcome.stdout, "");
}

#[test]
fn the_usage_shows_both_forms() {
    Sandbox::new()
        .run(&["fix"])
        .ends_with(2)
        .says("hirace fix [OPTIONS] FILE... [-- ARGS...]")
        .says("hirace fix [OPTIONS] -- PROGRAM [ARGS...]");
    Sandbox::new()
        .run(&["fix", "--", "ctest", "--test-dir", "b"])
        .ends_with(2)
        .says("`ctest` is not a program of a CMake build")
        .says("hirace fix -- b/app ARGS");
}

#[test]
fn a_repair_of_some_races_is_partial() {
    let sandbox = Sandbox::with(TWO_KINDS);
    let outcome = fix(&sandbox, &["a.cu"]);
    outcome
        .ends_with(1)
        .says("partial repair, verified under 2 schedules: removes 1 of 2 races; 1 race and 1 warning are left; `--apply`")
        .says("hirace: left: HR003 on `a` in kernel `turn`, at a.cu:5 and a.cu:6")
        .says("hirace: left: HF012, read of unwritten memory, at a.cu:6");
    assert!(
        outcome.stdout.contains("+  __syncthreads();"),
        "{}",
        outcome.stdout
    );
    assert_eq!(sandbox.read("a.cu"), TWO_KINDS);
    // Races are left.
    fix(&sandbox, &["--apply", "a.cu"]).ends_with(1);
    assert!(sandbox.read("a.cu").contains("__syncthreads()"));
}

#[test]
fn a_clean_program_stays_as_it_is() {
    let sandbox = Sandbox::with(CLEAN);
    let outcome = fix(&sandbox, &["--apply", "a.cu"]);
    outcome
        .ends_with(0)
        .says("no race found: nothing to repair");
    assert_eq!(sandbox.read("a.cu"), CLEAN);
}

#[test]
fn bad_input_is_an_error() {
    let sandbox = Sandbox::with("int main() {}").file("b.cu", "__global__ void k() {");
    fix(&sandbox, &["b.cu"]).ends_with(2);
    fix(&sandbox, &["missing.cu"])
        .ends_with(2)
        .says("cannot read `missing.cu`");
    let ptx = sandbox.file("k.ptx", ".version 7.0\n");
    fix(&ptx, &["k.ptx"])
        .ends_with(2)
        .says("`k.ptx` is PTX, not CUDA source");
}

#[test]
fn a_program_that_cmake_did_not_build() {
    Sandbox::new()
        .file("app", "#!/bin/sh\n")
        .run(&["fix", "--", "./app"])
        .ends_with(2)
        .says("is not in a build directory of CMake")
        .says("name the program's sources instead");
}

/// A program that finds its results wrong for another reason ends as it did before.
#[test]
fn a_status_of_the_program_itself_may_stay() {
    let program = NO_BARRIER.replace(
        "return cudaDeviceSynchronize();",
        "cudaDeviceSynchronize();\n  return 3;",
    );
    let sandbox = Sandbox::new().file("a.cu", &program);
    let outcome = fix(&sandbox, &["a.cu"]);
    outcome.says("`__syncthreads()` before line 5");
    outcome.says("ran clean under 2 schedules; it ended with status 3, as before");
}

/// Behind a fault that ends the run, nothing runs that could verify an edit.
#[test]
fn a_fault_that_ends_the_run_comes_first() {
    let program = NO_BARRIER.replace(
        "  out[t] = s[63 - t];\n",
        "  out[t] = s[63 - t];\n  while (atomicAdd(out, 0) >= 0) {}\n",
    );
    let sandbox = Sandbox::new().file("a.cu", &program);
    let outcome = fix(&sandbox, &["a.cu"]);
    outcome.says("the run ends with a fault (HF019), behind which no change can be verified");
}
