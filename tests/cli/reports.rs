//! Where reports go, and what they contain.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;

use expect_test::expect;

use crate::harness::{CLEAN, Outcome, RACY, Sandbox};

#[test]
fn human() {
    let outcome = Sandbox::with(RACY).check(&["a.cu", "--jobs", "1"]);
    outcome.ends_with(1);
    expect![[r#"
        HR006

          × data race on global `out` in kernel `all_write`: same location written by several threads
          ├─▶ the two threads are in different blocks and both write the same location here; which value
          │   remains depends on which thread writes last
          ├─▶ at element 0 of an allocation of 4 bytes (4 bytes each), in launch 1 at line 8, grid
          │   (2,1,1), blocks of (1,1,1)
          ╰─▶ seen 1 time
           ╭─[a.cu:2:3]
         1 │ __global__ void all_write(int* out) {
         2 │   *out = blockIdx.x;
           ·   ──┬─
           ·     ╰─┤ (1) write by thread (0,0,0) of block (0,0,0)
           ·       │ (2) write by thread (0,0,0) of block (1,0,0)
         3 │ }
           ╰────
          help: let one thread write, or give each its own element of `out`; if any of the values will do,
                write it with `atomicExch`

        more about a code: `hirace explain HR006`
        to look for a repair: `hirace fix`, with the same files and arguments
        coverage: all accesses in device code are monitored
        hirace: 1 race (1 occurrence); 1 kernel launch and 2 accesses checked
    "#]].assert_eq(&outcome.stderr);
    assert_eq!(outcome.stdout, "");
}

#[test]
fn json_keeps_standard_output_to_itself() {
    let text = format!(
        "#include <cstdio>\n{}",
        RACY.replacen(
            "int main() {",
            "int main() {\n  std::puts(\"the program speaks\");",
            1
        )
    );
    let sandbox = Sandbox::with(text);
    let outcome = sandbox.check(&["a.cu", "--format", "json", "--seed", "4"]);
    let report = outcome.ends_with(1).says("the program speaks").json();
    assert_eq!(report["schema"], "hirace-report/1");
    assert_eq!(report["backend"], "cpu");
    assert_eq!(report["seed"], 4);
    assert_eq!(report["status"], "races");
    assert_eq!(report["summary"]["races"], 1);
    assert_eq!(report["summary"]["launches"], 1);
    let race = &report["races"][0];
    assert_eq!(race["kernel"], "all_write");
    assert_eq!(race["space"], "global");
    assert_eq!(race["variable"], "out");
    assert_eq!(race["relation"], "grid");
    assert_eq!(race["certainty"], "definite");
    for (index, role) in [(0, "prior"), (1, "current")] {
        let access = &race["accesses"][index];
        assert_eq!(access["role"], role);
        assert_eq!(access["access"], "write");
        assert_eq!(access["file"], "a.cu");
        assert_eq!(access["line"], 3);
        assert_eq!(access["text"], "*out");
    }
}

#[test]
fn json_to_a_file_leaves_the_programs_output_alone() {
    let text = format!(
        "#include <cstdio>\n{}",
        RACY.replacen(
            "int main() {",
            "int main() {\n  std::puts(\"the program speaks\");",
            1
        )
    );
    let sandbox = Sandbox::with(text).file("r.json", "earlier");
    let outcome = sandbox.check(&["a.cu", "--format", "json", "--output", "r.json"]);
    outcome.ends_with(1);
    assert_eq!(outcome.stdout, "the program speaks\n");
    let report: serde_json::Value = serde_json::from_str(&sandbox.read("r.json")).unwrap();
    assert_eq!(report["status"], "races");
}

#[test]
fn several_reports_at_once() {
    let text = RACY.replacen(
        "int main() {",
        "int main() {\n  printf(\"it speaks\\n\");",
        1,
    );
    let sandbox = Sandbox::with(format!("#include <cstdio>\n{text}"));
    let mut arguments = vec![
        "a.cu", "--jobs", "1", "--format", "json", "--output", "r.json",
    ];
    arguments.extend(["--format", "sarif", "--output", "r.sarif"]);
    let outcome = sandbox.check(&arguments);
    // The human report is printed, too, and the program's output stays where it was.
    outcome.ends_with(1).says("data race on global `out`");
    assert_eq!(outcome.stdout, "it speaks\n");
    for (file, key) in [("r.json", "races"), ("r.sarif", "runs")] {
        let report: serde_json::Value = serde_json::from_str(&sandbox.read(file)).unwrap();
        assert!(report[key][0].is_object(), "{file}");
    }

    arguments.extend(["--format", "human", "--format", "github"]);
    let outcome = sandbox.check(&arguments);
    outcome
        .ends_with(1)
        .says("it speaks")
        .says("data race on global `out`");
    assert!(
        outcome
            .stdout
            .starts_with("::error file=a.cu,line=3,col=3,")
    );

    // If one file cannot be written, the check does not start and no file changes.
    let sandbox = sandbox.file("r.json", "earlier");
    arguments.extend(["--output", "missing/r.txt"]);
    let outcome = sandbox.check(&arguments);
    outcome
        .ends_with(2)
        .says("cannot write `missing/r.txt`: no such file or directory")
        .is_silent_on("it speaks");
    assert_eq!(sandbox.read("r.json"), "earlier");
    assert_eq!(sandbox.files(), ["a.cu", "r.json", "r.sarif"]);
}

#[test]
fn a_report_that_is_written_anew_keeps_its_permissions() {
    let sandbox = Sandbox::new().file("r.json", "earlier");
    let report = sandbox.path("r.json");
    std::fs::set_permissions(&report, Permissions::from_mode(0o640)).unwrap();
    let outcome = sandbox.check(&["missing.cu", "--format", "json", "--output", "r.json"]);
    outcome.ends_with(2);
    assert_ne!(sandbox.read("r.json"), "earlier");
    let mode = std::fs::metadata(&report).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

#[test]
fn a_check_that_cannot_be_done_is_in_every_report() {
    let sandbox = Sandbox::with("__global__ void k() { undeclared(); }");
    let mut arguments = vec!["a.cu", "--format", "junit", "--output", "r.xml"];
    arguments.extend(["--format", "github"]);
    let outcome = sandbox.check(&arguments);
    outcome.ends_with(2);
    assert!(
        outcome
            .stdout
            .starts_with("::error title=hirace could not check::")
    );
    assert!(
        sandbox
            .read("r.xml")
            .contains("<error message=\"could not check")
    );
}

#[test]
fn clean_json_has_all_arrays() {
    let outcome = Sandbox::with(CLEAN).check(&["a.cu", "--format", "json"]);
    let report = outcome.ends_with(0).json();
    assert_eq!(report["status"], "clean");
    for key in ["races", "not_monitored", "not_modelled"] {
        assert_eq!(report[key], serde_json::json!([]), "{key}");
    }
}

/// The state machine sees the copies of other threads, and not that a thread must wait for its own.
#[test]
fn what_the_state_machine_does_not_follow() {
    let source = "#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda_pipeline.h>
using Barrier = cuda::barrier<cuda::thread_scope_block>;
__global__ void copies(const int* in, int* out) {
  __shared__ int s[32];
  __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 4);
  out[threadIdx.x] = s[threadIdx.x];
}
__global__ void halves() {
  auto token = cooperative_groups::this_grid().barrier_arrive();
  cooperative_groups::this_grid().barrier_wait(std::move(token));
}
__global__ void early() {
  __shared__ Barrier b;
  if (threadIdx.x == 0) init(&b, 64);
  b.arrive_and_wait();
}
int main() {
  int* p;
  cudaMallocManaged(&p, 256);
  copies<<<1, 32>>>(p, p + 32);
  cudaLaunchCooperativeKernel((void*)halves, dim3(1), dim3(32), nullptr, 0, nullptr);
  early<<<1, 64>>>();
  return static_cast<int>(cudaDeviceSynchronize());
}
";
    let report = Sandbox::with(source)
        .check(&["a.cu", "--engine", "machine", "--format", "json"])
        .json();
    let notes = report["notes"].to_string();
    assert!(notes.contains("asynchronous copies"), "{notes}");
    assert!(notes.contains("split grid barrier"), "{notes}");
    let races = report["races"].to_string();
    assert!(races.contains("init(&b, 64)"), "{races}");
}

#[test]
fn strict_counts_possible_races() {
    let text = RACY.replacen(
        "*out = blockIdx.x;",
        "*out = blockIdx.x;\n  __threadfence();",
        1,
    );
    let sandbox = Sandbox::with(text);
    sandbox
        .check(&["a.cu", "--engine", "machine"])
        .ends_with(0)
        .says("possible data race")
        .says("not modelled");
    sandbox
        .check(&["a.cu", "--engine", "machine", "--strict"])
        .ends_with(1);
    // The order engine knows that the fence orders nothing.
    sandbox
        .check(&["a.cu"])
        .ends_with(1)
        .says("data race on global");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let sandbox = Sandbox::with(RACY);
    let mut command = sandbox.command(&["check", "--backend", "cpu", "--format", "json", "a.cu"]);
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    command.stdout(writer);
    Outcome::of(command.output().unwrap()).ends_with(1);
}

#[test]
fn configuration_is_found_upwards_and_options_go_before_it() {
    let sandbox = Sandbox::new()
        .file("deep/er/a.cu", RACY)
        .file(
            "deep/hirace.toml",
            "[monitor]\nexclude-variables = [\"out\"]\n",
        )
        .file("other.toml", "");
    sandbox
        .check(&["deep/er/a.cu"])
        .ends_with(2)
        .says("nothing monitored");
    sandbox
        .check(&["deep/er/a.cu", "--config", "other.toml"])
        .ends_with(1);
}

#[test]
fn writing_what_a_kernel_seemed_only_to_read_is_found() {
    // hirace would see a cast in the kernel itself.
    let text = "\
__device__ int* writable(const int* p) { return const_cast<int*>(p); }

__global__ void shift(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x];
  writable(in)[threadIdx.x ^ 32] = 1;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 256);
  cudaMalloc(&out, 256);
  cudaMemset(in, 0, 256);
  shift<<<1, 64>>>(in, out);
  return cudaDeviceSynchronize();
}
";
    let note = "seemed only to read";
    let sandbox = Sandbox::with(text);
    for options in [&["a.cu"][..], &["a.cu", "--check-all"]] {
        sandbox
            .check(options)
            .ends_with(1)
            .says("data race on global")
            .is_silent_on(note);
    }
    let seen = text.replace("writable(in)", "const_cast<int*>(in)");
    Sandbox::with(seen)
        .check(&["a.cu"])
        .ends_with(1)
        .is_silent_on(note);
}

