//! The package for machines with a GPU, on the CPU executor: the same script compiles, runs and
//! measures two tests and two benchmarks with a C++ compiler in nvcc's place, and the import
//! judges what they recorded. What nvcc and a GPU do is not tested here.
//!
//! It runs one time in [`SAMPLE`], as it compiles the checks themselves with optimisation.

use std::fs;
use std::path::Path;
use std::process::Command;

use hirace::model::Backend;
use hirace_sample::Sample;
use serde_json::Value;
use xtask::gpu::{self, Contents, Kernel};
use xtask::ui::Program;

const SAMPLE: u64 = 8;

const RACY: &str = "barriers/tree_reduction";
const CLEAN: &str = "graph_algorithms/graph_edge_conditional.repaired";

const KERNELS: [Kernel; 2] = [
    Kernel {
        name: "block_scan",
        small: "4",
        large: "64",
    },
    Kernel {
        name: "graph_pull",
        small: "rmat:6:100",
        large: "rmat:10:8000",
    },
];

#[test]
fn what_travels_runs_and_is_judged() {
    if !Sample::current().takes_this_test(SAMPLE) {
        return;
    }
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gpu_package");
    if scratch.exists() {
        fs::remove_dir_all(&scratch).unwrap();
    }
    let package = scratch.join("package");
    let tests = [RACY, CLEAN].map(|name| Program::named(name).unwrap());
    let contents = Contents {
        backend: Backend::Cpu,
        tests: &tests,
        self_test: true,
        kernels: &KERNELS,
    };
    gpu::write(&package, &contents).unwrap();

    let results = scratch.join("results");
    let text = expect_run(&package, &results, &[], 0);
    assert!(text.contains("2 of 2 tests as expected"), "{text}");
    let self_test = fs::read_to_string(results.join("self_test.txt")).unwrap();
    assert_eq!(
        self_test,
        "4/random|ok\n4/transitions|ok\n8/random|ok\n8/transitions|ok\n"
    );
    let seen = fs::read_to_string(results.join("tests.txt")).unwrap();
    assert_eq!(seen, format!("{RACY}|race|race|0\n{CLEAN}|clean|clean|0\n"));
    let json = fs::read_to_string(results.join("benchmarks.json")).unwrap();
    check_benchmarks(&serde_json::from_str(&json).unwrap_or_else(|why| panic!("{why}\n{json}")));
    let table = fs::read_to_string(results.join("benchmarks.md")).unwrap();
    assert!(table.contains("CPU executor, no GPU"), "{table}");
    assert!(gpu::import(&results).unwrap());

    // The races of one program are those of no other, and a clean program has none.
    let records = scratch.join("records");
    unpack(&results, &scratch);
    fs::copy(records.join(RACY), records.join(CLEAN)).unwrap();
    let tally = gpu::judge(&seen, &records, Backend::Cpu).unwrap();
    assert_eq!(tally.failed, [CLEAN]);
    assert_eq!(tally.passed, 1);
    // Records of a CPU run say nothing about a GPU.
    let tally = gpu::judge(&seen, &records, Backend::Gpu).unwrap();
    assert_eq!(tally.passed, 0);
    // A program that did not get to its end is no clean one.
    let crashed = seen.replace("|0\n", "|139\n");
    assert_eq!(
        gpu::judge(&crashed, &records, Backend::Cpu).unwrap().passed,
        0
    );

    // Of the self-test every byte counts, and what did not go well is no success.
    let wrong = "8/transitions|ok\n8/random|answers expected differ: byte 9, line 1\n";
    fs::write(results.join("self_test.txt"), wrong).unwrap();
    assert!(!gpu::import(&results).unwrap());

    // A verdict that is not the expected one is seen on the spot.
    let compiled = fs::read_to_string(package.join("compilations")).unwrap();
    let compiled = compiled.lines().find(|it| it.contains("tree_reduction"));
    let compiled = compiled.unwrap().to_owned();
    let source = compiled.split('|').next().unwrap();
    fs::write(package.join("compilations"), format!("{compiled}\n")).unwrap();
    let only = format!("{RACY}|{source}|clean|\n");
    fs::write(package.join("tests"), only).unwrap();
    fs::write(package.join("benchmarks"), "").unwrap();
    fs::remove_dir_all(package.join("self_test")).unwrap();
    let text = expect_run(&package, &scratch.join("unexpected"), &[], 1);
    assert!(
        text.contains(&format!("not as expected: {RACY}|clean|race|0")),
        "{text}"
    );
    // Without time, nothing is made up.
    let late = scratch.join("late");
    expect_run(&package, &late, &[("LIMIT", "0")], 1);
    let tests = fs::read_to_string(late.join("tests.txt")).unwrap();
    assert_eq!(tests, format!("{RACY}|clean|no time|\n"));
    let tally = gpu::judge(&tests, &records, Backend::Cpu).unwrap();
    assert_eq!((tally.passed, tally.skipped.len()), (0, 1));
}

/// Runs the package's script, which has to end with `status`. Returns what it printed.
#[track_caller]
fn expect_run(package: &Path, results: &Path, environment: &[(&str, &str)], status: i32) -> String {
    let mut command = Command::new("bash");
    command.arg(package.join("run.sh")).arg(results);
    command.envs(environment.iter().copied());
    let output = command.output().unwrap();
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text += &String::from_utf8_lossy(&output.stderr);
    let log = fs::read_to_string(results.join("log.txt")).unwrap_or_default();
    assert_eq!(output.status.code(), Some(status), "{text}\n{log}");
    text
}

#[track_caller]
fn check_benchmarks(results: &Value) {
    let kernels = results["kernels"].as_array().unwrap();
    assert_eq!(kernels.len(), KERNELS.len());
    for (kernel, wanted) in kernels.iter().zip(KERNELS) {
        assert_eq!(kernel["name"], wanted.name);
        assert_eq!(kernel["size"], wanted.large);
        assert_eq!(kernel["seen"], "clean", "{kernel}");
        assert!(kernel["slowdown"].as_f64().unwrap() > 0.0, "{kernel}");
        assert!(kernel["racecheck_ms"].is_null(), "{kernel}");
        assert!(kernel["registers"][0].is_null(), "{kernel}");
        // The executor's own shadow is not in its device memory.
        assert_eq!(kernel["shadow_bytes_per_byte"], 0.0, "{kernel}");
    }
    assert!(results["slowdown"].as_f64().unwrap() > 0.0);
}

/// Unpacks the record files to `records` below `directory`.
fn unpack(results: &Path, directory: &Path) {
    let status = Command::new("tar")
        .arg("-C")
        .arg(directory)
        .arg("-xzf")
        .arg(results.join("records.tar.gz"))
        .status()
        .unwrap();
    assert!(status.success());
}
