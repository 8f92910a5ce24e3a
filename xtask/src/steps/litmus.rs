//! The programs of `hirace litmus run` compile with nvcc, for each architecture from the oldest one
//! to Blackwell. Nothing here runs them.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use super::Extent;
use crate::compile::{self, Compilation, Inputs};
use crate::process::{capture, cargo};
use crate::tally::Tally;
use crate::{files, nvcc};

const CORPUS: &str = "memory-model/corpus";
const ARCHITECTURES: [&str; 4] = [nvcc::OLDEST_ARCH, "sm_80", nvcc::ARCH, "sm_100"];

/// A sample has one of so many tests.
const SAMPLE: usize = 64;

/// Most of the tests can run on a GPU: not those with aliases or with several GPUs.
const LEAST_SHARE: usize = 2;

/// Writes the programs and compiles them.
pub fn check(extent: Extent) -> Result<Tally> {
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
    let every = match extent {
        Extent::All => 1,
        Extent::Sample => SAMPLE,
    };
    let all = files::below(&crate::root().join(CORPUS))?;
    let tests = all
        .iter()
        .filter(|it| files::has_extension(it, &["litmus"]));
    let tests: Vec<&PathBuf> = tests.step_by(every).collect();
    // Tests that cannot run are errors that do not matter here.
    let emitted = capture(
        cargo()
            .args(["run", "--quiet", "--package", "hirace", "--"])
            .args(["litmus", "run", "--backend", "gpu", "--emit"])
            .arg(&programs)
            .args(&tests),
    )?;
    let mut compilations = Vec::new();
    for source in files::below(&programs)? {
        let text = fs::read_to_string(&source)
            .with_context(|| format!("failed to read {}", source.display()))?;
        // Clusters are there from Hopper on (PTX ISA, "fence").
        let architectures = if text.contains(".cluster") {
            &ARCHITECTURES[2..]
        } else {
            &ARCHITECTURES
        };
        let mut inputs = Inputs::default();
        inputs.text(&nvcc.version).file(&source)?;
        let mut command = nvcc.command_for_all(architectures);
        command.args(["-Werror", "all-warnings", "-c", "-o"]);
        command.arg(source.with_extension("o")).arg(&source);
        compilations.push(Compilation {
            key: inputs.key(&command),
            name: source
                .file_name()
                .map_or_else(String::new, |it| it.display().to_string()),
            command,
            parts: Vec::new(),
        });
    }
    if compilations.len() * LEAST_SHARE < tests.len() {
        bail!(
            "only {} programs of {} tests: {}",
            compilations.len(),
            tests.len(),
            emitted.text
        );
    }
    compile::all(compilations, &out.join("stamps"))
}
