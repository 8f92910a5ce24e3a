//! The programs of `hirace litmus run` compile with nvcc, for each architecture from the oldest one
//! to Blackwell. Nothing here runs them.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use hirace_sample::Sample;

use super::units;
use crate::compile::{self, Compilation, Inputs};
use crate::process::{capture, cargo};
use crate::tally::Tally;
use crate::{files, nvcc};

const CORPUS: &str = "memory-model/corpus";
const ARCHITECTURES: [&str; 4] = [nvcc::OLDEST_ARCH, "sm_80", nvcc::ARCH, "sm_100"];

/// Clusters are there from Hopper on (PTX ISA, "fence").
const FIRST_WITH_CLUSTERS: usize = 2;

/// A sample has one of so many tests.
const SAMPLE: u64 = 28;

/// Writes the programs and compiles them.
pub fn check(sample: Sample) -> Result<Tally> {
    let nvcc = match nvcc::locate() {
        Ok(nvcc) => nvcc,
        Err(reason) => return Ok(Tally::skip(reason)),
    };
    let out = crate::root().join("target/litmus-nvcc");
    let programs = out.join("programs");
    if programs.exists() {
        fs::remove_dir_all(&programs)
            .with_context(|| format!("failed to remove {}", programs.display()))?;
    }
    let all = files::below(&crate::root().join(CORPUS))?;
    let tests = all
        .iter()
        .filter(|it| files::has_extension(it, &["litmus"]))
        .filter(|it| sample.takes(it.strip_prefix(crate::root()).ok(), SAMPLE));
    let tests: Vec<&PathBuf> = tests.collect();
    // Tests that cannot run are errors that do not matter here.
    let emitted = capture(
        cargo()
            .args(["run", "--quiet", "--package", "hirace", "--"])
            .args(["litmus", "run", "--backend", "gpu", "--emit"])
            .arg(&programs)
            .args(&tests),
    )?;
    let (mut without_clusters, mut with_clusters) = (Vec::new(), Vec::new());
    for source in files::below(&programs)? {
        let text = fs::read_to_string(&source)
            .with_context(|| format!("failed to read {}", source.display()))?;
        if text.contains(".cluster") {
            with_clusters.push(source);
        } else {
            without_clusters.push(source);
        }
    }
    let written = without_clusters.len() + with_clusters.len();
    // A sample may have many that no GPU can run.
    let refused = emitted.text.matches("× the test ").count();
    if written == 0 || written + refused != tests.len() {
        bail!(
            "{written} programs and {refused} refusals of {} tests: {}",
            tests.len(),
            emitted.text
        );
    }
    let mut compilations = Vec::new();
    for (sources, folder, architectures) in [
        (without_clusters, "all", &ARCHITECTURES[..]),
        (
            with_clusters,
            "clusters",
            &ARCHITECTURES[FIRST_WITH_CLUSTERS..],
        ),
    ] {
        compilations.extend(units::compilations(
            sources,
            &out.join("units").join(folder),
            |file| Ok(file.strip_prefix(&programs)?.display().to_string()),
            |name, file, sources| {
                let mut command = nvcc.command_for_all(architectures);
                command.args(["-Werror", "all-warnings", "-c", "-o"]);
                command.arg(file.with_extension("o")).arg(file);
                let mut inputs = Inputs::default();
                inputs.text(&nvcc.version);
                Compilation::new(name, command, inputs, sources)
            },
        )?);
    }
    compile::all(compilations, &out.join("stamps"))
}
