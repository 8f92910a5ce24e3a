//! `hirace report --merge` and `--diff`.

use crate::harness::{CLEAN, Outcome, RACY, Sandbox};

/// Checks `text` as `a.cu` and writes the report to `report`.
fn checked(sandbox: Sandbox, text: &str, report: &str, seed: &str) -> Sandbox {
    let sandbox = sandbox.file("a.cu", text);
    // To this engine, a fence makes a race a possible one.
    let arguments = [
        "a.cu", "--engine", "machine", "--seed", seed, "--format", "json", "--output", report,
    ];
    sandbox.check(&arguments);
    sandbox
}

fn json(sandbox: &Sandbox, name: &str) -> serde_json::Value {
    serde_json::from_str(&sandbox.read(name)).expect("a report")
}

/// The racy kernel, and another one with two racy lines.
fn two_kernels(first: &str, second: &str) -> String {
    let more = format!(
        "__global__ void twice(int* out) {{\n  {first}\n  {second}\n}}\n\nint main() {{\n  \
         int* more;\n  cudaMalloc(&more, 8);\n  twice<<<2, 1>>>(more);\n"
    );
    RACY.replace("int main() {\n", &more)
}

#[test]
fn moved_lines_are_nothing_new() {
    let sandbox = checked(Sandbox::new(), RACY, "old.json", "0");
    let moved = format!(
        "// One line more.\n\n{}",
        RACY.replace("  *out", "\n    *out")
    );
    let sandbox = checked(sandbox, &moved, "new.json", "3");
    let [old, new] = ["old.json", "new.json"].map(|name| json(&sandbox, name));
    let race = |report: &serde_json::Value| report["races"][0].clone();
    assert_ne!(race(&old)["accesses"], race(&new)["accesses"]);
    assert_eq!(race(&old)["fingerprint"], race(&new)["fingerprint"]);

    let outcome = sandbox.run(&["report", "--diff", "old.json", "new.json"]);
    assert_eq!(
        outcome.ends_with(0).stdout,
        "found before (1 finding):\n  a.cu:5:5: HR006 data race on global `out` in kernel \
         `all_write`: same location written by several threads\nhirace: findings: 0 new, 0 no \
         longer found, 1 found before\n"
    );
}

#[test]
fn what_is_new_fails_and_what_is_gone_does_not() {
    let sandbox = checked(Sandbox::new(), RACY, "one.json", "0");
    let more = two_kernels("*out = 1 + blockIdx.x;", "*out = 2;");
    let sandbox = checked(sandbox, &more, "more.json", "0");
    let found = json(&sandbox, "more.json")["races"]
        .as_array()
        .unwrap()
        .len();
    assert!(found > 1, "{found}");

    let outcome = sandbox.run(&["report", "--diff", "one.json", "more.json"]);
    outcome.ends_with(1);
    let summary = format!(
        "hirace: findings: {} new, 0 no longer found, 1 found before\n",
        found - 1
    );
    assert!(outcome.stdout.ends_with(&summary), "{outcome:#?}");
    assert!(outcome.stdout.contains("in kernel `twice`"), "{outcome:#?}");
    assert!(
        outcome.stdout.contains("[a.cu:6:3]"),
        "no excerpt: {outcome:#?}"
    );

    let back = sandbox.run(&["report", "--diff", "more.json", "one.json"]);
    let summary = format!(
        "hirace: findings: 0 new, {} no longer found, 1 found before\n",
        found - 1
    );
    assert!(back.ends_with(0).stdout.ends_with(&summary), "{back:#?}");

    // Other formats contain only the new findings.
    let arguments = ["report", "--diff", "one.json", "more.json", "--format"];
    let annotations = sandbox.run(&[&arguments[..], &["github"]].concat());
    assert_eq!(annotations.ends_with(1).stdout.lines().count(), found - 1);
    assert!(
        !annotations.stdout.contains("all_write"),
        "{annotations:#?}"
    );
    let report = sandbox.run(&[&arguments[..], &["json"]].concat()).json();
    assert_eq!(report["summary"]["races"], found - 1);
}

