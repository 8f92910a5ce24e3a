//! `cargo xtask quick`: what a change needs while one works on it.
//!
//! Formatting, lints and unit tests of the packages that changed, and the tests that [`TESTS`]
//! names for the changed folders. `cargo xtask test` still has to pass before a change lands.

use std::collections::{BTreeMap, BTreeSet};

use hirace_sample::Sample;

use super::{Done, report, rust, test_programs};
use crate::change::Change;

/// A folder, and what tests a change in it.
struct Tests {
    folder: &'static str,
    package: Option<&'static str>,
    /// Test programs of the root package, each with filters for its tests.
    tests: &'static [(&'static str, &'static str)],
}

/// Programs that concern the instrumenter: declarations, expressions and calls of all kinds.
const LANGUAGE: (&str, &str) = ("ui", "language/,access_widths/,inline_ptx/");
/// Programs that concern what a check does.
const CHECKS: (&str, &str) = ("ui", "barriers/,warps/,atomics/,grids/");
/// A program, from its text to its report.
const ONE: (&str, &str) = ("ui", "barriers/tree_reduction");

const fn tests_of(
    folder: &'static str,
    package: &'static str,
    tests: &'static [(&'static str, &'static str)],
) -> Tests {
    Tests {
        folder,
        package: Some(package),
        tests,
    }
}

const fn device(folder: &'static str, tests: &'static [(&'static str, &'static str)]) -> Tests {
    Tests {
        folder,
        package: None,
        tests,
    }
}

/// A file is tested by each entry whose folder contains it.
const TESTS: &[Tests] = &[
    tests_of("src", "hirace", &[ONE]),
    tests_of("tests/rewrite", "hirace", &[("rewrite", "")]),
    tests_of("tests/formats", "hirace", &[("formats", "")]),
    tests_of("tests/ui.rs", "hirace", &[CHECKS]),
    tests_of("tests/support", "hirace", &[CHECKS]),
    tests_of("tests/order", "hirace", &[("order", "")]),
    tests_of("tests/skips", "hirace", &[("skips", "")]),
    tests_of("tests/executor", "hirace", &[("executor", "")]),
    tests_of("docs/rules", "hirace", &[ONE, ("formats", "")]),
    tests_of("config.toml", "hirace-config", &[ONE]),
    tests_of("crates/capi", "hirace-capi", &[]),
    tests_of("crates/check", "hirace-check", &[ONE, ("batch", "")]),
    tests_of("crates/config", "hirace-config", &[ONE]),
    tests_of("crates/doctor", "hirace-doctor", &[]),
    tests_of("crates/fix", "hirace-fix", &[("fix", "barriers/")]),
    tests_of(
        "crates/instrument",
        "hirace-instrument",
        &[LANGUAGE, ("rewrite", "")],
    ),
    tests_of("crates/litmus", "hirace-litmus", &[]),
    tests_of("crates/model", "hirace-model", &[ONE]),
    tests_of("crates/report", "hirace-report", &[ONE, ("formats", "")]),
    tests_of(
        "crates/syntax",
        "hirace-syntax",
        &[LANGUAGE, ("rewrite", "")],
    ),
    tests_of("crates/terminal", "hirace-terminal", &[]),
    tests_of("crates/toolchain", "hirace-toolchain", &[ONE]),
    tests_of("crates/wrap", "hirace-wrap", &[]),
    tests_of("fsm", "hirace-fsm", &[CHECKS]),
    tests_of("graphs", "hirace-graphs", &[("ui", "graph_algorithms/")]),
    tests_of("indigo-harness", "hirace-indigo", &[]),
    tests_of("memory-model", "hirace-memory-model", &[]),
    tests_of("xtask", "xtask", &[]),
    device("device/hirace/checker", &[CHECKS]),
    device("device/hirace/cuda", &[LANGUAGE, ("ui", "warps/,memory/")]),
    device(
        "device/hirace/executor/check",
        &[CHECKS, ("ui", "locks_and_flags/,faults/")],
    ),
    device("device/hirace/executor/host", &[("ui", "host/")]),
    device(
        "device/hirace/executor/memory",
        &[("ui", "memory/,faults/")],
    ),
    device(
        "device/hirace/executor/order",
        &[("order", ""), ("ui", "order/")],
    ),
    device(
        "device/hirace/executor/runtime",
        &[("ui", "streams_and_graphs/,memory/")],
    ),
    device(
        "device/hirace/executor/scheduler",
        &[CHECKS, ("ui", "faults/,cooperative_groups/")],
    ),
    device("device/hirace/generated", &[CHECKS]),
    device("device/hirace/gpu", &[("gpu", "")]),
    device("device/hirace/hooks", &[CHECKS, LANGUAGE]),
    device(
        "device/hirace/libraries",
        &[("ui", "libraries/,cooperative_groups/")],
    ),
    device("device/hirace/records", &[ONE]),
    device("device/hirace/toolkit", &[("ui", "libraries/")]),
];

