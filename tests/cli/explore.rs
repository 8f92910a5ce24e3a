//! Schedules: repeatable seeds, several seeds in one report, and other options that bring out
//! races that a small input hides.

use std::collections::HashSet;

use serde_json::Value;

use crate::harness::{RACY, Sandbox, in_sample};

/// Two blocks write `log` only if block 3 runs before all others.
const ORDER_OF_BLOCKS: &str = "\
#include <cstdio>
__global__ void first(int* owner, int* log) {
  if (threadIdx.x != 0) return;
  int before = atomicCAS(owner, -1, blockIdx.x);
  if (blockIdx.x == 3 && before == -1) log[0] = 3;
  if (blockIdx.x == 0) log[0] = 0;
}

int main() {
  int *owner, *log;
  cudaMalloc(&owner, sizeof(int));
  cudaMalloc(&log, sizeof(int));
  cudaMemset(owner, 0xff, sizeof(int));
  first<<<4, 32>>>(owner, log);
  cudaDeviceSynchronize();
  printf(\"ran\\n\");
}
";

/// Threads write `log` only if another thread ran between their two steps.
const INTERRUPTED: &str = "\
__global__ void steps(int* counter, int* scratch, int* log) {
  int before = atomicAdd(counter, 1);
  for (int i = 0; i < 8; ++i) scratch[threadIdx.x * 8 + i] = i;
  if (atomicAdd(counter, 0) != before + 1) log[0] = threadIdx.x;
}

int main() {
  int *counter, *scratch, *log;
  cudaMalloc(&counter, sizeof(int));
  cudaMalloc(&scratch, 64 * 8 * sizeof(int));
  cudaMalloc(&log, sizeof(int));
  cudaMemset(counter, 0, sizeof(int));
  steps<<<1, 64>>>(counter, scratch, log);
  cudaDeviceSynchronize();
}
";

/// Blocks take the same slot only if one of them is stopped between its look and its store.
const CHECKED_THEN_TAKEN: &str = "\
__global__ void take(int* length, int* items) {
  int slot = atomicAdd(length, 0);
  __threadfence();
  items[slot] = blockIdx.x;
  __threadfence();
  atomicExch(length, slot + 1);
}

int main() {
  int *length, *items;
  cudaMalloc(&length, sizeof(int));
  cudaMalloc(&items, 8 * sizeof(int));
  cudaMemset(length, 0, sizeof(int));
  take<<<8, 1>>>(length, items);
  cudaDeviceSynchronize();
}
";

/// Prints in which order threads take a lock, and how often they poll.
const TURNS: &str = "\
#include <cstdio>
#include <cuda/atomic>
#include <cuda/barrier>

__device__ int lock, used, order[64];
__device__ volatile int flag;
__device__ unsigned polls;
__device__ cuda::atomic<int, cuda::thread_scope_device> ahead;

__global__ void take_turns() {
  __shared__ cuda::barrier<cuda::thread_scope_block> met;
  if (threadIdx.x == 0) init(&met, blockDim.x);
  __syncthreads();
  for (int round = 0; round < 2; ++round) {
    while (atomicCAS(&lock, 0, 1) != 0) atomicAdd(&polls, 1u);
    __threadfence();
    order[used++] = 100 * blockIdx.x + threadIdx.x;
    __threadfence();
    atomicExch(&lock, 0);
    met.arrive_and_wait();
    int seen = ahead.load();
    while (!ahead.compare_exchange_weak(seen, seen + 1)) atomicAdd(&polls, 1u);
  }
  if (blockIdx.x == 3) {
    flag = 1;
  } else {
    while (flag == 0) atomicAdd(&polls, 1u);
  }
}

int main() {
  take_turns<<<6, 4>>>();
  int result[64], polled;
  cudaMemcpyFromSymbol(result, order, sizeof result);
  cudaMemcpyFromSymbol(&polled, polls, sizeof polled);
  for (int i = 0; i < 48; ++i) printf(\"%d \", result[i]);
  printf(\"after %d polls\\n\", polled);
}
";

/// Orders only the lanes of a warp, although the block needs ordering.
const ORDERS_A_WARP: &str = "\
__global__ void reverse(int* out) {
  __shared__ int s[32];
  s[threadIdx.x] = threadIdx.x;
  __syncwarp();
  out[threadIdx.x] = s[31 - threadIdx.x];
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  reverse<<<1, 32>>>(out);
  cudaDeviceSynchronize();
}
";

fn report(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}:\n{text}"))
}

