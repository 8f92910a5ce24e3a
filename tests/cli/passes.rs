//! Where the state machine looks first, and the order engine judges what it reports.

use serde_json::Value;

use crate::harness::Sandbox;

/// A counter that a function increments and another one resets, in the last block or before. The
/// program notes each of its runs in a file.
fn counter(condition: &str, fence: &str) -> String {
    format!(
        "#include <cstdio>
__device__ int count;
__device__ int increment(int* counter) {{ return atomicAdd(counter, 1); }}
__device__ void reset(int* counter) {{ *counter = 0; }}
__global__ void sum(int* result) {{
  if (threadIdx.x != 0) return;
  result[blockIdx.x] = 1;
  {fence}
  if (increment(&count) == {condition}) reset(&count);
}}
int main() {{
  std::FILE* const runs = std::fopen(\"runs\", \"a\");
  std::fputs(\"run\\n\", runs);
  std::fclose(runs);
  int* result;
  cudaMalloc(&result, 16 * sizeof(int));
  sum<<<8, 32>>>(result);
  return cudaDeviceSynchronize();
}}
"
    )
}

/// The codes of the races, and how often the program ran.
#[track_caller]
fn checked(program: String, arguments: &[&str]) -> (Vec<String>, usize) {
    let sandbox = Sandbox::with(program);
    let report = sandbox
        .check(&[&["a.cu", "--format", "json"], arguments].concat())
        .json();
    let races = report["races"].as_array().expect("an array");
    let code = |race: &Value| race["code"].as_str().unwrap_or_default().to_owned();
    let runs = std::fs::read_to_string(sandbox.path("runs")).expect("the program ran");
    assert_eq!(report["not_modelled"], serde_json::json!([]));
    (races.iter().map(code).collect(), runs.lines().count())
}

#[test]
fn what_a_last_atomic_operation_observed_is_no_race() {
    // The machine reports it, and the engine knows better.
    assert_eq!(checked(counter("gridDim.x - 1", ""), &[]), (vec![], 2));
    let machine = ["--engine", "machine"];
    let (races, runs) = checked(counter("gridDim.x - 1", ""), &machine);
    assert_eq!((races, runs), (vec!["HR004".to_owned()], 1));
}

#[test]
fn a_second_run_of_another_kernel_judges_nothing() {
    // It would find no race, with as many launches as the first run.
    let launch = "sum<<<8, 32>>>(result);";
    let program = counter("gridDim.x - 1", "")
        .replace(
            "  std::FILE* const runs",
            "  const bool again = std::fopen(\"runs\", \"r\");\n  std::FILE* const runs",
        )
        .replace(
            launch,
            &format!("if (again) other<<<8, 1>>>(result); else {launch}"),
        )
        .replace(
            "int main",
            "__global__ void other(int* result) { result[blockIdx.x] = 1; }\nint main",
        );
    assert_eq!(checked(program, &[]), (vec!["HR004".to_owned()], 2));
}

#[test]
fn what_a_stopped_judge_did_not_see_is_possible() {
    let program = counter("gridDim.x - 1", "result[8] = blockIdx.x;")
        .replace("#include <cstdio>", "#include <csignal>\n#include <cstdio>")
        .replace(
            "  std::FILE* const runs",
            "  const bool again = std::fopen(\"runs\", \"r\");\n  std::FILE* const runs",
        )
        .replace("  sum<<<", "  if (again) std::raise(SIGKILL);\n  sum<<<");
    let sandbox = Sandbox::with(program);
    let outcome = sandbox.check(&["a.cu", "--format", "json"]);
    let report = outcome.ends_with(0).json();
    let races = report["races"].as_array().expect("an array");
    let found: Vec<_> = races
        .iter()
        .map(|it| (&it["code"], &it["certainty"]))
        .collect();
    let possible = Value::from("possible");
    let codes = ["HR004", "HR006"].map(Value::from);
    assert_eq!(found, [(&codes[0], &possible), (&codes[1], &possible)]);
    assert!(
        report["notes"]
            .to_string()
            .contains("had no time or memory to"),
        "{report:#}"
    );
    assert_eq!(report["failure"], Value::Null);
}

#[test]
fn what_it_did_not_observe_is_one() {
    let (races, runs) = checked(counter("3", ""), &[]);
    assert!(races.contains(&"HR004".to_owned()), "{races:?}");
    assert_eq!(runs, 2);
}

#[test]
fn without_a_report_there_is_one_pass() {
    let none = counter("-1", "__threadfence();");
    assert_eq!(checked(none.clone(), &[]), (vec![], 1));
    assert_eq!(checked(none, &["--engine", "order"]), (vec![], 1));
}

#[test]
fn plain_races_need_no_judge() {
    let flag = counter("-1", "result[8] = blockIdx.x;");
    let plain = flag
        .replace("return atomicAdd(counter, 1);", "return ++*counter;")
        .replace("increment(&count)", "blockIdx.x");
    assert_eq!(checked(plain, &[]), (vec!["HR006".to_owned()], 1));
    // Where blocks may learn of each other by the counter, the engine knows why they do not.
    assert_eq!(checked(flag, &[]), (vec!["HR006".to_owned()], 2));
    // A fence may order them.
    let fenced = counter("-1", "result[8] = blockIdx.x; __threadfence();");
    assert_eq!(checked(fenced, &[]), (vec!["HR006".to_owned()], 2));
}

#[test]
fn programs_that_the_machine_may_misjudge_run_once() {
    let flag = counter("-1", "*(volatile int*)result = 1; __threadfence();");
    assert_eq!(checked(flag, &[]).1, 1);
    let wide = counter("-1", "*(volatile char*)result = 1;");
    assert_eq!(checked(wide, &[]).1, 1);
}

#[test]
fn volatile_accesses_alone_need_a_judge_only_for_reports() {
    let alone = counter("-1", "((volatile int*)result)[8] = 1;");
    assert_eq!(checked(alone, &[]), (vec![], 1));
    let racing = counter("-1", "*(volatile int*)result = 1;");
    assert_eq!(checked(racing, &[]), (vec!["HR003".to_owned()], 2));
}

/// One block reads a variable as `volatile`, the next one otherwise.
fn two_reads(then: &str) -> String {
    let reads = format!(
        "if (blockIdx.x == 0) result[8] = *(volatile int*)&result[15];
  if (blockIdx.x == 1) {{
    const int seen = result[15];
    {then}
  }}"
    );
    let init = "cudaMemset(result, 0, 16 * sizeof(int));\n  sum<<<";
    counter("-1", &reads).replace("sum<<<", init)
}

#[test]
fn volatile_reads_that_the_machine_forgets_need_a_judge() {
    let racing = two_reads("result[15] = seen + 1;");
    assert_eq!(checked(racing.clone(), &[]), (vec!["HR003".to_owned()], 2));
    assert_eq!(checked(two_reads("result[9] = seen;"), &[]), (vec![], 2));
    // The machine says that it may have missed one.
    let sandbox = Sandbox::with(racing);
    let report = sandbox.check(&["a.cu", "--engine", "machine"]);
    assert!(
        report
            .stderr
            .contains("read both as `volatile` and otherwise"),
        "{}",
        report.stderr
    );
}

/// A kernel that writes to the memory of a constant parameter. The function that does so hides it.
fn cast(barrier: &str) -> String {
    format!(
        "#include <cstdio>
__device__ void put(const int* place, int value) {{ *const_cast<int*>(place) = value; }}
__global__ void rotate(const int* in) {{
  const int mine = in[threadIdx.x];
  {barrier}
  put(in + (threadIdx.x + 1) % blockDim.x, mine);
}}
int main() {{
  std::FILE* const runs = std::fopen(\"runs\", \"a\");
  std::fputs(\"run\\n\", runs);
  std::fclose(runs);
  int* in;
  cudaMalloc(&in, 256 * sizeof(int));
  cudaMemset(in, 0, 256 * sizeof(int));
  rotate<<<1, 256>>>(in);
  return cudaDeviceSynchronize();
}}
"
    )
}

#[test]
fn memory_that_a_launch_writes_after_all_is_checked_in_another_run() {
    let racy = cast("");
    assert_eq!(checked(racy.clone(), &[]), (vec!["HR001".to_owned()], 2));
    assert_eq!(
        checked(racy, &["--check-all"]),
        (vec!["HR001".to_owned()], 1)
    );
    assert_eq!(checked(cast("__syncthreads();"), &[]), (vec![], 2));
}

/// Two kernels with a fence: of one, the machine reports what the engine knows to be ordered. `other` is a
/// part of the other one.
fn two_kernels(other: &str) -> String {
    let judged = counter("gridDim.x - 1", "__threadfence();");
    let kernel = format!(
        "__global__ void other(int* result) {{
  if (threadIdx.x != 0) return;
  {other}
  __threadfence();
}}
int main() {{"
    );
    let launch = "sum<<<8, 32>>>(result);\n  other<<<8, 32>>>(result);";
    judged
        .replace("int main() {", &kernel)
        .replace("sum<<<8, 32>>>(result);", launch)
}

#[test]
fn kernels_without_a_report_are_not_judged() {
    let ordered = two_kernels("result[blockIdx.x] += 1;");
    assert_eq!(checked(ordered, &[]), (vec![], 2));
    let racing = two_kernels("result[8] = blockIdx.x;");
    assert_eq!(checked(racing, &[]), (vec!["HR006".to_owned()], 2));
}

/// A program with a strong access of its own in one kernel, for which the engine looks at once, and a kernel `plain` that
/// can order nothing. The program notes each of its runs in a file.
fn strong_and_plain(body: &str) -> String {
    format!(
        "#include <cstdio>
__global__ void strong(int* flag) {{
  int value;
  asm volatile(\"ld.relaxed.gpu.u32 %0, [%1];\" : \"=r\"(value) : \"l\"(flag) : \"memory\");
  if (value == 7) flag[1] = 1;
}}
__global__ void plain(int* head, int* next) {{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  {body}
}}
int main() {{
  std::FILE* const runs = std::fopen(\"runs\", \"a\");
  std::fputs(\"run\\n\", runs);
  std::fclose(runs);
  int *flag, *memory;
  cudaMalloc(&flag, 8);
  cudaMemset(flag, 0, 8);
  cudaMalloc(&memory, 1024);
  cudaMemset(memory, 0, 1024);
  strong<<<1, 1>>>(flag);
  plain<<<4, 32>>>(memory, memory + 128);
  return cudaDeviceSynchronize();
}}
"
    )
}

/// The engine does not follow the kernel, and names all pairs of its accesses that race if there is a race.
#[test]
fn kernels_that_order_nothing_are_left_to_the_machine() {
    let clean = strong_and_plain("head[i] = i; next[i] = head[i];");
    assert_eq!(checked(clean, &[]), (vec![], 1));
    let list = "next[i] = *head; *head = i;";
    let (by_both, runs) = checked(strong_and_plain(list), &[]);
    assert_eq!(runs, 2);
    let (by_engine, runs) = checked(strong_and_plain(list), &["--engine", "order"]);
    assert_eq!(runs, 1);
    assert_eq!(by_both, by_engine);
    assert_eq!(by_both, ["HR003", "HR006"]);
}
