//! The commands in `docs/integration.md` work: each block is run in a copy of the project.
//!
//! The word after `sh` says how: `cpu` without a GPU, `gpu` with nvcc (only compilers run there),
//! `pytorch` in a copy of an extension, `pytorch gpu` the same with nvcc. A block without a word is not run.

use std::path::{Path, PathBuf};

use hirace_sample::Sample;

use crate::harness::{Sandbox, build_tools, nvcc};

/// The page.
const PAGE: &str = include_str!("../../docs/integration.md");

/// One block of so many runs, of those that need no GPU. Each builds a whole project.
const SAMPLE: u64 = 40;

/// The blocks of a page with this information string.
pub fn blocks(page: &str, info: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if line == format!("```{info}") {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            blocks.push(block.join("\n"));
        }
    }
    assert!(!blocks.is_empty(), "no block {info}");
    blocks
}

fn run(sandbox: &Sandbox, block: &str) {
    // A separate sccache server, because the user's may be running.
    let port = 20_000 + std::process::id() % 20_000;
    let outcome = sandbox.sh(&format!(
        "export SCCACHE_DIR=\"$PWD/sccache\" SCCACHE_SERVER_PORT={port}\n\
         trap 'sccache --stop-server > /dev/null 2>&1 || true' EXIT\n{block}"
    ));
    assert_eq!(
        outcome.status,
        Some(0),
        "{block}\n{}\n{}",
        outcome.stdout,
        outcome.stderr
    );
}

#[test]
fn commands_without_a_gpu() {
    let Some(tools) = build_tools() else {
        return;
    };
    for block in blocks(PAGE, "sh cpu") {
        if !Sample::current().takes_for_this_test(&block, SAMPLE) {
            continue;
        }
        run(&Sandbox::cpu().on_path(&tools).project(), &block);
    }
}

#[test]
fn commands_with_nvcc() {
    let Some(tools) = build_tools() else {
        return;
    };
    for block in blocks(PAGE, "sh gpu") {
        let Some(sandbox) = Sandbox::gpu() else {
            return;
        };
        run(&sandbox.on_path(&tools).project(), &block);
    }
}

/// The Python of the tests with PyTorch. It and its libraries take some gigabytes, so these run only if
/// `HIRACE_TEST_PYTORCH` names a Python that has PyTorch, setuptools, Ninja and pytest.
fn pytorch() -> Option<PathBuf> {
    let python = std::env::var_os("HIRACE_TEST_PYTORCH").map(PathBuf::from);
    if python.is_none() {
        println!("skipped: HIRACE_TEST_PYTORCH names no Python with PyTorch");
    }
    python
}

#[test]
fn commands_with_pytorch() {
    let Some(python) = pytorch() else {
        return;
    };
    let programs = python.parent().expect("a program has a directory");
    let sandbox = Sandbox::cpu()
        .on_path(programs)
        .tree("tests/wrapper/pytorch");
    for block in blocks(PAGE, "sh pytorch") {
        let setting = "export TORCH_EXTENSIONS_DIR=\"$PWD/inline\"";
        run(&sandbox, &format!("{setting}\n{block}"));
    }
}

#[test]
fn commands_with_pytorch_and_nvcc() {
    let (Some(python), Some(sandbox), Some(nvcc)) = (pytorch(), Sandbox::gpu(), nvcc()) else {
        return;
    };
    let programs = python.parent().expect("a program has a directory");
    let sandbox = sandbox.on_path(programs).tree("tests/wrapper/pytorch");
    let toolkit = nvcc.parent().and_then(Path::parent).expect("a toolkit");
    // The installed toolkit lacks cuBLAS and similar libraries; their headers come with
    // PyTorch.
    let setting = format!(
        "export CUDA_HOME='{}' TORCH_CUDA_ARCH_LIST=9.0\n\
         export CPATH=\"$(echo '{}'/../lib/python*/site-packages/nvidia/cu[0-9]*/include)\"\n",
        toolkit.display(),
        programs.display(),
    );
    for block in blocks(PAGE, "sh pytorch gpu") {
        run(&sandbox, &format!("{setting}{block}"));
    }
    let built = sandbox.names("");
    let library = built.iter().find(|it| it.ends_with(".so"));
    let library = library.unwrap_or_else(|| panic!("no library among {built:?}"));
    assert!(sandbox.is_instrumented(library));
}

#[test]
fn steps_of_ci_are_tested_commands() {
    let tested = blocks(PAGE, "sh cpu").join("\n");
    let steps = blocks(PAGE, "yaml").join("\n");
    let commands = steps
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- run: "));
    let ours: Vec<&str> = commands
        .filter(|line| line.starts_with("hirace "))
        .collect();
    assert!(!ours.is_empty());
    for command in ours {
        assert!(tested.contains(command), "{command} is not tested");
    }
}