#[test]
fn a_seed_makes_the_same_report_on_any_number_of_cores() {
    // Enough threads for several cores, and more races than one.
    let sandbox = Sandbox::with(
        RACY.replace("<<<2, 1>>>", "<<<512, 256>>>")
            .replace("*out = blockIdx.x;", "*out += blockIdx.x;"),
    );
    for seed in ["0", "9"] {
        let run = |jobs| {
            sandbox
                .check(&["a.cu", "--format", "json", "--seed", seed, "--jobs", jobs])
                .stdout
        };
        let first = run("1");
        assert!(report(&first)["summary"]["races"].as_u64() > Some(0));
        for jobs in ["1", "2", "7"] {
            assert_eq!(first, run(jobs), "seed {seed}, {jobs} jobs");
        }
    }
}

#[test]
fn schedules_are_merged_and_name_their_seeds() {
    let sandbox = Sandbox::with(ORDER_OF_BLOCKS);
    sandbox.check(&["a.cu", "--seed", "0"]).ends_with(0);
    let explored = sandbox.check(&["a.cu", "--explore", "30", "--format", "json"]);
    explored.ends_with(1);
    let merged = report(&explored.stdout);
    assert_eq!(merged["seeds"].as_array().unwrap().len(), 30);
    assert_eq!(merged["summary"]["launches"], 30);
    let [race] = merged["races"].as_array().unwrap().as_slice() else {
        panic!("one race: {merged:#}");
    };
    let seeds = race["seeds"].as_array().unwrap();
    assert_eq!(race["occurrences"], seeds.len());
    // These seeds show it, and others do not.
    let shown = seeds[0].to_string();
    let not_shown = (0..30).find(|it| !seeds.contains(&Value::from(*it)));
    sandbox
        .check(&["a.cu", "--seed", &shown])
        .ends_with(1)
        .says("unordered accesses by different blocks");
    sandbox
        .check(&["a.cu", "--seed", &not_shown.unwrap().to_string()])
        .ends_with(0);
    // The number of cores changes nothing; the program's output appears once.
    for jobs in ["1", "3"] {
        let arguments = ["a.cu", "--seeds", "0..29", "--jobs", jobs];
        let human = sandbox.check(&arguments);
        human
            .ends_with(1)
            .says(&format!("shown by {} of 30 schedules", seeds.len()))
            .says(&format!("`--seed {shown}` reproduces it"))
            .says("30 schedules, 30 kernel launches");
        assert_eq!(human.stdout, "ran\n");
    }
}

#[test]
fn some_schedules_interrupt_threads() {
    let sandbox = Sandbox::with(INTERRUPTED);
    sandbox.check(&["a.cu"]).ends_with(0);
    sandbox
        .check(&["a.cu", "--explore", "16"])
        .ends_with(1)
        .says("on global `log`");
}

#[test]
fn blocks_overtake_one_another() {
    let sandbox = Sandbox::with(CHECKED_THEN_TAKEN);
    sandbox.check(&["a.cu"]).ends_with(0);
    let explored = sandbox.check(&["a.cu", "--explore", "16", "--explore-depth", "2"]);
    explored
        .ends_with(1)
        .says("on global `items`")
        .says("if `--explore-depth 2` is added");
    // As the configuration says, unless the command line says otherwise.
    let toml = "[explore]\nschedules = 16\ndepth = 2\n";
    std::fs::write(sandbox.path("hirace.toml"), toml).unwrap();
    let configured = sandbox.check(&["a.cu"]);
    configured.ends_with(1).says("16 schedules");
    sandbox.check(&["a.cu", "--explore", "1"]).ends_with(0);
    sandbox.check(&["a.cu", "--seed", "0"]).ends_with(0);
}

#[test]
fn both_engines_see_the_same_schedule() {
    let sandbox = Sandbox::with(TURNS);
    let mut seen = HashSet::new();
    for seed in 0..12 {
        let seed = seed.to_string();
        let [machine, order] = ["machine", "order"]
            .map(|engine| sandbox.check(&["a.cu", "--seed", &seed, "--engine", engine]));
        assert_eq!(machine.stdout, order.stdout, "seed {seed}");
        seen.insert(order.stdout);
    }
    assert!(seen.len() > 10, "{seen:#?}");
}

