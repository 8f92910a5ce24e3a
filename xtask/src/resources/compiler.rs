//! Compiles the kernels, and reads the results.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use anyhow::{Context, Result, bail};

use super::{ARCHITECTURES, BUDGETS, FastPath, Kernel, NO_SHORTCUT, cubin, ptxas};
use crate::compile::Inputs;
use crate::gpu::KERNELS;
use crate::nvcc::Nvcc;
use crate::{files, process};

/// nvcc and its directories.
pub(super) struct Compiler<'a> {
    pub(super) nvcc: &'a Nvcc,
    /// hirace's headers.
    pub(super) include: PathBuf,
    /// All inputs of the benchmarks' compilations.
    pub(super) inputs: Inputs,
    /// The directory for compiled files and cached results.
    pub(super) out: PathBuf,
}

impl Compiler<'_> {
    /// The ptxas numbers of every kernel, compiled on two cores or more.
    pub(super) fn kernels(&self, bench: &Path) -> Result<Vec<Kernel>> {
        let jobs = ARCHITECTURES
            .into_iter()
            .flat_map(|architecture| KERNELS.iter().map(move |it| (it.name, architecture)));
        let count = KERNELS.len() * ARCHITECTURES.len();
        let queue = Mutex::new(jobs.enumerate());
        let done = Mutex::new(Vec::new());
        let work = || {
            while let Some((number, (name, architecture))) =
                { queue.lock().expect("no worker panics").next() }
            {
                let usage = |side: &str, macros: &[&str]| {
                    let unit = bench.join(side).join(format!("{name}.cu"));
                    ptxas::usage_of(&self.messages(&unit, architecture, macros)?, name)
                        .with_context(|| format!("{}, {architecture}", unit.display()))
                };
                let kernel = usage("plain", &[]).and_then(|plain| {
                    Ok(Kernel {
                        name,
                        architecture,
                        plain,
                        checked: usage("hirace", &[])?,
                        without_shortcut: usage("hirace", &[NO_SHORTCUT])?,
                    })
                });
                done.lock()
                    .expect("no worker panics")
                    .push((number, kernel));
            }
        };
        let workers = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            for _ in 0..workers.min(count) {
                scope.spawn(work);
            }
        });
        let mut done = done.into_inner().expect("no worker panics");
        done.sort_by_key(|(number, _)| *number);
        done.into_iter().map(|(_, kernel)| kernel).collect()
    }

    /// The ptxas messages for a file; cached while its inputs are unchanged.
    fn messages(&self, unit: &Path, architecture: &str, macros: &[&str]) -> Result<String> {
        let mut command = self.command(unit, architecture);
        command.args(macros);
        command.args(["-Xptxas", "-v", "-o", "/dev/null"]);
        let known = self
            .out
            .join(format!("{:016x}.txt", self.inputs.key(&command)));
        if let Ok(text) = fs::read_to_string(&known) {
            return Ok(text);
        }
        let text = compile(&mut command)?;
        fs::write(&known, &text).with_context(|| format!("failed to write {}", known.display()))?;
        Ok(text)
    }

    pub(super) fn fast_paths(&self) -> Result<Vec<FastPath>> {
        let mut paths = Vec::new();
        for architecture in ARCHITECTURES {
            let bytes = self.single_reads(architecture, &[])?;
            for (space, budget) in BUDGETS {
                paths.push(FastPath {
                    space,
                    architecture,
                    plain: cubin::instructions(&bytes, &format!("plain_{space}"))?.own,
                    checked: cubin::instructions(&bytes, &format!("checked_{space}"))?.own,
                    budget,
                });
            }
        }
        Ok(paths)
    }

    /// The kernels that perform one read each, as a binary.
    pub(super) fn single_reads(&self, architecture: &str, macros: &[&str]) -> Result<Vec<u8>> {
        let unit = crate::root().join("xtask/gpu/fast_path.cu");
        let binary = self.out.join(format!("fast_path.{architecture}.cubin"));
        let mut command = self.command(&unit, architecture);
        compile(command.args(macros).arg("-o").arg(&binary))?;
        fs::read(&binary).with_context(|| format!("failed to read {}", binary.display()))
    }

    fn command(&self, unit: &Path, architecture: &str) -> Command {
        let mut command = self.nvcc.command_for(architecture);
        command.args(["-O2", "-cubin", "-I"]).arg(&self.include);
        command.arg(unit);
        command
    }
}

/// All inputs of the benchmarks' compilations.
pub(super) fn inputs(nvcc: &Nvcc, bench: &Path) -> Result<Inputs> {
    let mut inputs = Inputs::default();
    inputs.text(&nvcc.version);
    for file in files::below(bench)? {
        inputs.file(&file)?;
    }
    Ok(inputs)
}

fn compile(command: &mut Command) -> Result<String> {
    let output = process::capture(command)?;
    if !output.success {
        bail!("{} failed:\n{}", process::show(command), output.text);
    }
    Ok(output.text)
}
