//! Writes that store the same value: what a report says of them, and `same-value-writes`.

use serde_json::Value;

use crate::harness::Sandbox;

/// Two blocks of two warps; `body` uses an array `x`, a volatile array `flag`, and the number `me` of
/// the thread in the grid.
fn program(body: &str) -> String {
    format!(
        "#include <cstring>
__device__ int x[8];
__device__ volatile int flag[8];
__global__ void k(int me_first) {{
  const int me = me_first + blockIdx.x * blockDim.x + threadIdx.x;
  {body}
}}
int main() {{
  k<<<2, 64>>>(0);
  return cudaDeviceSynchronize();
}}
"
    )
}

/// The codes of the races with this setting.
#[track_caller]
fn races(setting: &str, body: &str) -> Vec<String> {
    let config = format!("[check]\nsame-value-writes = \"{setting}\"\n");
    let sandbox = Sandbox::with(program(body)).file("hirace.toml", config);
    let report = sandbox.check(&["a.cu", "--format", "json"]).json();
    let races = report["races"].as_array().expect("an array");
    races.iter().map(described).collect()
}

/// The code of a race, and its accesses.
fn described(race: &Value) -> String {
    let kind = |index: usize| {
        race["accesses"][index]["access"]
            .as_str()
            .unwrap_or_default()
    };
    let mut kinds = [kind(0), kind(1)];
    kinds.sort_unstable();
    format!(
        "{} {}",
        race["code"].as_str().unwrap_or_default(),
        kinds.join(" ")
    )
}

#[test]
fn writes_of_one_value_may_be_accepted() {
    assert_eq!(races("race", "x[0] = 7;"), ["HR006 write write"]);
    assert_eq!(races("benign", "x[0] = 7;"), [""; 0]);
}

#[test]
fn writes_of_two_values_race() {
    // The second value races with the first, and the third write with the second one.
    assert_eq!(
        races("benign", "if (me % 64 == 0) x[0] = 7 + me / 64;"),
        ["HR006 write write"]
    );
}

#[test]
fn readers_and_updates_race_with_them() {
    let reader = "x[0] = 7; if (me == 127) x[1] = x[0];";
    assert_eq!(races("benign", reader), ["HR003 read write"]);
    assert_eq!(races("benign", "x[0] |= 7;").len(), 1);
    assert_eq!(races("benign", "int v = 7; memcpy(&x[0], &v, 4);").len(), 1);
}

/// Thread 32 waits for the reader, thread 64 does not.
#[test]
fn what_one_of_the_writes_follows_is_not_forgotten() {
    let body = "\
if (me == 0) { x[1] = x[0]; __threadfence(); flag[0] = 1; }
if (me == 32) { while (flag[0] == 0) {} __threadfence(); x[0] = 7; flag[1] = 1; }
if (me == 64) { while (flag[1] == 0) {} x[0] = 7; }";
    let found = races("benign", body);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].ends_with("read write"), "{found:?}");
}
