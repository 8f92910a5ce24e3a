//! Compiles files on their own, unchanged and instrumented.
//!
//! Frameworks that the files include are not installed: `xtask/stubs` has the smallest part of
//! PyTorch's interface with which kernels compile. Files that need more are skipped.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result};

use super::Corpus;
use crate::files::{below, has_extension};
use crate::{nvcc, parallel, process};

/// The result of compiling a corpus.
pub(super) struct Outcome {
    /// How many files were tried.
    pub(super) tried: usize,
    /// Those that compile unchanged.
    pub(super) before: Vec<String>,
    /// Those among them that fail when instrumented, with the compiler's first error.
    pub(super) broken: Vec<(String, String)>,
}

/// How far to compile files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Device code to PTX, without optimisation.
    Ptx,
    /// Device code to machine code.
    Object,
}

/// Time limit in seconds; a file that takes longer counts as failed.
const TIMEOUT: u32 = 600;

/// The compiler options of the corpora's own builds.
const ARGUMENTS: [&str; 4] = [
    "--expt-relaxed-constexpr",
    "--extended-lambda",
    "-DUSE_CUDA=1",
    "-DXGBOOST_USE_CUDA=1",
];

/// Compiles every `.cu` and `.cuh` file of a corpus on its own. Files that compile are compiled
/// again from the instrumented copy of the corpus.
pub(super) fn run(hirace: &Path, corpus: &Corpus, depth: Depth) -> Result<Outcome> {
    let nvcc = nvcc::locate().map_err(anyhow::Error::msg)?;
    let copy = crate::root()
        .join("target/corpora-instrumented")
        .join(&corpus.name);
    let mut command = Command::new(hirace);
    command.arg("instrument").arg(&corpus.root);
    for argument in ARGUMENTS {
        command.arg(format!("--cc-arg={argument}"));
    }
    command.arg("--output");
    process::output(command.arg(&copy).arg("--force"))?;

    let files: Vec<PathBuf> = below(&corpus.root)?
        .into_iter()
        .filter(|it| has_extension(it, &["cu", "cuh"]))
        .filter_map(|it| it.strip_prefix(&corpus.root).ok().map(Path::to_owned))
        .collect();
    let objects = crate::root().join("target/tmp/corpora");
    fs::create_dir_all(&objects)
        .with_context(|| format!("failed to create {}", objects.display()))?;

    let tried = files.len();
    // The first error of a file that compiles unchanged, if it has one when it is instrumented.
    let compile = |(number, file): (usize, PathBuf)| -> Result<_> {
        let object = objects.join(format!("{number}.o"));
        let name = file.display().to_string();
        if first_error(&nvcc, corpus, &corpus.root, &file, &object, depth)?.is_some() {
            return Ok(None);
        }
        let after = first_error(&nvcc, corpus, &copy, &file, &object, depth)?;
        println!(
            "{}  {name}",
            if after.is_none() { "ok    " } else { "BROKEN" }
        );
        let _ = fs::remove_file(&object);
        Ok(Some((name, after)))
    };
    let (mut before, mut broken) = (Vec::new(), Vec::new());
    for compiled in parallel::map(files.into_iter().enumerate().collect(), compile) {
        if let Some((name, after)) = compiled? {
            before.push(name.clone());
            broken.extend(after.map(|error| (name, error)));
        }
    }
    Ok(Outcome {
        tried,
        before,
        broken,
    })
}

/// Compiles a file; returns the first error, if any.
fn first_error(
    nvcc: &nvcc::Nvcc,
    corpus: &Corpus,
    root: &Path,
    file: &Path,
    object: &Path,
    depth: Depth,
) -> Result<Option<String>> {
    // nvcc has no time limit of its own.
    let mut command = Command::new("timeout");
    let compiler = nvcc.command();
    command
        .arg(TIMEOUT.to_string())
        .arg(compiler.get_program())
        .args(compiler.get_args());
    // Headers too are compiled as main files.
    command.args(["-x", "cu", "-c", "-w"]).args(ARGUMENTS);
    if depth == Depth::Ptx {
        // The later architecture wins.
        command.args(["-arch=compute_90", "-code=compute_90", "-Xcicc", "-O0"]);
    }
    for include in &corpus.include {
        command.arg("-I").arg(root.join(include));
    }
    command.arg("-I").arg(root.join("include"));
    command.arg("-I").arg(crate::root().join("xtask/stubs"));
    command.arg(root.join(file)).arg("-o").arg(object);
    let started = Instant::now();
    let output = process::capture(&mut command)?;
    if output.success {
        return Ok(None);
    }
    if started.elapsed().as_secs() >= TIMEOUT.into() {
        return Ok(Some(format!("the compiler was stopped after {TIMEOUT} s")));
    }
    let first = output
        .text
        .lines()
        .find(|line| line.contains("error"))
        .unwrap_or("no message");
    let root = format!("{}/", root.display());
    Ok(Some(first.replace(&root, "")))
}