#[test]
fn a_schedule_in_which_the_program_fails_is_named() {
    let text = ORDER_OF_BLOCKS
        .replace("log[0] = 3;", "__trap();")
        .replace("if (blockIdx.x == 0) log[0] = 0;", "log[blockIdx.x] = 0;")
        .replace("&log, sizeof(int)", "&log, 4 * sizeof(int)");
    let sandbox = Sandbox::with(text);
    sandbox.check(&["a.cu"]).ends_with(0);
    sandbox
        .check(&["a.cu", "--explore", "30"])
        .ends_with(1)
        .says("trap")
        .says("of 30 schedules; `--seed");
    // A failure of host code names its seed, too.
    let text = ORDER_OF_BLOCKS
        .replace(
            "printf(\"ran\\n\");",
            "int first; cudaMemcpy(&first, owner, 4, cudaMemcpyDeviceToHost); return first == 3;",
        )
        .replace("if (blockIdx.x == 3 &&", "if (blockIdx.x == 9 &&");
    Sandbox::with(text)
        .check(&["a.cu", "--explore", "30"])
        .ends_with(2)
        .says("the program ended with status 1")
        .says("in the schedule of `--seed");
}

#[test]
fn the_order_of_blocks_can_be_chosen() {
    let sandbox = Sandbox::with(ORDER_OF_BLOCKS);
    sandbox
        .check(&["a.cu", "--block-order", "reverse"])
        .ends_with(1);
    sandbox
        .check(&["a.cu", "--seeds", "1..30", "--block-order", "natural"])
        .ends_with(0);
}

#[test]
fn smaller_warps_bring_out_what_orders_a_warp_only() {
    if !in_sample() {
        return;
    }
    let sandbox = Sandbox::with(ORDERS_A_WARP);
    sandbox.check(&["a.cu"]).ends_with(0);
    sandbox
        .check(&["a.cu", "--warp-size", "8"])
        .ends_with(1)
        .says("missing block barrier");
    sandbox
        .run(&["check", "--backend", "gpu", "--warp-size", "8", "a.cu"])
        .ends_with(2)
        .says("`--warp-size` needs the CPU executor");
    // Its repaired twin.
    let repaired = Sandbox::with(ORDERS_A_WARP.replace("__syncwarp", "__syncthreads"));
    repaired.check(&["a.cu", "--warp-size", "8"]).ends_with(0);
}

#[test]
fn wrong_schedules_are_refused() {
    let sandbox = Sandbox::with(RACY);
    for (arguments, why) in [
        (["--seeds", "5..3"], "the last seed is below the first"),
        (["--seeds", "5"], "expected A..B"),
        (["--seeds", "1..x"], "`x` is not a number"),
        (["--explore", "0"], "0 is not in 1.."),
        (["--explore-depth", "0"], "not a number from 1 to 100"),
        (["--warp-size", "12"], "must be 1, 2, 4, 8, 16 or 32"),
        (
            ["--block-order", "odd"],
            "possible values: natural, reverse",
        ),
    ] {
        let all = ["a.cu", arguments[0], arguments[1]];
        sandbox.check(&all).ends_with(2).says(why);
    }
    sandbox
        .check(&["a.cu", "--seed", "1", "--explore", "2"])
        .ends_with(2)
        .says("cannot be used with");
}

/// In the schedules in which another block than the first one comes first, the kernel never ends. It writes, so
/// that nothing proves it.
#[test]
fn a_schedule_that_never_ends_is_stopped() {
    let sandbox = Sandbox::with(
        "__device__ int first, turns;\n\
         __global__ void run() {\n\
           const bool is_first = threadIdx.x == 0 && atomicAdd(&first, 1) == 0;\n\
           while (is_first && blockIdx.x != 0) atomicAdd(&turns, 1);\n\
         }\n\
         int main() { run<<<2, 32>>>(); return cudaDeviceSynchronize(); }\n",
    );
    sandbox
        .check(&["a.cu", "--explore", "8"])
        .ends_with(2)
        .says("the program was still running after")
        .says("was stopped in kernel `run`");
}
