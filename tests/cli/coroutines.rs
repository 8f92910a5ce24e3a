//! Kernels whose threads wait for their block as coroutines: they have the findings that they have on fibers.

use hirace_sample::Sample;
use serde_json::Value;

use crate::harness::Sandbox;

/// Functions and a kernel, launched with two blocks of 96 threads.
fn program(functions: &str, body: &str) -> String {
    format!(
        "#include <cstdio>
#include <cooperative_groups.h>
{functions}
__global__ void k(int* out, volatile int* flag, int n) {{
  __shared__ int s[96];
  const int t = threadIdx.x;
  int v = t;
  {body}
  if (blockIdx.x == 0) out[t] = v;
}}
int main() {{
  int *out, *flag;
  cudaMalloc(&out, 96 * 4);
  cudaMalloc(&flag, 4);
  cudaMemset(flag, 0, 4);
  k<<<2, 96>>>(out, flag, 3);
  int results[96], sum = 0;
  cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
  for (int it : results) sum += it;
  std::printf(\"%d\\n\", sum);
}}
"
    )
}

/// The program's output, and the report without what depends on the time.
fn outcome(sandbox: &Sandbox, options: &[&str]) -> (String, Value) {
    let common = ["a.cu", "--format", "json", "--output", "report.json"];
    let done = sandbox.check(&[&common[..], options].concat());
    let report = std::fs::read_to_string(sandbox.path("report.json")).expect("a report");
    let mut report: Value = serde_json::from_str(&report).expect("JSON");
    let fields = ["races", "faults", "notes", "summary", "status"];
    let report = fields.map(|it| report[it].take()).to_vec();
    (done.stdout, Value::Array(report))
}

#[test]
fn findings_are_those_of_fibers() {
    let functions = "
        __device__ void wait_for_all(int* s, int t) { __syncthreads(); s[t] += 1; }
        __device__ void look_for_long(volatile int* flag, int& v) { while (*flag == 0) if (++v > 30000) break; }
        __device__ int raced(int* s, int t, int n) { for (int i = 0; i < n; ++i) s[(t + i) % 96] = i; return n; }
        __device__ void look_forever(volatile int* flag) { while (*flag == 0) {} }";
    let neighbour = "v += s[(t + 1) % 96];";
    for (what, body) in [
        ("clean", format!("s[t] = t; __syncthreads(); {neighbour}")),
        ("racy", format!("s[t] = t; __syncthreads(); {neighbour} s[t] = v; __syncthreads();")),
        (
            "rounds",
            format!("for (int i = 0; i < n; ++i) {{ s[t] = v; __syncthreads(); {neighbour} __syncthreads(); }}"),
        ),
        (
            "threads that leave early",
            format!("if (t > 60) return; for (int i = 0; i < n; ++i) {{ s[t] = v; __syncthreads(); {neighbour} __syncthreads(); if (t == i) return; }}"),
        ),
        (
            "different barriers",
            "if (t < 32) { s[t] = 1; __syncthreads(); } else { s[t] = 2; __syncthreads(); } v += s[95 - t];".to_owned(),
        ),
        (
            "lanes that exchange values between barriers",
            format!("s[t] = t; __syncthreads(); v += __shfl_down_sync(~0u, v, 1); {neighbour} __syncthreads(); s[t] = v; __syncwarp(); v += s[t ^ 1]; __syncthreads();"),
        ),
        (
            "barriers of functions and of groups",
            "__syncthreads(); wait_for_all(s, t); cooperative_groups::this_thread_block().sync(); v += s[t]; __syncthreads(); v += __syncthreads_count(t & 1);"
                .to_owned(),
        ),
        (
            "threads that wait a while",
            "s[t] = 1; __syncthreads(); look_for_long(flag, v); __syncthreads(); v += s[95 - t];".to_owned(),
        ),
        (
            "threads that wait forever",
            "s[t] = 1; __syncthreads(); if (t < 2) look_forever(flag); __syncthreads(); v += s[95 - t];".to_owned(),
        ),
        (
            "a thread that is missing",
            "if (t == 5) __syncwarp(); __syncthreads(); if (t != 7) __syncwarp(); __syncthreads();".to_owned(),
        ),
        (
            "an access out of bounds",
            "s[t] = 1; __syncthreads(); if (t == 40) s[n * 40] = 1; __syncthreads(); v += s[95 - t];".to_owned(),
        ),
        (
            "long loops",
            "s[t] = t; __syncthreads(); unsigned char x = 250; int sum = 0; for (int i = 0; i < 5 * n; ++i) { if (i == 9) continue; if (i == 12) break; ++x; sum += s[(t + i) % 96]; } v += sum + x; __syncthreads(); while (v > 100) v -= n; do v += raced(s, t, n); while (v < 0); __syncthreads(); v += s[t];".to_owned(),
        ),
        (
            "a thread that is left alone",
            "for (int i = 0; i < n; ++i) { s[t] = t; __syncthreads(); v += s[95 - t]; __syncthreads(); if (t > 0 && i == 1) return; v += __syncthreads_or(v); __syncthreads(); s[t] = v; __syncthreads(); v += s[t]; }".to_owned(),
        ),
        ("copies of a thread", "int own[4] = {t, 1, 2, 3}; __syncthreads(); v += own[n]; __syncthreads(); own[0] = 2; v += own[t & 3];".to_owned()),
    ] {
        if !Sample::current().takes_for_this_test(what, 3) {
            continue;
        }
        let sandbox = Sandbox::with(program(functions, &body));
        for options in [&[][..], &["--seed", "7"]] {
            let without = [options, &["--cc-arg=-UHIRACE_REGIONS"]].concat();
            let (output, report) = outcome(&sandbox, options);
            let (output_without, report_without) = outcome(&sandbox, &without);
            assert_eq!(output, output_without, "{what} {options:?}");
            assert_eq!(report, report_without, "{what} {options:?}");
        }
    }
}

/// What is no mistake in a kernel may be one in a coroutine, such as a `return` in a macro of a header that hirace does
/// not read. Then the kernel is compiled as it is; other mistakes are told as those of the kernel.
#[test]
fn kernels_that_cannot_be_coroutines() {
    let body = "s[t] = t; __syncthreads(); LEAVE_IF(n == 4); v += s[95 - t];";
    let source = program("#include <leave.h>", body);
    let sandbox =
        Sandbox::with(&source).file("unread/leave.h", "#define LEAVE_IF(x) if (x) return\n");
    let check = |sandbox: &Sandbox| {
        let mut command = sandbox.command(&["check", "a.cu"]);
        command.env("CPATH", sandbox.path("unread"));
        crate::harness::Outcome::of(command.output().expect("hirace starts"))
    };
    check(&sandbox).ends_with(0);
    let wrong = Sandbox::with(source.replace("v += s", "v += missing + s"))
        .file("unread/leave.h", "#define LEAVE_IF(x) if (x) return\n");
    let outcome = check(&wrong);
    outcome.ends_with(2);
    let message = &outcome.stderr;
    assert!(message.contains("‘missing’ was not declared"), "{message}");
    assert!(
        !message.contains("lambda") && !message.contains("coroutine"),
        "{message}"
    );
}

/// While threads pass a barrier, none has a stack that shows where it is.
#[test]
fn a_run_that_is_stopped_has_its_line() {
    let endless = "while (*flag == 0) {
    __syncthreads();
    v += 1;
  }";
    let sandbox = Sandbox::with(program("", endless));
    for _ in 0..8 {
        let stopped = sandbox.check(&["a.cu", "--timeout", "0.3"]);
        stopped
            .ends_with(2)
            .says("was stopped in kernel `k`")
            .says("[a.cu:");
    }
}