/// A race at a single location, followed in the text by one at many locations.
const SPREAD: &str = "\
__global__ void count(int* hits) { hits[0]++; }
__global__ void shift(float* data) {
  __shared__ float tile[256];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  tile[t] = data[i];
  if (t > 0) data[i] = tile[t - 1];
}
int main() {
  float* data;
  int* hits;
  cudaMalloc(&data, 16 * 256 * sizeof(float));
  cudaMalloc(&hits, sizeof(int));
  cudaMemset(data, 0, 16 * 256 * sizeof(float));
  cudaMemset(hits, 0, sizeof(int));
  count<<<4, 1>>>(hits);
  shift<<<16, 256>>>(data);
  return cudaDeviceSynchronize();
}
";

#[test]
fn how_far_a_race_spreads() {
    let sandbox = Sandbox::with(SPREAD);
    for options in [&["--jobs", "1"][..], &["--jobs", "2"], &["--explore", "3"]] {
        let outcome = sandbox.check(&[&["a.cu"], options].concat());
        outcome
            .ends_with(1)
            .says(", at 255 addresses, in 16 blocks")
            .says(", at 1 address, in ");
        // The most frequent race comes first, wherever it is in the text.
        let [tile, hits] = ["on shared `tile`", "on global `hits`"];
        let place = |text| outcome.stderr.find(text).expect("it races");
        assert!(place(tile) < place(hits), "{outcome:#?}");
    }
    let report = sandbox.check(&["a.cu", "--format", "json"]).json();
    let races = report["races"].as_array().expect("a list");
    assert_eq!(races[0]["variable"], "hits");
    let number = |count: u32| serde_json::json!({ "count": count, "or_more": false });
    assert_eq!(races[0]["locations"], number(1));
    assert_eq!(races[1]["locations"], number(255));
    assert_eq!(races[1]["blocks"], number(16));
}

