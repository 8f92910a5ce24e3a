//! `examples/ci` works as its page describes, and its workflow runs: the unchanged project has no
//! findings, and a missing barrier makes every kind of check fail.

use crate::docs::blocks;
use crate::harness::{Outcome, Sandbox, build_tools, in_sample};
use crate::workflow::{Event, Store, Workflow};

const PAGE: &str = include_str!("../../examples/ci/README.md");
const WORKFLOW: &str = include_str!("../../examples/ci/.github/workflows/race-check.yml");

/// The example in its own directory, with the build tools.
fn example() -> Option<Sandbox> {
    if !in_sample() {
        return None;
    }
    Some(Sandbox::cpu().on_path(&build_tools()?).tree("examples/ci"))
}

/// Removes the barrier between clearing the counts and counting. The results stay right in the
/// default order of threads, so no test of results would fail.
fn break_barrier(sandbox: Sandbox) -> Sandbox {
    let source = sandbox.read("src/histogram.cu");
    assert!(source.contains("__syncthreads();"));
    sandbox.file(
        "src/histogram.cu",
        source.replacen("__syncthreads();", "", 1),
    )
}

/// A command's output, and the log of CTest's memory check.
fn printed(sandbox: &Sandbox, outcome: &Outcome) -> String {
    let log = sandbox.path("build-checked/Testing/Temporary/MemoryChecker.1.log");
    let log = std::fs::read_to_string(log).unwrap_or_default();
    format!("{}{}{log}", outcome.stdout, outcome.stderr)
}

#[test]
fn every_way_to_check_with_cmake_finds_a_missing_barrier() {
    let Some(mut sandbox) = example() else {
        return;
    };
    for block in blocks(PAGE, "sh baseline") {
        // The list of known races hides nothing while it is being written.
        sandbox.sh(&block).ends_with(1);
    }
    let committed = include_str!("../../examples/ci/known-races.supp");
    assert_eq!(sandbox.read("known-races.supp"), committed);
    for broken in [false, true] {
        if broken {
            sandbox = break_barrier(sandbox);
        }
        for block in blocks(PAGE, "sh cmake") {
            let outcome = sandbox.sh(&block);
            let printed = printed(&sandbox, &outcome);
            assert_eq!(outcome.status != Some(0), broken, "{block}\n{printed}");
            let named = printed.contains("data race on shared `counts` in kernel `count_block`");
            assert_eq!(named, broken, "{block}\n{printed}");
        }
    }
}

#[test]
fn commands_of_the_example_with_nvcc() {
    let (Some(sandbox), Some(tools)) = (Sandbox::gpu(), build_tools()) else {
        return;
    };
    let sandbox = sandbox.on_path(&tools).tree("examples/ci");
    for block in blocks(PAGE, "sh gpu") {
        sandbox.sh(&block).ends_with(0);
    }
    assert!(sandbox.is_instrumented("build-gpu/histogram_test"));
}

/// Adds stand-ins for programs that the workflow calls: `cargo`, which would install hirace and
/// here only prints its arguments, and a faster C++ compiler.
fn with_stubs(sandbox: Sandbox) -> Sandbox {
    let stubs = [
        ("cargo", "echo \"cargo $*\""),
        ("c++-quick", "exec c++ \"$@\" -O0"),
    ];
    let directory = sandbox.path("../stubs");
    stubs
        .into_iter()
        .fold(sandbox, |sandbox, (name, line)| {
            let name = format!("../stubs/{name}");
            let sandbox = sandbox.file(&name, format!("#!/bin/sh\n{line}\n"));
            sandbox.run(&["chmod", "+x", &name]).ends_with(0);
            sandbox
        })
        .on_path(&directory)
}

#[test]
fn the_workflow_is_one() {
    let Some(sandbox) = example() else {
        return;
    };
    let check = "python -m check_jsonschema --builtin-schema vendor.github-workflows \
                 .github/workflows/race-check.yml";
    sandbox.sh(check).ends_with(0);
}

#[test]
fn the_workflow_stops_a_pull_request_that_brings_a_race() {
    let Some(sandbox) = example() else {
        return;
    };
    let mut sandbox = with_stubs(sandbox);
    let workflow = Workflow::parse(WORKFLOW);
    let mut store = Store::default();

    let main = workflow.run("races", Event::Push, &sandbox, &mut store);
    for (step, outcome) in &main {
        assert_eq!(outcome.status, Some(0), "{step}: {outcome:?}");
    }
    let version = concat!("--tag v", env!("CARGO_PKG_VERSION"), " hirace");
    let installed = &main["Install hirace"].stdout;
    assert!(installed.starts_with("cargo install --locked --git https://"));
    assert!(installed.trim_end().ends_with(version), "{installed}");
    assert_eq!(active_results(&store), 0);

    let repaired = sandbox.read("src/histogram.cu");
    sandbox = break_barrier(sandbox);
    let outcomes = workflow.run("races", Event::PullRequest, &sandbox, &mut store);
    let check = outcomes["Check"].ends_with(1);
    let annotation = "::error file=src/histogram.cu,line=15,";
    assert!(check.stdout.contains(annotation), "{}", check.stdout);
    let difference = outcomes["Compare with main"].ends_with(1);
    let sum = "1 new, 0 no longer found, 0 found before";
    assert!(difference.stdout.contains(sum), "{}", difference.stdout);
    assert_eq!(active_results(&store), 1);
    assert_eq!(store.artifact, ["races.html", "races.json", "races.sarif"]);
    let page = sandbox.read("races/races.html");
    assert!(page.contains("histogram.cu"));

    let sandbox = sandbox.file("src/histogram.cu", repaired);
    let outcomes = workflow.run("races", Event::PullRequest, &sandbox, &mut store);
    for (step, outcome) in &outcomes {
        assert_eq!(outcome.status, Some(0), "{step}: {outcome:?}");
    }
}

/// The number of unsuppressed results sent to code scanning.
fn active_results(store: &Store) -> usize {
    let sarif = store.sarif.as_ref().expect("the workflow sent something");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    let suppressed = |result: &&serde_json::Value| result["suppressions"][0].is_null();
    results.iter().filter(suppressed).count()
}

#[test]
fn pytest_names_the_part_that_races() {
    let Some(sandbox) = example() else {
        return;
    };
    let sandbox = with_stubs(sandbox).environment("CXX", "c++-quick");
    sandbox
        .sh("python -m pytest tests -k histogram")
        .ends_with(0);
    let sandbox = break_barrier(sandbox);
    let mut store = Store::default();
    let workflow = Workflow::parse(WORKFLOW);
    let outcomes = workflow.run("pytest", Event::PullRequest, &sandbox, &mut store);
    let said = &outcomes["Check"].ends_with(1).stdout;
    for line in [
        "FAILED tests/test_races.py::test_part_has_no_race[histogram]",
        "data race on shared `counts` in kernel `count_block`",
        "1 failed, 3 passed",
    ] {
        assert!(said.contains(line), "no `{line}` in\n{said}");
    }
}
