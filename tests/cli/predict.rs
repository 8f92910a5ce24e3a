//! Races of other schedules: `--predict` and `[check] predict`. What is predicted:
//! `tests/ui/order/predict`.

use crate::harness::Sandbox;

/// Block 0 writes `table` before its section and the others read it after theirs.
const BY_CHANCE: &str = "\
__device__ int lock, entered, table;
__global__ void fill(int* out) {
  if (blockIdx.x == 0) table = 7;
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  __threadfence();
  entered++;
  __threadfence();
  atomicExch(&lock, 0);
  if (blockIdx.x == 1) *out = table;
}
int main() {
  int* out;
  cudaMalloc(&out, sizeof(int));
  fill<<<2, 1>>>(out);
  return cudaDeviceSynchronize();
}
";

#[test]
fn predictions_are_possible_races() {
    let sandbox = Sandbox::with(BY_CHANCE);
    sandbox.check(&["a.cu", "--strict"]).ends_with(0);
    sandbox.check(&["a.cu", "--predict"]).ends_with(0);
    let outcome = sandbox.check(&["a.cu", "--predict", "--strict", "--format", "json"]);
    let report = outcome.ends_with(1).json();
    let races = report["races"].as_array().expect("an array");
    assert_eq!(races.len(), 1, "{races:?}");
    let race = &races[0];
    assert_eq!(
        (&race["code"], &race["certainty"]),
        (&"HR016".into(), &"possible".into())
    );
    let lines = |of: &serde_json::Value| [&of[0], &of[1]].map(|it| it["line"].as_u64());
    assert_eq!(lines(&race["accesses"]), [Some(3), Some(10)]);
    // Where the lock was released and taken.
    assert_eq!(lines(&race["flag"]), [Some(9), Some(4)]);
    assert_eq!(race["flag"][1]["variable"], "lock");
}

#[test]
fn other_formats_have_them() {
    let sandbox = Sandbox::with(BY_CHANCE);
    let sarif = sandbox.check(&["a.cu", "--predict", "--format", "sarif"]);
    let result = &sarif.ends_with(0).json()["runs"][0]["results"][0];
    assert_eq!(
        (&result["ruleId"], &result["level"]),
        (&"HR016".into(), &"warning".into())
    );
    let html = sandbox.check(&["a.cu", "--predict", "--format", "html"]);
    let text = &html.ends_with(0).stdout;
    assert!(
        text.contains("HR016") && text.contains("predicted: it did not happen"),
        "{text}"
    );
}

#[test]
fn the_configuration_can_ask_for_them() {
    let config = "[check]\npredict = true\n";
    let sandbox = Sandbox::with(BY_CHANCE).file("hirace.toml", config);
    sandbox.check(&["a.cu", "--strict"]).ends_with(1);
    // A prediction is no error at which to stop.
    let outcome = sandbox.check(&["a.cu", "--halt-on-error", "--format", "json"]);
    assert_eq!(outcome.ends_with(0).json()["races"][0]["code"], "HR016");
}

#[test]
fn the_state_machine_predicts_nothing() {
    let sandbox = Sandbox::with(BY_CHANCE);
    let outcome = sandbox.check(&["a.cu", "--predict", "--engine", "machine"]);
    let stderr = &outcome.ends_with(2).stderr;
    assert!(
        stderr.contains("the state machine predicts no races"),
        "{stderr}"
    );
}
