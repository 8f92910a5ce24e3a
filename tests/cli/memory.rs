//! Checks that would take the last memory end, and the program runs on.

use crate::harness::{Outcome, Sandbox};

/// What the program may take.
const MEBIBYTES: &str = "64";

fn check(sandbox: &Sandbox, arguments: &[&str]) -> Outcome {
    let mut command = sandbox.command(&["check", "--backend", "cpu", "--cc-arg", "-O0"]);
    command.args(arguments).arg("a.cu");
    let output = command.env("HIRACE_MEMORY_MIB", MEBIBYTES).output();
    Outcome::of(output.expect("hirace starts"))
}

const MANAGED: &str = "\
#include <cstdio>
__global__ void add(int* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] += 1;
}
__global__ void race(int* a) { a[0] += 1; }
int main() {
  const int n = 1 << 21;
  int* a;
  if (cudaMallocManaged(&a, n * sizeof(int)) != cudaSuccess) return 3;
  cudaStream_t streams[2];
  for (cudaStream_t& it : streams) cudaStreamCreate(&it);
  race<<<1, 64, 0, streams[0]>>>(a);
  cudaDeviceSynchronize();
  for (int i = 0; i < ROUNDS; ++i) {
    add<<<n / 256, 256, 0, streams[i % 2]>>>(a, n);
    cudaDeviceSynchronize();
  }
  race<<<1, 64, 0, streams[1]>>>(a);
  cudaDeviceSynchronize();
  std::printf(\"sum %d\\n\", a[n - 1]);
}
";

#[test]
fn checks_end_before_memory_does() {
    // With managed memory and two streams, 8 MiB take 128.
    let sandbox = Sandbox::with(MANAGED);
    let small = check(&sandbox, &["-DROUNDS=0"]);
    small
        .ends_with(1)
        .says("data race on global `a` in kernel `race`");
    small.is_silent_on("checked in part");
    let large = check(&sandbox, &["-DROUNDS=4", "--format", "json"]);
    large.ends_with(1);
    let report = large.json();
    let names = ["add", "race"].map(|name| {
        let kernels = report["sampled"].as_array().expect("an array");
        let kernel = kernels.iter().find(|it| it["kernel"] == name);
        kernel
            .unwrap_or_else(|| panic!("{name} in {report:#}"))
            .clone()
    });
    let [add, race] = names;
    assert_eq!(
        (&race["launches"], &race["launches_checked"]),
        (&2.into(), &1.into())
    );
    assert_eq!(add["memory_used_up"], true);
    assert!(
        report.to_string().contains("little memory was left"),
        "{report:#}"
    );
}

#[test]
fn what_the_engine_cannot_judge_is_possible() {
    // The state machine knows no fences. The engine does, and remembers all operations by which blocks may
    // learn of others: some 300 MiB.
    let sandbox = Sandbox::with(
        "\
__device__ int payload;
__global__ void relay(int* flags, int n) {
  if (blockIdx.x == 0 && threadIdx.x == 0) payload = 5;
  if (threadIdx.x == 0) __threadfence();
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    if (blockIdx.x == 0) {
      atomicExch(flags + i, 1);
    } else {
      while (atomicAdd(flags + i, 0) == 0) {
      }
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) __threadfence();
  __syncthreads();
  if (blockIdx.x != 0 && threadIdx.x == 0) flags[n + blockIdx.x] = payload;
}
int main() {
  const int n = 1 << LOG;
  int* flags;
  if (cudaMalloc(&flags, (n + 8) * sizeof(int)) != cudaSuccess) return 3;
  cudaMemset(flags, 0, (n + 8) * sizeof(int));
  relay<<<4, 128>>>(flags, n);
  return cudaDeviceSynchronize();
}
",
    );
    let small = check(&sandbox, &["-DLOG=7"]);
    small.ends_with(0).is_silent_on("little memory");
    let large = check(&sandbox, &["-DLOG=18"]);
    large
        .ends_with(0)
        .says("possible data race on global `payload`");
    large.says("little memory was left").says("1 possible race");
}
