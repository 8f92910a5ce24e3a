//! `--sample`: how much is checked, what the reports say of it, and that what is left out invents no race.

use serde_json::Value;

use crate::harness::{Outcome, Sandbox};

/// Two kernels with 20 launches each, of 16 blocks.
const LAUNCHES: &str = "\
#include <cstdio>

__global__ void racy(int* sum) { *sum += blockIdx.x; }
__global__ void tiles(int* out, const int* in) {
  __shared__ int tile[64];
  const unsigned i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = tile[63 - threadIdx.x];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 1024 * sizeof(int));
  cudaMalloc(&out, 1024 * sizeof(int));
  cudaMemset(in, 1, 1024 * sizeof(int));
  for (int i = 0; i < 20; ++i) {
    tiles<<<16, 64>>>(out, in);
    racy<<<16, 1>>>(out);
  }
  return cudaDeviceSynchronize();
}
";

/// What the checks of a kernel covered, in the JSON report.
fn covered(report: &Value, kernel: &str) -> [u64; 4] {
    let kernels = report["sampled"].as_array().expect("a list of kernels");
    let found = kernels.iter().find(|it| it["kernel"] == kernel);
    let found = found.unwrap_or_else(|| panic!("{kernel} is not in {kernels:?}"));
    ["launches_checked", "launches", "blocks_checked", "blocks"]
        .map(|key| found[key].as_u64().expect("a number"))
}

#[test]
fn the_report_says_what_was_checked() {
    let sandbox = Sandbox::with(LAUNCHES);
    for (sample, racy, tiles) in [
        ("launches=1/10", [2, 20, 32, 320], [2, 20, 32, 320]),
        ("blocks=1/4", [20, 20, 80, 320], [20, 20, 80, 320]),
        (
            "launches=1/5,blocks=1/2",
            [4, 20, 32, 320],
            [4, 20, 32, 320],
        ),
    ] {
        let outcome = sandbox.check(&["--sample", sample, "--format", "json", "a.cu"]);
        outcome.ends_with(1);
        let report: Value = serde_json::from_str(&outcome.stdout).expect("JSON");
        assert_eq!(covered(&report, "racy"), racy, "{sample}");
        assert_eq!(covered(&report, "tiles"), tiles, "{sample}");
        assert_eq!(report["races"].as_array().map(Vec::len), Some(1));
    }
    let outcome = sandbox.check(&["--sample=launches=1/10", "--sample=blocks=1/4", "a.cu"]);
    outcome.ends_with(1);
    outcome.says("checked in part (2 kernels):");
    outcome.says("  `racy`: 2 of 20 launches and 8 of 320 blocks");
    outcome.says("4 of 40 kernel launches and");

    let sandbox = sandbox.file("hirace.toml", "[run]\nsample = \"launches=1/20\"\n");
    let outcome = sandbox.check(&[
        "--format",
        "human",
        "--format",
        "html",
        "--output",
        "report.html",
        "a.cu",
    ]);
    outcome.says("  `racy`: 1 of 20 launches and 16 of 320 blocks");
    assert!(
        sandbox
            .read("report.html")
            .contains("1 of 20 launches and 16 of 320 blocks")
    );
    let all = sandbox.check(&["--sample", "launches=1/1", "a.cu"]);
    all.ends_with(1);
    assert!(!all.stderr.contains("checked in part"), "{all:#?}");
}

#[test]
fn checks_end_when_their_time_is_over() {
    // The second launch takes longer than the time for all, however fast or busy the machine is.
    let sandbox = Sandbox::with(
        "\
__global__ void busy(int* out, long long nanoseconds) {
  __shared__ int turn[64];
  __shared__ bool over;
  const long long begin = clock64();
  do {
    turn[threadIdx.x] = threadIdx.x;
    if (threadIdx.x == 0) over = clock64() - begin >= nanoseconds;
    __syncthreads();
    out[blockIdx.x * 64 + threadIdx.x] += turn[63 - threadIdx.x];
    const bool last = over;
    __syncthreads();
    if (last) break;
  } while (true);
  if (threadIdx.x == 0) out[0] = 1;
}
int main() {
  int* out;
  cudaMalloc(&out, 512 * sizeof(int));
  cudaMemset(out, 0, 512 * sizeof(int));
  busy<<<8, 64>>>(out, 0);
  busy<<<8, 64>>>(out, 600000000);
  busy<<<8, 64>>>(out, 0);
  return cudaDeviceSynchronize();
}
",
    );
    let outcome = sandbox.check(&["--sample=1s", "--format", "json", "a.cu"]);
    outcome.ends_with(1);
    let report: Value = serde_json::from_str(&outcome.stdout).expect("JSON");
    let [launches, of, blocks, of_blocks] = covered(&report, "busy");
    assert_eq!((launches, of, of_blocks), (2, 3, 24));
    assert!((8..24).contains(&blocks), "{blocks}");
    assert_eq!(report["sampled"][0]["time_over"], true);
}

/// Blocks pass a message on, one to the next, and the payload travels beside it. All is ordered.
const RELAY: &str = "\
#include <cuda/atomic>

__device__ int payload;

__global__ void relay(int* flags, int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> mine(flags[blockIdx.x]), next(flags[blockIdx.x + 1]);
  if (blockIdx.x == 0) {
    payload = 41;
  } else {
    while (mine.load(cuda::memory_order_acquire) == 0) {
    }
    payload += 1;
  }
  next.store(1, cuda::memory_order_release);
  if (blockIdx.x + 1 == gridDim.x) *out = payload;
}

__global__ void fill(int* all) { all[blockIdx.x * 64 + threadIdx.x] = 1; }
__global__ void sum(int* to, const int* all) { atomicAdd(to, all[blockIdx.x * 64 + threadIdx.x]); }

int main() {
  int *flags, *all;
  cudaMalloc(&flags, 66 * sizeof(int));
  cudaMalloc(&all, 64 * 64 * sizeof(int));
  for (int i = 0; i < 3; ++i) {
    cudaMemset(flags, 0, 66 * sizeof(int));
    relay<<<64, 1>>>(flags, flags + 65);
    fill<<<64, 64>>>(all);
    sum<<<64, 64>>>(flags + 65, all);
    cudaFree(all);
    cudaMalloc(&all, 64 * 64 * sizeof(int));
  }
  return cudaDeviceSynchronize();
}
";

#[test]
fn what_is_left_out_invents_no_race() {
    let sandbox = Sandbox::with(RELAY);
    for sample in ["blocks=1/4", "blocks=3/4", "launches=1/2", "1ms"] {
        for seed in ["0", "7"] {
            let outcome = sandbox.check(&["--sample", sample, "--seed", seed, "a.cu"]);
            outcome.ends_with(0);
            outcome.says("no race found");
        }
    }
}

#[test]
fn wrong_samples_are_refused() {
    let sandbox = Sandbox::with(LAUNCHES);
    sandbox
        .check(&["--sample", "blocks=2/1", "a.cu"])
        .ends_with(2)
        .says("`blocks=2/1` is not a sample such as `launches=1/10`");
    let mut command = sandbox.command(&["run", "true"]);
    Outcome::of(
        command
            .env("HIRACE_OPTIONS", "sample=half")
            .output()
            .unwrap(),
    )
    .ends_with(2)
    .says("character 8: `half` is not a sample");
}