/// 300 blocks write a location by strong stores; the last one waits for the later half of them only.
const FORGOTTEN: &str = "\
__global__ void k(volatile int* value, int* done, int* out) {
  if (blockIdx.x == 299) {
    while (atomicAdd(done, 0) < 150) {}
    __threadfence();
    *out = *(int*)value;
    return;
  }
  *value = blockIdx.x;
  __threadfence();
  if (blockIdx.x >= 149) atomicAdd(done, 1);
}
int main() {
  int* p;
  cudaMallocManaged(&p, 3 * sizeof(int));
  k<<<300, 1>>>(p, p + 1, p + 2);
  return cudaDeviceSynchronize();
}
";

/// The last of 300 blocks to count itself has observed all others.
const OBSERVED: &str = "\
__global__ void k(unsigned* count) {
  if (atomicAdd(count, 1) == gridDim.x - 1) *count = 0;
}
int main() {
  unsigned* count;
  cudaMallocManaged(&count, sizeof *count);
  k<<<300, 1>>>(count);
  return cudaDeviceSynchronize();
}
";

#[test]
fn a_race_that_forgotten_accesses_may_have_is_said() {
    let note = "had forgotten old accesses";
    Sandbox::with(FORGOTTEN).check(&["a.cu"]).says(note);
    Sandbox::with(OBSERVED)
        .check(&["a.cu"])
        .ends_with(0)
        .is_silent_on(note);
}