/// Checks what differs from the commit `base`; by default, what is not committed, or the last
/// commit if everything is. Returns whether nothing failed.
pub fn run(base: Option<&str>) -> bool {
    let change = match base {
        Some(base) => Change::since(base),
        None => Change::not_committed().unwrap_or_else(|| Change::since("HEAD~1")),
    };
    let selection = select(&change);
    println!("packages: {}", list(&selection.packages));
    for (target, filter) in &selection.tests {
        println!(
            "tests of {target}: {}",
            if filter.is_empty() { "all" } else { filter }
        );
    }
    let packages: Vec<&str> = selection.packages.iter().copied().collect();
    let done = [
        Done::of("fmt", rust::fmt),
        Done::of("clippy", || rust::clippy(&packages)),
        Done::of("tests", || {
            test_programs::run_some(&packages, &selection.tests, Sample::current())
        }),
    ];
    report(&done)
}

/// What a change needs.
#[derive(Debug, Default, PartialEq, Eq)]
struct Selection {
    packages: BTreeSet<&'static str>,
    /// Filters by test program of the root package; an empty one selects all tests.
    tests: BTreeMap<&'static str, String>,
}

fn select(change: &Change) -> Selection {
    let mut selection = Selection::default();
    let mut add = |(target, filter): (&'static str, &str)| {
        let filters = selection
            .tests
            .entry(target)
            .or_insert_with(|| filter.to_owned());
        if filter.is_empty() {
            filters.clear();
        } else if !filters.is_empty() && !filters.split(',').any(|it| it == filter) {
            *filters = format!("{filters},{filter}");
        }
    };
    for it in TESTS {
        if change.below(it.folder).next().is_none() {
            continue;
        }
        selection.packages.extend(it.package);
        it.tests.iter().copied().for_each(&mut add);
    }
    for file in change.below("tests/ui") {
        let name = file.strip_prefix("tests/ui").unwrap_or(file);
        if name.components().count() > 1 {
            add((
                "ui",
                &name
                    .with_extension("")
                    .with_extension("")
                    .display()
                    .to_string(),
            ));
        }
    }
    selection
}

fn list(names: &BTreeSet<&str>) -> String {
    let names: Vec<&str> = names.iter().copied().collect();
    match names.as_slice() {
        [] => "none".to_owned(),
        names => names.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{TESTS, select};
    use crate::change::Change;

    fn selected(files: &[&str]) -> (Vec<&'static str>, Vec<(&'static str, String)>) {
        let change: Change = files.iter().map(PathBuf::from).collect();
        let selection = select(&change);
        (
            selection.packages.into_iter().collect(),
            selection.tests.into_iter().collect(),
        )
    }

    #[test]
    fn a_folder_selects_its_package_and_its_tests() {
        let (packages, tests) = selected(&["crates/fix/src/lib.rs"]);
        assert_eq!(packages, ["hirace-fix"]);
        assert_eq!(tests, [("fix", "barriers/".to_owned())]);
    }

    #[test]
    fn ui_programs_that_changed_are_selected() {
        let changed = ["tests/ui/order/locks/a.fix.diff", "tests/ui/README.md"];
        let (packages, tests) = selected(&changed);
        assert!(packages.is_empty());
        assert_eq!(tests, [("ui", "order/locks/a".to_owned())]);
    }

    #[test]
    fn filters_of_several_folders_add_up() {
        let changed = [
            "crates/model/src/lib.rs",
            "device/hirace/executor/order/engine.h",
            "device/hirace/toolkit/cub/cub.cuh",
        ];
        let (_, tests) = selected(&changed);
        assert_eq!(tests[0], ("order", String::new()));
        assert_eq!(
            tests[1],
            ("ui", "barriers/tree_reduction,order/,libraries/".to_owned())
        );
    }

    #[test]
    fn folders_exist() {
        for it in TESTS {
            let path = crate::root().join(it.folder);
            assert!(path.exists(), "{}", it.folder);
        }
    }
}
