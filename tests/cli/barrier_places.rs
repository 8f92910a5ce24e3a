//! The place of a missing barrier in the help of a race. `crates/fix/src/places` tests which place it is.

use crate::harness::{Outcome, Sandbox};

/// Lacks two barriers, which a macro of the command line adds.
const RACY: &str = "\
template <class T>
struct Tile {
  T values[64];
  __device__ void put(T value) { values[threadIdx.x] = value; }
  __device__ T sum(int rounds) {
    T all = 0;
    for (int i = 0; i < rounds; ++i) {
      all += values[63 - threadIdx.x];
      __syncthreads();
      values[threadIdx.x] = all;
#ifdef REPAIRED
      __syncthreads();
#endif
    }
    return all;
  }
};
__global__ void total(int* out, int rounds) {
  __shared__ Tile<int> tile;
  tile.put(threadIdx.x);
#ifdef REPAIRED
  __syncthreads();
#endif
  out[threadIdx.x] = tile.sum(rounds);
}
int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  total<<<1, 64>>>(out, 3);
  cudaDeviceSynchronize();
}
";

const PLACES: [&str; 2] = [
    "a `__syncthreads()` before line 24, which every thread of the block reaches, orders the two accesses",
    "a `__syncthreads()` at the end of the loop of line 7, which every thread of the block reaches, orders \
     the two accesses: they belong to different iterations",
];

#[track_caller]
fn names_both(outcome: &Outcome) {
    outcome.ends_with(1);
    for place in PLACES {
        outcome.says(place);
    }
}

#[test]
fn a_check_names_the_place_and_a_barrier_there_repairs_the_program() {
    let sandbox = Sandbox::with(RACY);
    names_both(&sandbox.check(&["a.cu"]));
    sandbox.check(&["-DREPAIRED", "a.cu"]).ends_with(0);
}

#[test]
fn so_do_several_schedules_and_other_formats() {
    let sandbox = Sandbox::with(RACY);
    let outcome = sandbox.check(&[
        "--explore",
        "3",
        "--format",
        "human",
        "--format",
        "json",
        "a.cu",
    ]);
    names_both(&outcome);
    let report = outcome.json();
    let races = report["races"].as_array().expect("races");
    let helps = races.iter().filter_map(|it| it["help"].as_str());
    assert_eq!(helps.filter(|it| PLACES.contains(it)).count(), races.len());
}

#[test]
fn so_does_a_run_of_a_program_that_was_built_elsewhere() {
    let sandbox = Sandbox::with(RACY);
    let build = sandbox.run(&["nvcc", "-O0", "-o", "program", "a.cu"]);
    build.ends_with(0);
    names_both(&sandbox.run(&["run", "--", "./program"]));
    // The lines of another text mean nothing.
    std::fs::write(sandbox.path("a.cu"), format!("\n{RACY}")).expect("written");
    let outcome = sandbox.run(&["run", "--", "./program"]);
    outcome.ends_with(1).is_silent_on("before line");
}