/// A store of block scope by one block, and an atomic operation by another.
const NARROW_STORE: &str = "\
__global__ void k(int* x) {
  if (blockIdx.x == 0) asm volatile(\"st.relaxed.cta.global.u32 [%0], %1;\" :: \"l\"(x), \"r\"(1) : \"memory\");
  else atomicAdd(x, 1);
}

int main() {
  int* x;
  cudaMalloc(&x, sizeof(int));
  k<<<2, 1>>>(x);
  return cudaDeviceSynchronize();
}
";

#[test]
fn a_store_of_block_scope_is_no_plain_access() {
    Sandbox::with(NARROW_STORE)
        .check(&["--engine", "machine", "a.cu"])
        .ends_with(1)
        .says("HR005")
        .says("(1) block-scope atomic by thread (0,0,0) of block (0,0,0)")
        .says("(2) atomic by thread (0,0,0) of block (1,0,0)");
}

#[test]
fn the_calls_that_were_made_tell_uses_of_a_function_apart() {
    let source = "\
template <int step>
__device__ void add(int* p, int i) { p[i / step] += 1; }
__device__ void first(int* p, int i) { add<2>(p, i); }
struct Counter {
  int* p;
  __device__ void operator()(int i) const { add<4>(p, i); }
};
__global__ void count(int* out) {
  __shared__ int a[64], b[64];
  const int t = threadIdx.x;
  a[t] = b[t] = 0;
  __syncthreads();
  first(a, t);
  __syncthreads();
  Counter{b}(t);
  __syncthreads();
  out[t] = a[t] + b[t];
}
int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  count<<<1, 64>>>(out);
  cudaDeviceSynchronize();
}
";
    Sandbox::with(source)
        .run(&["check", "--backend", "cpu", "a.cu"])
        .ends_with(1)
        .says("2 races")
        .says("at `a[")
        .says("(2) is in `add<2>`, called on line 3 of `first`, which is called on line 13 of `count`")
        .says("at `b[")
        .says("called on line 6 of `Counter::operator()`");
}
