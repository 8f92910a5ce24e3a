//! The warp functions without a mask. They are not among the UI programs, because nvcc rejects them.

use crate::harness::Sandbox;

/// The partial sums of two warps, and half of each warp in a branch of its own.
const REDUCTION: &str = "\
#define FIRST(value) __shfl(value, 0)
__device__ int odd_lanes(int lane) { return __popc(__ballot(lane & 1)); }
__global__ void sum(const int* in, int* out) {
  __shared__ int partial[2];
  const int t = threadIdx.x;
  int value = in[t];
  for (int delta = 16; delta > 0; delta /= 2) value += __shfl_down(value, delta);
  value = FIRST(value);
  if (__any(value < 0) || !__all(value > 0)) value = 0;
  if (t % 32 < 16) {
    if (odd_lanes(t) != 8) value = 0;
  } else {
    value += odd_lanes(t) - 8;
  }
  if (t % 32 == 0) partial[t / 32] = value;
  __syncthreads();
  if (t == 0) *out = partial[0] + partial[1];
}

int main() {
  int *in, *out;
  cudaMallocManaged(&in, 64 * sizeof(int));
  cudaMallocManaged(&out, sizeof(int));
  for (int i = 0; i < 64; i++) in[i] = i;
  sum<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  return *out != 63 * 32;
}
";

#[test]
fn lanes_that_arrive_together_participate() {
    let sandbox = Sandbox::with(REDUCTION);
    let outcome = sandbox.check(&["a.cu", "--format", "json"]);
    let report = outcome.ends_with(0).json();
    let faults = report["faults"].as_array().expect("an array");
    let lines: Vec<_> = faults.iter().map(|it| it["line"].clone()).collect();
    assert!(
        faults
            .iter()
            .all(|it| it["code"] == "HF021" && it["severity"] == "warning")
    );
    assert_eq!(lines, [1, 2, 7, 9, 9]);
    sandbox.check(&["a.cu", "--strict"]).ends_with(1);
}

#[test]
fn they_order_no_memory() {
    let racy = REDUCTION.replacen("  __syncthreads();\n", "", 1);
    Sandbox::with(racy)
        .check(&["a.cu"])
        .ends_with(1)
        .says("data race on shared `partial`");
}

#[test]
fn own_functions_of_these_names_are_no_concern() {
    let own = format!(
        "__device__ int __shfl(int value, int lane) {{ return __shfl_sync(0xffffffffu, value, lane); }}\n\
         #define __ballot(x) __ballot_sync(__activemask(), x)\n#define __any(x) __any_sync(~0u, x)\n\
         #define __all(x) __all_sync(~0u, x)\n#define __shfl_down(v, d) __shfl_down_sync(~0u, v, d)\n{REDUCTION}"
    );
    Sandbox::with(own).check(&["a.cu", "--strict"]).ends_with(0);
}