#[test]
fn findings_that_are_alike_are_counted() {
    let alike = two_kernels("*out = blockIdx.x;", "++out; *out = blockIdx.x;");
    let sandbox = checked(Sandbox::new(), &alike, "two.json", "0");
    let report = json(&sandbox, "two.json");
    let fingerprints: std::collections::BTreeSet<_> = (report["races"].as_array().unwrap().iter())
        .map(|race| race["fingerprint"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(
        fingerprints.len(),
        report["races"].as_array().unwrap().len()
    );
    assert!(
        fingerprints.iter().any(|it| it.ends_with(":2")),
        "{fingerprints:?}"
    );
    // One of them is removed.
    let one = two_kernels("*out = blockIdx.x;", "++out;");
    let sandbox = checked(sandbox, &one, "one.json", "0");
    sandbox
        .run(&["report", "--diff", "two.json", "one.json"])
        .ends_with(0);
    sandbox
        .run(&["report", "--diff", "one.json", "two.json"])
        .ends_with(1);
}

#[test]
fn a_race_that_has_become_certain_is_new() {
    let possible = RACY.replacen("*out =", "__threadfence();\n  *out =", 1);
    let sandbox = checked(Sandbox::new(), &possible, "possible.json", "0");
    let sandbox = checked(sandbox, RACY, "certain.json", "0");
    let diff = |old, new, more: &[&str]| -> Outcome {
        sandbox.run(&[&["report", "--diff", old, new], more].concat())
    };
    diff("possible.json", "certain.json", &[]).ends_with(1);
    diff("certain.json", "possible.json", &[]).ends_with(0);
    diff("possible.json", "possible.json", &["--strict"]).ends_with(0);
    let sandbox = checked(sandbox, CLEAN, "clean.json", "0");
    let diff = |more: &[&str]| {
        sandbox.run(&[&["report", "--diff", "clean.json", "possible.json"], more].concat())
    };
    diff(&[]).ends_with(0);
    diff(&["--strict"]).ends_with(1);
}

#[test]
fn a_check_that_failed_says_nothing_about_what_is_new() {
    let sandbox = checked(Sandbox::new(), RACY, "old.json", "0");
    let sandbox = checked(
        sandbox,
        "__global__ void k() { int a = ; }",
        "new.json",
        "0",
    );
    let outcome = sandbox.run(&["report", "--diff", "old.json", "new.json"]);
    outcome.ends_with(2);
    let summary = "hirace: findings: 0 new, 1 no longer found, 0 found before; could not check\n";
    assert!(outcome.stdout.ends_with(summary), "{outcome:#?}");
}

#[test]
fn merging() {
    let sandbox = checked(Sandbox::new(), RACY, "0.json", "0");
    let sandbox = checked(sandbox, RACY, "1.json", "1");
    let other = two_kernels("*out = 1;", "*out = 2;").replace("<<<2, 1>>>", "<<<1, 1>>>");
    let sandbox = checked(sandbox, &other, "clean.json", "1");
    let arguments = ["report", "--merge", "0.json", "1.json", "clean.json"];
    let outcome = sandbox.run(&[&arguments[..], &["--format", "json"]].concat());
    let merged = outcome.ends_with(0).json();
    assert_eq!(merged["seeds"], serde_json::json!([0, 1]));
    assert_eq!(merged["status"], "races");
    assert_eq!(merged["summary"]["launches"], 4);
    let races = merged["races"].as_array().unwrap();
    assert_eq!(races.len(), 1);
    let [first, second] = ["0.json", "1.json"].map(|it| json(&sandbox, it)["races"][0].clone());
    assert_eq!(races[0]["seeds"], serde_json::json!([0, 1]));
    assert_eq!(races[0]["fingerprint"], first["fingerprint"]);
    assert_eq!(
        races[0]["occurrences"],
        first["occurrences"].as_u64().unwrap() + second["occurrences"].as_u64().unwrap()
    );
    // The accesses of both programs.
    assert_eq!(merged["coverage"]["monitored"], 1 + 3);
    assert!(
        merged["notes"][0]
            .as_str()
            .unwrap()
            .contains("several programs")
    );

    // A report merged with itself is about one program.
    let outcome = sandbox.run(&["report", "--merge", "0.json", "0.json", "--format", "json"]);
    let twice = outcome.ends_with(0).json();
    assert_eq!(twice["seeds"], serde_json::json!([0]));
    assert_eq!(twice["coverage"], json(&sandbox, "0.json")["coverage"]);

    let text = sandbox
        .read("0.json")
        .replace(&*sandbox.path(".").to_string_lossy(), "");
    let elsewhere = text.replace(
        "\"working_directory\": \"",
        "\"working_directory\": \"/elsewhere",
    );
    let sandbox = sandbox.file("elsewhere.json", elsewhere);
    let arguments = [
        "report",
        "--merge",
        "0.json",
        "elsewhere.json",
        "--format",
        "json",
    ];
    let merged = sandbox.run(&arguments).json();
    assert_eq!(merged["working_directory"], serde_json::Value::Null);
    assert_eq!(merged["races"].as_array().unwrap().len(), 1);
}

#[test]
fn how_many_reports() {
    let sandbox = Sandbox::new().file("a", "").file("b", "").file("c", "");
    for (arguments, message) in [
        (
            &["report", "a", "b"][..],
            "2 reports need `--merge` or `--diff`",
        ),
        (
            &["report", "--diff", "a"],
            "`--diff` needs two reports, and got 1",
        ),
        (
            &["report", "--diff", "a", "b", "c"],
            "`--diff` needs two reports, and got 3",
        ),
    ] {
        sandbox.run(arguments).ends_with(2).says(message);
    }
}
